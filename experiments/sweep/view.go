package sweep

import (
	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/internal/yamlnode"
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

// keys adds what can be said of a table to the keys of a file.
func (v *View) keys(parts map[string]func(*yaml.Node) error) {
	parts["title"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.Title) }
	parts["corner"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.Corner) }
	parts["paper"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.Number) }
	parts["rows"] = func(n *yaml.Node) error {
		var rows string
		err := yamlnode.Word(n, "rows", &rows, "datasets", "settings")
		v.BySetting = rows == "settings"
		return err
	}
	parts["metrics"] = func(n *yaml.Node) (err error) { v.Metrics, err = yamlnode.Texts(n); return err }
	parts["notes"] = func(n *yaml.Node) (err error) { v.Notes, err = yamlnode.Texts(n); return err }
	parts["figure"] = func(n *yaml.Node) error { return yamlnode.Word(n, "figure", &v.Figure, figureKinds...) }
	parts["x"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.X) }
	parts["axis"] = func(n *yaml.Node) error { return yamlnode.Scalar(n, &v.Axis) }
}

func (v *View) check(root *yaml.Node) error {
	if len(v.Metrics) == 0 {
		v.Metrics = []string{"AUC"}
	}
	if !v.BySetting && len(v.Metrics) != 1 {
		return yamlnode.Errorf(root, "%d metrics: want one with rows: datasets, or rows: settings", len(v.Metrics))
	}
	return nil
}
