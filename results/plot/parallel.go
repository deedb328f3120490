package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/asp2vec/asp2vec/results/render"
)

// ParallelPanel is what settings of several options came to, on one network.
type ParallelPanel struct {
	Title  string
	Axes   []string // names of the options
	Metric string
	Lines  []ParallelLine
}

// ParallelLine is a setting: what it has on each axis, and what it came to.
type ParallelLine struct {
	At    []string
	Value render.Value
}

// DrawParallel draws settings in parallel coordinates: a line through what each has of the options, to its metric on the last axis. The
// darker, the higher; numbers stand where they are on their axis, on a logarithmic scale where they span more than a factor of 20, and words
// as far from each other as from the next. It returns an error for numbers that cannot be drawn.
func DrawParallel(networks []ParallelPanel) (*Picture, error) {
	var rows [][]*plot.Plot
	axes := 2
	for _, n := range networks {
		p, err := parallelPanel(n)
		if err != nil {
			return nil, fmt.Errorf("plot: picture: %w", err)
		}
		rows, axes = append(rows, []*plot.Plot{p}), max(axes, len(n.Axes)+1)
	}
	return panels(rows, vg.Length(2+axes)*1.2*vg.Inch, 3*vg.Inch), nil
}

func parallelPanel(n ParallelPanel) (*plot.Plot, error) {
	p := newPanel(n.Title, "", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -.3, float64(len(n.Axes))+.4, -.12, 1.12
	p.Y.Tick.Marker = plot.ConstantTicks{}
	done := slices.DeleteFunc(slices.Clone(n.Lines), func(l ParallelLine) bool { return l.Value.N == 0 || !finite(l.Value.Mean) })
	if len(done) == 0 {
		p.Title.Text += ": not run"
	}
	slices.SortStableFunc(done, func(a, b ParallelLine) int { return cmp.Compare(a.Value.Mean, b.Value.Mean) }) // the best on top
	var ticks plot.ConstantTicks
	var heights [][]float64 // (axes, lines)
	for i := range len(n.Axes) + 1 {
		words := make([]string, len(done))
		name := n.Metric
		for k, l := range done {
			if i < len(n.Axes) {
				words[k] = l.At[i]
			} else {
				words[k] = inPrint(l.Value.Mean, 4)
			}
		}
		if i < len(n.Axes) {
			name = n.Axes[i]
		}
		at, marks := scaleOf(words)
		heights, ticks = append(heights, at), append(ticks, plot.Tick{Value: float64(i), Label: name})
		if err := addAxis(p, float64(i), marks); err != nil {
			return nil, err
		}
	}
	p.X.Tick.Marker = ticks
	for k := range done {
		var xy plotter.XYs
		for i := range heights {
			xy = append(xy, plotter.XY{X: float64(i), Y: heights[i][k]})
		}
		line, err := plotter.NewLine(xy)
		if err != nil {
			return nil, err
		}
		share := heights[len(n.Axes)][k]
		line.Color, line.Width = shade(share), vg.Points(.8+share)
		p.Add(line)
	}
	return p, nil
}

// shade goes from a light grey to blue.
func shade(share float64) color.Color {
	mix := func(from, to uint8) uint8 { return uint8(float64(from) + share*(float64(to)-float64(from))) }
	return color.NRGBA{mix(205, blue.R), mix(205, blue.G), mix(205, blue.B), 255}
}

// axisMark is a label on an axis of parallel coordinates, from 0 at the bottom to 1.
type axisMark struct {
	at   float64
	text string
}

// scaleOf returns where words stand on an axis from 0 to 1, and what is written there: the ends of numbers, all of few words.
func scaleOf(words []string) (at []float64, marks []axisMark) {
	values := make([]float64, len(words))
	lo, hi, numbers := math.Inf(1), math.Inf(-1), true
	for i, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		numbers = numbers && err == nil && finite(x)
		values[i], lo, hi = x, min(lo, x), max(hi, x)
	}
	if !numbers {
		known := slices.Compact(slices.Sorted(slices.Values(words)))
		for i, w := range words {
			values[i] = float64(slices.Index(known, w))
		}
		lo, hi = 0, float64(len(known)-1)
		for i, w := range known {
			if len(known) <= 8 || i == 0 || i == len(known)-1 {
				marks = append(marks, axisMark{along(float64(i), lo, hi), w})
			}
		}
	}
	log := numbers && lo > 0 && hi/lo > 20
	for i, x := range values {
		place := along(x, lo, hi)
		if log {
			place = along(math.Log(x), math.Log(lo), math.Log(hi))
		}
		at = append(at, place)
		if mark := (axisMark{place, words[i]}); numbers && (x == lo || x == hi) && !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	return at, marks
}

// along returns where x is between two numbers, from 0 to 1; the middle where they are one.
func along(x, lo, hi float64) float64 {
	if !(lo < hi) {
		return .5
	}
	return (x - lo) / (hi - lo)
}

// addAxis adds an upright axis with its marks.
func addAxis(p *plot.Plot, x float64, marks []axisMark) error {
	line, err := plotter.NewLine(plotter.XYs{{X: x, Y: 0}, {X: x, Y: 1}})
	if err != nil {
		return err
	}
	line.Color, line.Width = grey, vg.Points(.8)
	p.Add(line)
	if len(marks) == 0 {
		return nil
	}
	var all plotter.XYLabels
	for _, m := range marks {
		all.XYs, all.Labels = append(all.XYs, plotter.XY{X: x, Y: m.at + .06*(m.at-.5)}), append(all.Labels, m.text)
	}
	labels, err := plotter.NewLabels(all)
	if err != nil {
		return err
	}
	labels.Offset.X = vg.Points(4)
	for i := range labels.TextStyle {
		sans(&labels.TextStyle[i], vg.Points(8))
		labels.TextStyle[i].Color = grey
		labels.TextStyle[i].YAlign = text.YBottom
		if marks[i].at < .5 {
			labels.TextStyle[i].YAlign = text.YTop
		}
	}
	p.Add(labels)
	return nil
}
