package plot

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
)

// FigureData is what figures 4 and 5 show of one run: a figure is drawn from these alone, long after the model is gone.
type FigureData struct {
	Schema   int             `json:"schema"` // WriteFigureData fills in Schema
	Key      string          `json:"key"`    // of the run
	Dataset  string          `json:"dataset"`
	Protocol string          `json:"protocol"`
	Method   string          `json:"method"`
	Options  json.RawMessage `json:"options"`
	Metrics  results.Metrics `json:"metrics,omitempty"` // of the run, to know it by
	Code     results.Code    `json:"code"`

	Definition       string `json:"definition,omitempty"`        // as in the run's record
	FigureDefinition string `json:"figure_definition,omitempty"` // of the code that worked out what follows (run.FigureDefinition)

	Use *UseData `json:"use,omitempty"` // figure 4
	// Cosines (K,K) of aspects s and t, mean over vertices: figure 5. None for a method without aspects.
	Cosines [][]results.Float `json:"cosines,omitempty"`
}

// UseData is how evenly vertices use their aspects, against how often the corpus has them.
type UseData struct {
	Aspects  int          `json:"aspects"`
	Vertices int          `json:"vertices"` // that the corpus has
	Count    []int64      `json:"count"`    // (P): how often the corpus has each of a sample of them
	Variants []UseVariant `json:"variants"`
}

// UseVariant is one way to come by the aspects of a window. Only Variance is of the sample; all else is of all vertices.
type UseVariant struct {
	Name     string          `json:"name"`     // as aspects.UseVariance has it
	Variance []results.Float `json:"variance"` // (P): of the vertex's distribution over aspects
	Spearman results.Float   `json:"spearman"` // rank correlation of frequency and variance; NaN where either is constant
	Mean     results.Float   `json:"mean"`     // variance
	Curve    []UsePoint      `json:"curve"`    // by frequency, each point of those from a power of two to the next
}

// UsePoint is the vertices of about one frequency.
type UsePoint struct {
	Frequency float64       `json:"frequency"` // their geometric mean
	Variance  results.Float `json:"variance"`  // their mean
	Vertices  int           `json:"vertices"`
}

// Run is a run in a figure, and its data; nil for one that has not been run.
type Run struct {
	Name string
	Data *FigureData
}

// Group is runs of one network: a column of figure 4, a row of figure 5.
type Group struct {
	Title string
	Runs  []Run
}

// WriteFigureData writes the data to a file, whole or not at all. It returns an error where the file cannot be written.
func WriteFigureData(path string, d FigureData) error {
	d.Schema = results.Schema
	return atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(d) })
}

// ReadFigureData reads what WriteFigureData wrote. The error is fs.ErrNotExist where there is no such file.
func ReadFigureData(path string) (*FigureData, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("plot: figure: %w", err)
	}
	var d FigureData
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("plot: figure %s: %w", path, err)
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("%w, in %s", err, path)
	}
	return &d, nil
}

// check reports another schema, and shapes that a drawing could not be made of.
func (d *FigureData) check() error {
	if d.Schema != results.Schema {
		return fmt.Errorf("plot: figure's data of schema %d: expected %d, the version of this program", d.Schema, results.Schema)
	}
	for _, row := range d.Cosines {
		if len(row) != len(d.Cosines) {
			return fmt.Errorf("plot: figure's data: a row of %d cosines among %d aspects: expected one for each", len(row), len(d.Cosines))
		}
	}
	if d.Use == nil {
		return nil
	}
	for _, v := range d.Use.Variants {
		if len(v.Variance) != len(d.Use.Count) {
			return fmt.Errorf("plot: figure's data: %d variances of %d vertices (%s): expected one for each", len(v.Variance), len(d.Use.Count), v.Name)
		}
	}
	return nil
}

// Variant returns the variant of a name, or nil.
func (u *UseData) Variant(name string) *UseVariant {
	for i := range u.Variants {
		if u.Variants[i].Name == name {
			return &u.Variants[i]
		}
	}
	return nil
}
