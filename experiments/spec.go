package experiments

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/render"
)

// Spec is a table of the paper: which runs it needs, and how it is read off their records. Both come from one description
// of its cells, so that they cannot disagree.
type Spec struct {
	Name, Title string
	OwnDatasets bool     // it says which data sets it is of where a selection names none; else they are those of the paper
	Protocols   []string // likewise; nil for all

	// Jobs returns the runs of the table, each once, seed by seed; none for a table without runs.
	Jobs func(Selection) []store.Job

	// Table returns the projections of the records there are: a table for each protocol, or one for a table without runs.
	// A selection that leaves no column or no row has none.
	Table func(*store.Runs, Selection) []render.Table

	// Data, where it is not nil, returns the table with what the folder of data sets says instead of runs. A data set that
	// is not there is missing from the table; one that cannot be read is an error.
	Data func(dataDir string, s Selection) (render.Table, error)
}

// specFiles are the tables of the paper that are a grid of settings.
//
//go:embed specs/*.yaml
var specFiles embed.FS

// tables is how many tables the paper has.
const tables = 10

// TableNames returns the names of the paper's tables, table1 to table10.
func TableNames() (names []string) {
	for number := 1; number <= tables; number++ {
		names = append(names, tableName(number))
	}
	return names
}

func tableName(number int) string { return fmt.Sprintf("table%d", number) }

// Specs returns every table of the paper, in its order.
func Specs() (all []Spec) {
	for number := 1; number <= tables; number++ {
		all = append(all, spec(number))
	}
	return all
}

// FindSpec returns the table of a name, "table3", and whether there is one.
func FindSpec(name string) (Spec, bool) {
	if i := slices.Index(TableNames(), name); i >= 0 {
		return spec(i + 1), true
	}
	return Spec{}, false
}

// spec returns the table of a number: three are read off the data, all others are files.
func spec(number int) Spec {
	switch number {
	case 2:
		return table2()
	case 7:
		return table7()
	case 8:
		return table8()
	}
	return paperTable(number)
}

// Selection says which part of a table is wanted. Empty lists and 0 stand for the defaults. Names that are not known select
// nothing; see Validate.
type Selection struct {
	Datasets  []string         // of registered data sets, in upper or lower case; default: those of the paper, or none beside Own
	Own       []source.DataSet // the user's, as OwnDataSet returns them
	Methods   []string         // default: all
	Dims      []int            // of Tables 1 and 5: dimensions of a vertex in all its vectors; default: 100, and 200 and 500
	Seeds     int              // seeds 1 to Seeds; default: 3, of Table 6 5
	Protocols []string         // names of Protocols; default: all
}

// The seeds of a cell: by default as the measured tables have them, and at most far more than anyone has time for.
const (
	DefaultSeeds = 3
	MaxSeeds     = 1000
)

// Validate returns every problem of the selection at once, or nil.
func (s Selection) Validate() error {
	var errs []error
	for _, name := range s.Datasets {
		_, err := network.Lookup(name)
		errs = append(errs, err)
	}
	for _, name := range s.Methods {
		_, err := methods.Find(name)
		errs = append(errs, err)
	}
	for _, dim := range s.Dims {
		if dim < graphs.PaperAspects || dim%graphs.PaperAspects != 0 {
			errs = append(errs, fmt.Errorf("experiments: dim %d: want a multiple of %d, the number of vectors that share it", dim, graphs.PaperAspects))
		}
	}
	for _, name := range s.Protocols {
		if _, ok := run.Protocols[name]; !ok {
			errs = append(errs, fmt.Errorf("experiments: protocol %q: want %s", name, strings.Join(protocolNames(), " or ")))
		}
	}
	if s.Seeds < 0 || s.Seeds > MaxSeeds {
		errs = append(errs, fmt.Errorf("experiments: %d seeds: want 1 to %d, or 0 for %d", s.Seeds, MaxSeeds, DefaultSeeds))
	}
	return errors.Join(errs...)
}

func protocolNames() []string { return slices.Sorted(maps.Keys(run.Protocols)) }

// protocols returns the selected protocols, the paper's first.
func (s Selection) protocols() []string {
	return slices.DeleteFunc(protocolNames(), func(name string) bool {
		return len(s.Protocols) > 0 && !slices.Contains(s.Protocols, name)
	})
}

// datasets returns the selected data sets whose vertices are of one type, in the order of the registry. Those that the paper
// does not have must be named.
func (s Selection) datasets() []network.Dataset { return s.ofKind(false) }

// ofKind is datasets for those whose vertices are of several types, or the others.
func (s Selection) ofKind(typed bool) []network.Dataset {
	return slices.DeleteFunc(network.Datasets(), func(d network.Dataset) bool {
		return severalTypes(d) != typed || !(s.names(d.Name) || !s.namesData() && d.InPaper)
	})
}

// severalTypes says whether the vertices of a data set are of several types.
func severalTypes(d network.Dataset) bool { return d.Typed || d.Schema != "" }

// names says whether the selection names a data set.
func (s Selection) names(dataset string) bool {
	return slices.ContainsFunc(s.Datasets, func(name string) bool { return strings.EqualFold(name, dataset) })
}

// namesData says whether the selection says which data sets are wanted.
func (s Selection) namesData() bool { return len(s.Datasets)+len(s.Own) > 0 }

func (s Selection) seeds() uint64 {
	if s.Seeds <= 0 {
		return DefaultSeeds
	}
	return uint64(min(s.Seeds, MaxSeeds))
}
