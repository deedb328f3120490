package sweep

import (
	"cmp"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/yamlfile"
)

// View is what a file says of how its runs are shown; the tables and figures that are made of it give it its meaning.
type View struct {
	Title   string              `yaml:"title"`
	Corner  string              `yaml:"corner"`
	Number  int                 `yaml:"paper"` // in the paper; 0 for another table
	Rows    yamlfile.At[string] `yaml:"rows"`  // settings: a table for each data set, with a column for each metric; datasets, or "": a column for each setting
	Metrics words               `yaml:"metrics"`
	Notes   words               `yaml:"notes"`
	Figure  yamlfile.At[string] `yaml:"figure"` // one of figureKinds; "" for none
	X       string              `yaml:"x"`      // of a figure: the option of its axis,
	Axis    string              `yaml:"axis"`   // and how that is called
}

// BySetting says that the rows of a table are settings.
func (v View) BySetting() bool { return v.Rows.Value == "settings" }

// How a figure is drawn.
const (
	FigureUse     = "use"     // the variance of a vertex's aspects against its frequency, as figure 4
	FigureCosines = "cosines" // of aspects, as figure 5
	FigureLine    = "line"    // a metric against an option
)

var figureKinds = []string{FigureCosines, FigureLine, FigureUse}

// check completes what a file says, whose first line is the one given, and finds what it cannot be.
func (v *View) check(line int) error {
	if len(v.Metrics) == 0 {
		v.Metrics = words{"AUC"}
	}
	if !v.BySetting() && len(v.Metrics) != 1 {
		return fmt.Errorf("%d: %d metrics: expected one with rows: datasets, or rows: settings", line, len(v.Metrics))
	}
	return cmp.Or(yamlfile.OneOf(v.Rows, "rows", "datasets", "settings"), yamlfile.OneOf(v.Figure, "figure", figureKinds...))
}
