package plot

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TimePanel is what contestants reached on one network, and when.
type TimePanel struct {
	Title  string
	Series []TimeSeries
	Level  float64 // AUC of something that takes no time, a grey line; 0 for none
	Means  string  // what that is, in the key
}

// TimeSeries is a contestant, or several that are drawn alike.
type TimeSeries struct {
	Name string
	// Program and Method choose the look: those of equal Program have one colour, those of equal Method one kind of line and mark.
	Program, Method int
	Lines           [][]TimePoint // what was reached on the way, each in order of time
	Ends            []TimePoint   // what is reported
}

// TimePoint is an AUC, and after how many seconds of processor time it was reached.
type TimePoint struct{ Seconds, AUC float64 }

// timeDepth is how far below the best AUC of a panel it goes: what is far worse would press all others together.
const timeDepth = .2

// DrawTimes draws AUC against processor time on a logarithmic axis, a panel for each network and one with the key. Lines are the
// way, marks what is reported. What is more than .2 below the best of a panel is outside. It returns an error for numbers that cannot
// be drawn.
func DrawTimes(networks []TimePanel) (*Picture, error) {
	var all []*plot.Plot
	key := plot.New()
	sans(&key.Legend.TextStyle, labelSize)
	key.Legend.Top, key.Legend.Left = true, true
	key.Legend.ThumbnailWidth, key.Legend.Padding = vg.Points(36), vg.Points(4)
	named := map[string]bool{"": true}
	for _, n := range networks {
		p, err := timePanel(n)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
		for _, s := range n.Series {
			if l := timeLook(s); !named[s.Name] {
				named[s.Name] = true
				key.Legend.Add(s.Name, l.thumbs(4)...)
			}
		}
		if !named[n.Means] {
			named[n.Means] = true
			key.Legend.Add(n.Means, &plotter.Line{LineStyle: draw.LineStyle{Color: grey, Width: 1}})
		}
	}
	if len(all) > 0 {
		all = append(all, key)
	}
	return panels(inRows(all), 4.6*vg.Inch, 3.4*vg.Inch), nil
}

// timeLook tells programs by colour and methods by marks and dashes.
func timeLook(s TimeSeries) look {
	method := []look{{shape: draw.CircleGlyph{}}, {shape: draw.BoxGlyph{}, dashes: []vg.Length{5, 3}}, {shape: draw.PyramidGlyph{}, dashes: []vg.Length{2, 3}}}[s.Method%3]
	method.color = lookOf(s.Program).color
	return method
}

func timePanel(n TimePanel) (*plot.Plot, error) {
	p := newPanel(n.Title, "processor time (s)", "AUC, test links")
	p.X.Tick.Marker, p.Y.Tick.Marker = logged{}, decimals{}
	best := math.Inf(-1)
	for _, s := range n.Series {
		l := timeLook(s)
		for _, way := range s.Lines {
			xy := inLog(way)
			for _, q := range xy {
				best = max(best, q.Y)
			}
			if err := addLine(p, xy, l, 1.3, ""); err != nil {
				return nil, err
			}
		}
		ends := inLog(s.Ends)
		for _, q := range ends {
			best = max(best, q.Y)
		}
		if err := addMarks(p, ends, l, 3.5); err != nil {
			return nil, err
		}
	}
	if math.IsInf(best, -1) {
		p.Title.Text += ": not run"
		return p, nil
	}
	if n.Level > 0 && finite(n.Level) {
		level := plotter.XYs{{X: p.X.Min, Y: n.Level}, {X: p.X.Max, Y: n.Level}}
		if err := addLine(p, level, look{color: grey}, 1, ""); err != nil {
			return nil, err
		}
		best = max(best, n.Level)
	}
	p.Y.Min = max(p.Y.Min, best-timeDepth)
	wide, high := max((p.X.Max-p.X.Min)/20, .02), max((best-p.Y.Min)/15, 1e-3)
	p.X.Min, p.X.Max = p.X.Min-wide, p.X.Max+wide
	p.Y.Min, p.Y.Max = p.Y.Min-high, best+high
	return p, nil
}

// inLog returns points with the logarithm of their time, without those that cannot be drawn.
func inLog(points []TimePoint) plotter.XYs {
	var xy plotter.XYs
	for _, q := range points {
		if q.Seconds > 0 && finite(q.Seconds) && finite(q.AUC) {
			xy = append(xy, plotter.XY{X: math.Log10(q.Seconds), Y: q.AUC})
		}
	}
	return xy
}
