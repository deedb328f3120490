package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// Scope says which part of a table is wanted. Empty lists and 0 stand for the defaults. Names that are not known select
// nothing; see Validate.
type Scope struct {
	Datasets  []string         // of registered data sets, in upper or lower case; default: those of the paper, or none beside Own
	Own       []source.DataSet // the user's, as OwnDataSet returns them
	Methods   []string         // and scores of columns without training; default: all, and where no score is named all of these
	Dims      []int            // of Tables 1 and 5: dimensions of a vertex in all its vectors; default: 100, and 200 and 500
	Seeds     int              // seeds 1 to Seeds; default: 3, of Table 6 5
	Protocols []string         // names of Protocols; default: all
	Negatives string           // of eval.NegativesKinds, against which the AUC of links is; default: published
}

// The seeds of a cell: by default as the measured tables have them, and at most far more than anyone has time for.
const (
	DefaultSeeds = 3
	MaxSeeds     = 1000
)

// Validate returns an error that joins every problem of the selection: an unknown data set, method or protocol, a dimension that
// the aspects cannot share, or a number of seeds out of range; or nil.
func (s Scope) Validate() error {
	var errs []error
	for _, name := range s.Datasets {
		_, err := network.Lookup(name)
		errs = append(errs, err)
	}
	for _, name := range s.Methods {
		if _, err := methods.Find(name); !isUntrained(name) {
			errs = append(errs, err)
		}
	}
	for _, dim := range s.Dims {
		if dim < graphs.PaperAspects || dim%graphs.PaperAspects != 0 {
			errs = append(errs, fmt.Errorf("experiments: dim %d: expected a multiple of %d, the number of vectors that share it", dim, graphs.PaperAspects))
		}
	}
	for _, name := range s.Protocols {
		_, err := grid.ProtocolName(name)
		errs = append(errs, err)
	}
	if s.Seeds < 0 || s.Seeds > MaxSeeds {
		errs = append(errs, fmt.Errorf("experiments: %d seeds: expected 1 to %d, or 0 for %d", s.Seeds, MaxSeeds, DefaultSeeds))
	}
	return errors.Join(errs...)
}

// protocols returns the selected protocols, the paper's first.
func (s Scope) protocols() []string {
	return seq.Filter(run.Protocols, func(name string) bool { return len(s.Protocols) == 0 || slices.Contains(s.Protocols, name) })
}

// ofKind returns the selected data sets whose vertices are of several types, or the others, in the order of the registry. Those that the
// paper does not have must be named.
func (s Scope) ofKind(typed bool) []network.Dataset {
	return seq.Filter(network.Datasets(), func(d network.Dataset) bool {
		return d.Typed == typed && (s.Names(d.Name) || !s.namesData() && d.InPaper)
	})
}

// Names says whether the selection names a data set.
func (s Scope) Names(dataset string) bool {
	return slices.ContainsFunc(s.Datasets, func(name string) bool { return strings.EqualFold(name, dataset) })
}

// Has says whether the selection leaves runs of a method on a data set, as it is spelled in records, under a protocol.
func (s Scope) Has(dataset, method, protocol string) bool {
	of := func(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }
	return of(s.Datasets, dataset) && of(s.Methods, method) && of(s.Protocols, protocol)
}

// namesData says whether the selection says which data sets are wanted.
func (s Scope) namesData() bool { return len(s.Datasets)+len(s.Own) > 0 }

func (s Scope) seeds() uint64 {
	if s.Seeds <= 0 {
		return DefaultSeeds
	}
	return uint64(min(s.Seeds, MaxSeeds))
}
