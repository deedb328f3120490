package webpage

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// Chart is a chart of lines. Values of Y lie in [0,1]; other points are not drawn.
type Chart struct {
	Title string
	X, Y  string // what the axes are
	Lines []Line
}

// Line is a line of a chart. Lines of one name have one style, and one entry in the legend.
type Line struct {
	Name   string
	Style  int     // 0 to 6, a colour and a dash
	Points []Point // in the order of X
	Mark   int     // index of the point that is marked; -1 for none
}

// Point is a point of a chart.
type Point struct{ X, Y float64 }

// The chart's size, in units that are pixels where there is room, and its margins.
const (
	chartWidth, chartHeight                      = 380, 240
	chartLeft, chartRight, chartTop, chartBottom = 44.0, 10.0, 8.0, 36.0
	chartPoints                                  = 120 // of a line: more cannot be told apart
	chartStyles                                  = 7
)

// chartView is a chart in the units of its picture.
type chartView struct {
	Index                    int // among the charts of the page
	Title, X                 string
	Width, Height            int
	Left, Right, Top, Bottom float64 // of the field
	XTicks, YTicks           []tickView
	Lines                    []lineView
	Legend                   []lineView
	Text                     string // what it shows, in words
}

type tickView struct {
	At   string
	Text string
}

type lineView struct {
	Name, Points string
	Style        int
	MarkX, MarkY string // "" for none
}

// newChartView lays a chart out. It returns no lines if there is nothing to draw.
func newChartView(index int, c Chart) chartView {
	v := chartView{Index: index, Title: c.Title, X: c.X, Width: chartWidth, Height: chartHeight, Left: chartLeft, Right: chartWidth - chartRight, Top: chartTop, Bottom: chartHeight - chartBottom}
	x, y := newSpan(), newSpan()
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if p.drawn() {
				x.add(p.X)
				y.add(p.Y)
			}
		}
	}
	if x.empty() {
		return v
	}
	y.low, y.high = max(0, y.low-0.01), min(1, y.high+0.01)
	at := func(s span, value, from, to float64) float64 {
		if s.high > s.low {
			return from + (value-s.low)/(s.high-s.low)*(to-from)
		}
		return (from + to) / 2
	}
	atX := func(value float64) string { return coordinate(at(x, value, v.Left, v.Right)) }
	atY := func(value float64) string { return coordinate(at(y, value, v.Bottom, v.Top)) }
	v.XTicks = seq.Map(x.ticks(1, "%.0f"), func(t tick) tickView { return tickView{atX(t.value), t.text} })
	v.YTicks = seq.Map(y.ticks(0, "%.2f"), func(t tick) tickView { return tickView{atY(t.value), t.text} })
	named := map[string]bool{}
	for _, l := range c.Lines {
		line := lineView{Name: l.Name, Style: ((l.Style % chartStyles) + chartStyles) % chartStyles}
		var points []string
		step := max(1, (len(l.Points)+chartPoints-1)/chartPoints)
		for i, p := range l.Points {
			if !p.drawn() || i%step != 0 && i != len(l.Points)-1 && i != l.Mark {
				continue
			}
			points = append(points, atX(p.X)+","+atY(p.Y))
			if i == l.Mark {
				line.MarkX, line.MarkY = atX(p.X), atY(p.Y)
			}
		}
		if len(points) == 0 {
			continue
		}
		line.Points = strings.Join(points, " ")
		v.Lines = append(v.Lines, line)
		if !named[l.Name] {
			named[l.Name] = true
			v.Legend = append(v.Legend, line)
		}
	}
	names := seq.Map(v.Legend, func(l lineView) string { return l.Name })
	v.Text = fmt.Sprintf("%s from %.4f to %.4f over %s %.0f to %.0f, %d lines: %s.", c.Y, y.low, y.high, c.X, x.low, x.high, len(v.Lines), strings.Join(names, ", "))
	return v
}

func (p Point) drawn() bool { return p.Y >= 0 && p.Y <= 1 && math.Abs(p.X) < 1e9 }

// coordinate writes a length with a tenth of a unit.
func coordinate(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// span is what an axis has to show.
type span struct{ low, high float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(x float64) { s.low, s.high = min(s.low, x), max(s.high, x) }

func (s span) empty() bool { return s.high < s.low }

type tick struct {
	value float64
	text  string
}

// ticks returns round values within the span, about four, at least smallest apart (0 for any).
func (s span) ticks(smallest float64, format string) []tick {
	width := (s.high - s.low) / 4
	if !(width > 0) {
		return []tick{{s.low, fmt.Sprintf(format, s.low)}}
	}
	step := math.Pow(10, math.Floor(math.Log10(width)))
	for _, m := range []float64{5, 2} {
		if step*m <= width*1.2 {
			step *= m
			break
		}
	}
	step = max(step, smallest)
	if step < 0.01 {
		format = "%.3f"
	}
	var out []tick
	for i := math.Ceil(s.low/step - 1e-9); i*step <= s.high*(1+1e-12) && len(out) < 12; i++ {
		out = append(out, tick{i * step, fmt.Sprintf(format, i*step)})
	}
	return out
}
