package render

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/seq"
	"gonum.org/v1/gonum/stat"
)

// Table is a projection of records: what a table of the paper, or a comparison, shows. It holds no number that is not in
// the records or in the paper.
type Table struct {
	Name    string   `json:"name"`  // "table3"
	Title   string   `json:"title"` // "Softmax and Gumbel-Softmax"
	Corner  string   `json:"corner"`
	Columns []string `json:"columns"`
	Rows    []Row    `json:"rows"`
	Notes   []string `json:"notes,omitempty"` // what the reader should know of the numbers
	Width   int      `json:"-"`               // letters of a terminal, beyond which columns go below the others; 0 for any
}

// Row is a row of a table, with a value for each column.
type Row struct {
	Label  string  `json:"label"`
	Values []Value `json:"values"`
}

// Value is what a table's cell shows.
type Value struct {
	Text  string   `json:"text,omitempty"` // instead of a number
	Mean  float64  `json:"mean"`
	SD    float64  `json:"sd"`              // of a sample, over seeds; 0 for fewer than two
	N     int      `json:"n"`               // seeds; 0 for a cell that was never run
	Paper *float64 `json:"paper,omitempty"` // the published number
	// Printed is the paper's number, or text, as it stands there.
	Printed string `json:"printed,omitempty"`
	Best    bool   `json:"best,omitempty"`    // of its row
	Outside bool   `json:"outside,omitempty"` // of the acceptance band around the paper's number
}

// Texts returns values that show texts.
func Texts(all ...string) []Value {
	return seq.Map(all, func(text string) Value { return Value{Text: text} })
}

// Spread writes mean and standard deviation: ".8 ± .1" with four digits, the mean alone of one, and "-" of none.
func Spread(v Value) string {
	switch v.N {
	case 0:
		return "-"
	case 1:
		return fmt.Sprintf("%.4f", v.Mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", v.Mean, v.SD)
}

// ValueOf returns mean, standard deviation and number of a sample.
func ValueOf(x []float64) Value {
	v := Value{N: len(x)}
	if v.N > 0 {
		v.Mean = stat.Mean(x, nil)
	}
	if v.N > 1 {
		v.SD = stat.StdDev(x, nil)
	}
	return v
}
