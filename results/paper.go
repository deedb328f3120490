package results

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// paperJSON holds every cell of the ten tables of Park et al., "Unsupervised Differentiable Multi-aspect Network Embedding",
// KDD 2020, arXiv:2006.04239, transcribed from the LaTeX source of the arXiv version.
//
//go:embed paper_tables.json
var paperJSON string

// Cell is one published value.
type Cell struct {
	Table   int     // 1 to 10
	Row     string  // "Filmtrust"
	Column  string  // "dim=100/DW": header over header, joined by a slash
	Value   float64 // the number; 0 where the cell holds text
	Numeric bool    // whether the cell holds a number
	Printed string  // as it stands in the paper: "0.6850"
}

// UnmarshalJSON reads a cell of paper_tables.json, whose value is a number or a text. It returns an error for what is no JSON of a cell.
func (c *Cell) UnmarshalJSON(b []byte) error {
	type plain Cell
	in := struct {
		*plain
		Value any
	}{plain: (*plain)(c)}
	err := json.Unmarshal(b, &in)
	c.Value, c.Numeric = in.Value.(float64)
	return err
}

type cellKey struct {
	table       int
	row, column string
}

type paperTables struct {
	cells []Cell
	index map[cellKey]int
}

// published decodes the tables once. The file is part of the program, and a test reads it, so it cannot be bad at run time.
var published = sync.OnceValue(func() paperTables {
	p := paperTables{index: map[cellKey]int{}}
	if err := json.Unmarshal([]byte(paperJSON), &p.cells); err != nil {
		panic(fmt.Sprintf("results: paper_tables.json: %v", err))
	}
	for i, c := range p.cells {
		p.index[cellKey{c.Table, c.Row, c.Column}] = i
	}
	return p
})

// Paper returns a value that the paper published, and whether there is one. table is from 1 to 10.
func Paper(table int, row, column string) (Cell, bool) {
	p := published()
	i, ok := p.index[cellKey{table, row, column}]
	if !ok {
		return Cell{}, false
	}
	return p.cells[i], true
}

// PaperTable returns the cells of one of the paper's tables, row by row as printed; none for a number that it does not have. table is
// from 1 to 10.
func PaperTable(table int) []Cell {
	return seq.Filter(published().cells, func(c Cell) bool { return c.Table == table })
}
