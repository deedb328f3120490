package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// useMarks are the variants of UseData that are drawn as a mark for each vertex, by the names of aspects.UseVariance.
var useMarks = []struct {
	name, label string
	look        look
}{
	{"share", "one vertex", look{vermilion, draw.BoxGlyph{}, nil}},
	{"noisy", "with noise", look{blue, draw.CircleGlyph{}, nil}},
	{"noise-free", "without noise", look{orange, draw.TriangleGlyph{}, nil}},
}

// useLines are those drawn as a line through the means of vertices of about one frequency: the controls.
var useLines = []struct {
	name, label string
	look        look
}{
	{"random", "noise alone, the null", look{black, nil, []vg.Length{6, 3}}},
	{"shuffled noise-free", "shuffled logits, no noise", look{green, nil, []vg.Length{2, 2.5}}},
}

// useFloor is the least variance on the logarithmic axis of asp2vec; marks of less lie on the floor.
const useFloor = 1e-8

// useDrawn is how many marks of a variant are drawn: a picture of more would be large, and no clearer.
const useDrawn = 1500

// DrawUse draws figure 4: for each vertex the variance of its distribution over aspects against its frequency in the corpus,
// one panel below the other, a column for each network; columns have as many panels each. A panel of a method that chooses in windows has both ways to count its aspects, with the noise and
// without, and the controls: the noise alone, other windows' logits, and what averages of f one-hot draws come to,
// (1/f)(1-1/K)/K. Numbers in the keys are Spearman's rank correlations, over all vertices. What is not finite is not drawn.
func DrawUse(columns []Group) *Picture {
	var rows [][]*plot.Plot
	for _, c := range columns {
		for i, r := range c.Runs {
			if i == len(rows) {
				rows = append(rows, nil)
			}
			rows[i] = append(rows[i], usePanel(c.Title+", "+r.Name, r.Data))
		}
	}
	return panels(rows, 4.6*vg.Inch, 3.6*vg.Inch)
}

func usePanel(title string, d *FigureData) *plot.Plot {
	p := newPanel(title, "frequency in the walks", "variance")
	p.X.Tick.Marker, p.Y.Tick.Marker = logged{}, decimals{}
	if d == nil || d.Use == nil {
		p.Title.Text += ": not run"
		return p
	}
	use := d.Use
	logY := use.Variant("share") == nil // where a vertex has a distribution of its own, none is near 0
	if logY {
		p.Y.Tick.Marker = logged{}
	}
	for _, m := range useMarks {
		v := use.Variant(m.name)
		if v == nil {
			continue
		}
		var xy plotter.XYs
		every := 1 + (len(use.Count)-1)/useDrawn
		for i := 0; i < len(use.Count); i += every {
			xy = addPoint(xy, float64(use.Count[i]), float64(v.Variance[i]), logY)
		}
		if len(xy) == 0 {
			continue
		}
		thin := m.look
		thin.color = faint(m.look.color, 130)
		addMarks(p, xy, thin, 1.7)
		p.Legend.Add(fmt.Sprintf("%s  ρ = %s", m.label, inPrint(float64(v.Spearman), 2)), m.look.thumbs(3)[1])
	}
	for _, m := range useLines {
		v := use.Variant(m.name)
		if v == nil {
			continue
		}
		var xy plotter.XYs
		for _, q := range v.Curve {
			xy = addPoint(xy, q.Frequency, float64(q.Variance), logY)
		}
		addLine(p, xy, m.look, 1.8, fmt.Sprintf("%s  ρ = %s", m.label, inPrint(float64(v.Spearman), 2)))
	}
	if v := use.Variant("random"); v != nil && len(v.Curve) > 0 {
		k := float64(use.Aspects)
		var xy plotter.XYs
		for _, q := range v.Curve {
			xy = addPoint(xy, q.Frequency, (1-1/k)/k/q.Frequency, logY)
		}
		addLine(p, xy, look{color: grey}, 1, fmt.Sprintf("one-hot by chance, %s/f", inPrint((1-1/k)/k, 2)))
	}
	if !logY {
		p.Y.Min = min(p.Y.Min, 0)
	}
	return p
}

// addPoint adds a point at the logarithm of x, and of y if logY says so, unless it has no place on the axes.
func addPoint(xy plotter.XYs, x, y float64, logY bool) plotter.XYs {
	if !(x > 0) || !finite(x) || !finite(y) {
		return xy
	}
	if logY {
		y = math.Log10(max(y, useFloor))
	}
	return append(xy, plotter.XY{X: math.Log10(x), Y: y})
}

// addMarks adds marks of so many points in radius at finite points, if there are any.
func addMarks(p *plot.Plot, xy plotter.XYs, l look, radius float64) {
	if len(xy) > 0 {
		p.Add(&plotter.Scatter{XYs: xy, GlyphStyle: draw.GlyphStyle{Color: l.color, Shape: l.shape, Radius: vg.Points(radius)}})
	}
}

// addLine adds a line through finite points, if there are any, and its key unless that is "".
func addLine(p *plot.Plot, xy plotter.XYs, l look, width vg.Length, key string) {
	if len(xy) == 0 {
		return
	}
	line := &plotter.Line{XYs: xy, LineStyle: draw.LineStyle{Color: l.color, Width: width, Dashes: l.dashes}}
	p.Add(line)
	if key != "" {
		p.Legend.Add(key, line)
	}
}
