package sweep

import (
	"cmp"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/yamlfile"
)

// View is what a file says of how its runs are shown; the tables and figures that are made of it give it its meaning.
type View struct {
	Title, Corner string
	Number        int  // in the paper; 0 for another table
	BySetting     bool // a table for each data set, with a row for each setting and a column for each metric; else a row for each data set
	Metrics       []string
	Notes         []string
	Figure        string // one of figureKinds; "" for none
	X, Axis       string // of a figure: the option of its axis, and how that is called
}

// How a figure is drawn.
const (
	FigureUse     = "use"     // the variance of a vertex's aspects against its frequency, as figure 4
	FigureCosines = "cosines" // of aspects, as figure 5
	FigureCurves  = "curves"  // of training
	FigureLine    = "line"    // a metric against an option
)

var figureKinds = []string{FigureCosines, FigureCurves, FigureLine, FigureUse}

// viewKeys are those of a file that say how its runs are shown.
type viewKeys struct {
	Title   string                `yaml:"title"`
	Corner  string                `yaml:"corner"`
	Paper   int                   `yaml:"paper"`
	Rows    yamlfile.At[string]   `yaml:"rows"`
	Metrics yamlfile.List[string] `yaml:"metrics"`
	Notes   yamlfile.List[string] `yaml:"notes"`
	Figure  yamlfile.At[string]   `yaml:"figure"`
	X       string                `yaml:"x"`
	Axis    string                `yaml:"axis"`
}

// read takes over what a file says, whose first line is the one given.
func (v *View) read(k viewKeys, line int) error {
	*v = View{Title: k.Title, Corner: k.Corner, Number: k.Paper, BySetting: k.Rows.Value == "settings", Metrics: k.Metrics.Values(), Notes: k.Notes.Values(),
		Figure: k.Figure.Value, X: k.X, Axis: k.Axis}
	if len(v.Metrics) == 0 {
		v.Metrics = []string{"AUC"}
	}
	if !v.BySetting && len(v.Metrics) != 1 {
		return fmt.Errorf("%d: %d metrics: expected one with rows: datasets, or rows: settings", line, len(v.Metrics))
	}
	return cmp.Or(yamlfile.OneOf(k.Rows, "rows", "datasets", "settings"), yamlfile.OneOf(k.Figure, "figure", figureKinds...))
}
