package plot

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// SweepPanel is how a number depends on an option, on one network.
type SweepPanel struct {
	Title  string
	Metric string       // the axis of numbers; "AUC" if ""
	Points []SweepPoint // in the order of X
}

// SweepPoint is a value of the option, and what came of it.
type SweepPoint struct {
	X     float64
	Label string // of X on the axis
	Line  string // which of several lines it is of, "" for the only one
	Value render.Value
}

// DrawSweep draws a metric against an option: the mean over seeds with its standard deviation, and the paper's value as a hollow
// mark; a panel for each network, each with a scale of its own, and a line for each value of other options. What is not finite is not
// drawn.
func DrawSweep(option string, sweep []SweepPanel) *Picture {
	columns := 2
	if len(sweep) > 4 {
		columns = 3
	}
	all := seq.Map(sweep, func(s SweepPanel) *plot.Plot { return sweepPanel(option, s) })
	return panels(slices.Collect(slices.Chunk(all, columns)), 4.2*vg.Inch, 3*vg.Inch)
}

func sweepPanel(option string, s SweepPanel) *plot.Plot {
	p := newPanel(s.Title, option, cmp.Or(s.Metric, "AUC"))
	p.Y.Tick.Marker = decimals{}
	var ticks plot.ConstantTicks
	var paper plotter.XYs
	var lines []string
	drawn := map[string][]SweepPoint{} // by the line
	least := .02                       // that the axis spans, so that no difference fills it
	for _, q := range s.Points {
		if !slices.ContainsFunc(ticks, func(t plot.Tick) bool { return t.Value == q.X }) {
			ticks = append(ticks, plot.Tick{Value: q.X, Label: q.Label})
		}
		p.X.Min, p.X.Max = min(p.X.Min, q.X), max(p.X.Max, q.X)
		if v := q.Value; v.N > 0 && finite(v.Mean) && finite(v.SD) {
			if drawn[q.Line] == nil {
				lines = append(lines, q.Line)
			}
			drawn[q.Line] = append(drawn[q.Line], q)
			least = max(least, 4*v.SD)
		}
		if v := q.Value.Paper; v != nil && finite(*v) {
			paper = append(paper, plotter.XY{X: q.X, Y: *v})
		}
	}
	p.X.Tick.Marker = ticks
	if len(paper) > 0 {
		line, marks, _ := plotter.NewLinePoints(paper) // as all numbers are finite
		line.Color, line.Dashes = faint(vermilion, 140), []vg.Length{3, 3}
		marks.Color, marks.Shape, marks.Radius = vermilion, draw.SquareGlyph{}, vg.Points(4)
		p.Add(line, marks)
		p.Legend.Add("paper, one run", line, marks)
	}
	for i, name := range lines {
		aside := (float64(i) - float64(len(lines)-1)/2) * (p.X.Max - p.X.Min) / 60 // for bars to be seen
		addSweep(p, drawn[name], looks[i%len(looks)], aside, cmp.Or(name, "measured"))
	}
	if len(lines)+len(paper) == 0 {
		p.Title.Text += ": not run"
	}
	margin(p, least)
	return p
}

// addSweep adds a line through means, with bars of standard deviations where there are several seeds.
func addSweep(p *plot.Plot, points []SweepPoint, l look, aside float64, name string) {
	var xy plotter.XYs
	var errs plotter.YErrors
	for _, q := range points {
		xy = append(xy, plotter.XY{X: q.X + aside, Y: q.Value.Mean})
		errs = append(errs, struct{ Low, High float64 }{q.Value.SD, q.Value.SD})
	}
	bars, _ := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{xy, errs})
	bars.Color, bars.Width, bars.CapWidth = l.color, vg.Points(1.2), vg.Points(7)
	if !slices.ContainsFunc(points, func(q SweepPoint) bool { return q.Value.N < 2 }) {
		name += ", mean ± sd"
	}
	addLine(p, xy, l, 1.3, "")
	p.Add(bars)
	addMarks(p, xy, l, 3)
	p.Legend.Add(name, l.thumbs(3)...)
}

// margin leaves room around what a panel of a sweep shows, whose axis of numbers spans least or more.
func margin(p *plot.Plot, least float64) {
	if p.X.Min <= p.X.Max {
		space := max((p.X.Max-p.X.Min)/20, 1e-3)
		p.X.Min, p.X.Max = p.X.Min-space, p.X.Max+space
	}
	if p.Y.Min <= p.Y.Max {
		space := max(least-(p.Y.Max-p.Y.Min), (p.Y.Max-p.Y.Min)/8) / 2
		p.Y.Min, p.Y.Max = p.Y.Min-space, p.Y.Max+space
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// decimals marks an axis at round numbers, all with as many decimals and none with a leading zero.
type decimals struct{}

func (decimals) Ticks(lo, hi float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/3)))
	for _, m := range []float64{1, 2, 5, 10} {
		if (hi-lo)/(step*m) <= 6 {
			step *= m
			break
		}
	}
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	places := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var all []plot.Tick
	for i := math.Ceil(lo/step-1e-9) + 0; i*step <= hi+1e-9*step; i++ {
		label := inPrint(i*step, places)
		if places == 0 {
			label = strconv.FormatFloat(i*step, 'f', 0, 64)
		}
		all = append(all, plot.Tick{Value: i * step, Label: label})
	}
	return all
}
