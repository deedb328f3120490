// Package tables reads the paper's tables, and those of sweep files, off the records of their runs.
package tables

import (
	"fmt"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results/render"
)

// Spec is a table of the paper: which runs it needs, and how it is read off their records. Both come from one description
// of its cells, so that they cannot disagree.
type Spec struct {
	Name, Title string
	OwnDatasets bool     // it says which data sets it is of where a selection names none; else they are those of the paper
	Protocols   []string // likewise; nil for all

	// Jobs returns the runs of the table, each once, seed by seed; none for a table without runs.
	Jobs func(sweep.Scope) []store.Job

	// Table returns the projections of the records there are: a table for each protocol, or one for a table without runs.
	// A selection that leaves no column or no row has none.
	Table func(*store.Runs, sweep.Scope) []render.Table

	// Data, where it is not nil, returns the table with what the folder of data sets says instead of runs. A data set that
	// is not there is missing from the table; one that cannot be read is an error.
	Data func(dataDir string, s sweep.Scope) (render.Table, error)
}

// paperTables is how many tables the paper has.
const paperTables = 10

// TableNames returns the names of the paper's tables, table1 to table10.
func TableNames() (names []string) {
	for number := 1; number <= paperTables; number++ {
		names = append(names, tableName(number))
	}
	return names
}

func tableName(number int) string { return fmt.Sprintf("table%d", number) }

// Specs returns every table of the paper, in its order.
func Specs() (all []Spec) {
	for number := 1; number <= paperTables; number++ {
		all = append(all, spec(number))
	}
	return all
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
	return ofFile(sweep.Paper(tableName(number)))
}
