package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/asp2vec/asp2vec/results"
)

// CurvePanel is runs on one network, to be compared epoch by epoch.
type CurvePanel struct {
	Title  string
	Series []CurveSeries
}

// CurveSeries is runs that differ in the seed alone, and so are drawn alike.
type CurveSeries struct {
	Name    string
	Records []results.Record
}

// warmed says whether a run has epochs before its last stage.
func (s CurveSeries) warmed() bool {
	return slices.ContainsFunc(s.Records, func(r results.Record) bool {
		return len(r.Epochs) > 0 && r.Epochs[0].Stage != r.Epochs[len(r.Epochs)-1].Stage
	})
}

// DrawCurves draws how runs learn, a column for each panel: above, the AUC on the links that epochs are scored on (validation or
// test links, as the axis says); below, the loss of the pairs as it was minimised, on a logarithmic axis since it is a mean over
// aspects, and so K times less than DeepWalk's. Epochs are counted through all stages; what comes before the last one, a warm-up, is
// drawn thin. A mark is on the reported epoch. What is not finite is not drawn.
func DrawCurves(curves []CurvePanel) *Picture {
	rows := make([][]*plot.Plot, 2)
	for _, c := range curves {
		auc := newPanel(c.Title, "epoch", aucLabel(c))
		loss := newPanel("", "epoch", "training loss (nats)")
		auc.Y.Tick.Marker, auc.X.Tick.Marker, loss.X.Tick.Marker = decimals{}, decimals{}, decimals{}
		loss.Y.Tick.Marker = logged{}
		for i, s := range c.Series {
			l := looks[i%len(looks)]
			addCurves(auc, s, l, epochAUC, true)
			addCurves(loss, s, l, func(e results.Epoch) (float64, bool) { return math.Log10(float64(e.LossNats)), e.LossNats > 0 }, false)
		}
		if slices.ContainsFunc(c.Series, CurveSeries.warmed) {
			auc.Legend.Add("thin: before the last stage", &plotter.Line{LineStyle: draw.LineStyle{Color: grey, Width: .7}})
		}
		for _, p := range []*plot.Plot{auc, loss} {
			if p.X.Min <= p.X.Max {
				p.X.Min = 0
			} else {
				p.Title.Text += ": no epochs"
			}
		}
		rows[0], rows[1] = append(rows[0], auc), append(rows[1], loss)
	}
	return panels(rows, 4.4*vg.Inch, 3*vg.Inch)
}

// epochAUC returns the AUC that a run had to choose an epoch by.
func epochAUC(e results.Epoch) (float64, bool) {
	switch {
	case e.TestAUC != nil:
		return *e.TestAUC, true
	case e.ValidationAUC != nil:
		return *e.ValidationAUC, true
	}
	return 0, false
}

// aucLabel says of which links the AUC of a panel is.
func aucLabel(c CurvePanel) string {
	var test, validation bool
	for _, s := range c.Series {
		for _, r := range s.Records {
			for _, e := range r.Epochs {
				test, validation = test || e.TestAUC != nil, validation || e.ValidationAUC != nil
			}
		}
	}
	switch {
	case test && !validation:
		return "AUC, test links"
	case validation && !test:
		return "AUC, validation links"
	}
	return "AUC"
}

// addCurves adds the lines of a series' runs to a panel; keyed also adds the series to the key.
func addCurves(p *plot.Plot, s CurveSeries, l look, y func(results.Epoch) (float64, bool), keyed bool) {
	for _, r := range s.Records {
		var before, last, best plotter.XYs
		for i, e := range r.Epochs {
			v, ok := y(e)
			if !ok || !finite(v) {
				continue
			}
			q := plotter.XY{X: float64(i + 1), Y: v}
			if e.Stage == r.Epochs[len(r.Epochs)-1].Stage {
				last = append(last, q)
			} else {
				before = append(before, q)
			}
			if e.Stage == r.BestStage && e.Epoch == r.BestEpoch {
				best = append(best, q)
			}
		}
		thin := l
		thin.color = faint(l.color, 130)
		addLine(p, before, thin, .7, "")
		addLine(p, last, l, 1.4, "")
		addMarks(p, best, l, 3.5)
	}
	if keyed {
		name := s.Name
		if len(s.Records) == 0 {
			name += ": not run"
		}
		p.Legend.Add(name, l.thumbs(3.5)...)
	}
}
