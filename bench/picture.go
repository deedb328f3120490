package main

import (
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// depth is how far below the best AUC of a network its picture goes: what is far worse would press all others together.
const depth = .2

// picture draws AUC against processor time on a logarithmic axis, a panel for each network. Lines are what was reached on the way in the
// first round; marks are what the runs of all rounds report.
func (r *record) picture() (io.WriterTo, error) {
	width, height := vg.Length(max(1, len(r.Networks)))*5*vg.Inch, 4.5*vg.Inch
	canvas := vgsvg.New(width, height)
	tiles := draw.Tiles{Rows: 1, Cols: max(1, len(r.Networks)), PadX: vg.Points(8)}
	for i, n := range r.Networks {
		p, err := n.panel()
		if err != nil {
			return nil, err
		}
		p.Draw(tiles.At(draw.New(canvas), i, 0))
	}
	return canvas, nil
}

func (n *measured) panel() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = n.Name, "processor time (s)", "AUC, test links"
	p.Legend.Padding = vg.Points(2)
	looks := map[string]int{}
	best := 0.
	for _, c := range n.Contestants {
		if len(c.Runs) == 0 {
			continue
		}
		name := c.Method + ", " + c.Name
		look, known := looks[name]
		if !known {
			look = len(looks)
			looks[name] = look
		}
		ends := make(plotter.XYs, len(c.Runs))
		for i, t := range c.Runs {
			ends[i] = plotter.XY{X: t.end().CPU, Y: t.end().AUC}
			best = max(best, ends[i].Y)
		}
		marks, err := plotter.NewScatter(ends)
		if err != nil {
			return nil, err
		}
		marks.Color, marks.Shape = plotutil.Color(look), plotutil.Shape(look)
		way := make(plotter.XYs, len(c.Runs[0].Points))
		for i, q := range c.Runs[0].Points {
			way[i] = plotter.XY{X: q.CPU, Y: q.AUC}
		}
		line, err := plotter.NewLine(way)
		if err != nil {
			return nil, err
		}
		line.Color = plotutil.Color(look)
		p.Add(line, marks)
		if !known {
			p.Legend.Add(name, marks)
		}
	}
	if best > 0 {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(ticks)
		p.Y.Min = max(p.Y.Min, best-depth)
	}
	return p, nil
}

// ticks are 1, 2 and 5 times powers of ten.
func ticks(low, high float64) (all []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if x := digit * power; x >= low && x <= high {
				all = append(all, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', 6, 64)})
			}
		}
	}
	return all
}
