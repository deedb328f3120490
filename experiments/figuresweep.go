package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"gonum.org/v1/gonum/stat"
)

// smallFour are the data sets on which everything runs in minutes.
var smallFour = []string{"Filmtrust", "Wiki-vote", "Cora", "PPI"}

// CurvePanels are the runs whose learning curves are worth a comparison: asp2vec beside DeepWalk, at the protocol's
// defaults, or the methods that the selection names.
func CurvePanels(sel Selection) ([]FigurePanel, error) {
	names := sel.Methods
	if len(names) == 0 {
		names = []string{graphs.MethodAsp2vec, graphs.MethodDeepWalk}
	}
	var titles []string
	for _, name := range names {
		m, err := methods.Find(name)
		if err != nil {
			return nil, err
		}
		titles = append(titles, m.Title)
	}
	return figurePanels(sel, smallFour, func(defaults func(string) graphs.Options) []namedOptions {
		var all []namedOptions
		for i, name := range names {
			all = append(all, namedOptions{titles[i], []graphs.Options{defaults(name)}})
		}
		return all
	})
}

// AspectPanels are asp2vec with K = 2 to 10 aspects.
func AspectPanels(sel Selection) ([]FigurePanel, error) {
	return figurePanels(sel, smallFour, func(defaults func(string) graphs.Options) []namedOptions {
		var all []namedOptions
		for k := 2; k <= 10; k++ {
			o := defaults(graphs.MethodAsp2vec)
			o.Aspects = k
			all = append(all, namedOptions{strconv.Itoa(k), []graphs.Options{o}})
		}
		return all
	})
}

// EpsilonPanels are asp2vec with epsilon from .1 to .9, and without the regularizer.
func EpsilonPanels(sel Selection) ([]FigurePanel, error) {
	return figurePanels(sel, smallFour, func(defaults func(string) graphs.Options) []namedOptions {
		var all []namedOptions
		for _, epsilon := range []float64{.1, .3, .5, .7, .9} {
			o := defaults(graphs.MethodAsp2vec)
			o.Epsilon = epsilon
			all = append(all, namedOptions{strings.TrimPrefix(fmt.Sprint(epsilon), "0"), []graphs.Options{o}})
		}
		o := defaults(graphs.MethodAsp2vec)
		o.Lambda = 0
		return append(all, namedOptions{"none", []graphs.Options{o}})
	})
}

// seriesValue is what came of a series.
type seriesValue struct {
	series FigureSeries
	value  results.Value
}

// values returns the AUC of every series of a panel, over its seeds, with the paper's where the figure is of a table.
func (d *drawing) values(p FigurePanel) []seriesValue {
	var all []seriesValue
	for _, s := range p.Series {
		v := seriesValue{series: s}
		var auc []float64
		for _, j := range s.Jobs {
			if r, ok := d.runs.Find(j); ok {
				if x, ok := r.Metrics["auc"]; ok {
					auc = append(auc, x)
				}
			}
		}
		v.value.N = len(auc)
		if len(auc) > 0 {
			v.value.Mean, v.value.SD = stat.MeanStdDev(auc, nil)
		}
		if len(auc) < 2 {
			v.value.SD = 0
		}
		if d.figure.paper != nil && len(s.Jobs) > 0 {
			if cell, ok := d.figure.paper(p.Dataset, s.Jobs[0].Options); ok {
				v.value.Paper, v.value.Printed = &cell.Value, cell.Printed
			}
		}
		all = append(all, v)
	}
	return all
}

// aspectsCell is table 10's AUC, of asp2vec at d = 20. The paper does not say at which epsilon; at K = 5 it is the best.
func aspectsCell(dataset string, o graphs.Options) (results.Cell, bool) {
	return results.Paper(10, dataset, fmt.Sprintf("K=%d", o.Aspects))
}

// epsilonCell is table 4's AUC, of asp2vec at d = 20 and K = 5.
func epsilonCell(dataset string, o graphs.Options) (results.Cell, bool) {
	if o.Lambda == 0 {
		return results.Paper(4, dataset, "No reg_asp")
	}
	return results.Paper(4, dataset, fmt.Sprintf("eps=%v", o.Epsilon))
}

// Summary returns the AUC of every series of the panels of a figure that is drawn from records, a row for each panel.
func (f Figure) Summary(store string, panels []FigurePanel) (results.Table, error) {
	t := results.Table{Name: "figure-" + f.Name, Title: f.Title, Corner: "data set"}
	d, err := newDrawing(store, f, panels)
	if err != nil || f.model {
		return t, err
	}
	for i, p := range panels {
		row := results.TableRow{Label: d.title(p)}
		for _, v := range d.values(p) {
			if i == 0 {
				t.Columns = append(t.Columns, v.series.Name)
			}
			row.Values = append(row.Values, v.value)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// WithEpochs returns panels whose jobs train at most so many epochs of each stage, to try a figure quickly. They are other
// runs than those without.
func WithEpochs(panels []FigurePanel, epochs int) []FigurePanel {
	out := slices.Clone(panels)
	for i := range out {
		out[i].Series = slices.Clone(out[i].Series)
		for k := range out[i].Series {
			s := &out[i].Series[k]
			s.Jobs = slices.Clone(s.Jobs)
			for j := range s.Jobs {
				s.Jobs[j].Options.Give("epochs")
				s.Jobs[j].Options.Epochs = epochs
			}
		}
	}
	return out
}

// MeanOffDiagonal returns the mean of the cosines of unlike aspects; NaN where there are none.
func MeanOffDiagonal(cosines [][]results.Float) float64 {
	var sum, n float64
	for s, row := range cosines {
		for t, x := range row {
			if s != t {
				sum += float64(x)
				n++
			}
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / n
}
