package plot

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// DrawHeat draws figure 5: how alike the aspects s and t of a vertex are, a panel for each run, with the number in each field
// and a bar of what colours mean. Blue is unlike, red is alike: a scale that is read with any colour vision (Moreland,
// "Diverging color maps for scientific visualization", ISVC 2009).
func DrawHeat(rows []Group) *Picture {
	scale := moreland.SmoothBlueRed()
	scale.SetMin(-1)
	scale.SetMax(1)
	var plots [][]*plot.Plot
	columns := 0
	for _, r := range rows {
		line := seq.Map(r.Runs, func(c Run) *plot.Plot { return heatPanel(r.Title+", "+c.Name, c.Data, scale) })
		plots = append(plots, line)
		columns = max(columns, len(line))
	}
	const side = 3.1 * vg.Inch
	grid := panels(plots, side, side*1.07)
	const bar = 0.8 * vg.Inch
	width := grid.width + bar
	return &Picture{width: width, height: grid.height, draw: func(c draw.Canvas) {
		width, high := c.Max.X, c.Max.Y
		grid.draw(draw.Crop(c, 0, -bar, 0, 0))
		if columns == 0 {
			return
		}
		p := newPanel("", "", "")
		p.HideX()
		p.Y.Label.Text = "cosine, mean over vertices"
		p.Y.Tick.Marker = plot.ConstantTicks{{Value: -1, Label: "−1"}, {Value: -.5, Label: "−.5"}, {Value: 0, Label: "0"}, {Value: .5, Label: ".5"}, {Value: 1, Label: "1"}}
		p.Y.Padding = 0
		p.Add(key{scale})
		p.Y.Min, p.Y.Max = -1, 1
		height := min(side*1.07, high)
		p.Draw(draw.Crop(c, width-bar, -vg.Points(6), (high-height)/2+vg.Points(20), -(high-height)/2-vg.Points(24)))
	}}
}

func heatPanel(title string, d *FigureData, scale palette.ColorMap) *plot.Plot {
	p := newPanel(title, "learned aspect", "learned aspect")
	if d == nil || len(d.Cosines) == 0 {
		p.Title.Text += ": not run"
		return p
	}
	k := len(d.Cosines)
	var ticks plot.ConstantTicks
	for s := range k {
		ticks = append(ticks, plot.Tick{Value: float64(s) + 1, Label: fmt.Sprint(s + 1)})
	}
	p.X.Tick.Marker, p.X.Tick.Length = ticks, 0
	var down plot.ConstantTicks // the first aspect is the uppermost
	for s, t := range ticks {
		down = append(down, plot.Tick{Value: float64(k - s), Label: t.Label})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = down, 0
	p.X.Padding, p.Y.Padding = 0, 0
	p.Add(&heat{cosines: d.Cosines, scale: scale})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = .5, float64(k)+.5, .5, float64(k)+.5
	return p
}

// heat draws a matrix as fields with numbers, its first row uppermost.
type heat struct {
	cosines [][]results.Float
	scale   palette.ColorMap
}

// Plot draws the fields.
func (h *heat) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	k := len(h.cosines)
	style := text.Style{Color: color.Black, XAlign: draw.XCenter, YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
	sans(&style, vg.Length(min(12, 62/float64(k))))
	for s, row := range h.cosines {
		for t, x := range row {
			left, right := toX(float64(t)+.5), toX(float64(t)+1.5)
			low, high := toY(float64(k-s)-.5), toY(float64(k-s)+.5)
			fill, dark := h.field(float64(x))
			c.FillPolygon(fill, []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}})
			style.Color = color.Gray{1} // no black or white, which are changed in the dark, when fields are not
			if dark {
				style.Color = color.Gray{254}
			}
			places := 2
			if math.Abs(float64(x)) >= .995 {
				places = 1
			}
			c.FillText(style, vg.Point{X: (left + right) / 2, Y: (low + high) / 2}, inPrint(float64(x), places))
		}
	}
}

// key draws what colours mean, upwards. (plotter.ColorBar is an image, whose sides readers of SVG keep in proportion.)
type key struct{ scale palette.ColorMap }

// Plot draws the colours.
func (k key) Plot(c draw.Canvas, p *plot.Plot) {
	_, toY := p.Transforms(&c)
	const colors = 100
	for i := range colors {
		x := -1 + 2*float64(i)/colors
		fill, err := k.scale.At(x + 1./colors)
		if err != nil {
			continue
		}
		low, high := toY(x), toY(min(1, x+3./colors)) // over one another: no seams
		c.FillPolygon(fill, []vg.Point{{X: c.Min.X, Y: low}, {X: c.Max.X, Y: low}, {X: c.Max.X, Y: high}, {X: c.Min.X, Y: high}})
	}
}

// field returns the colour of a cosine, and whether it is a dark one; grey for none.
func (h *heat) field(x float64) (color.Color, bool) {
	if math.IsNaN(x) {
		return color.Gray{200}, false
	}
	c, err := h.scale.At(min(max(x, -1), 1))
	if err != nil {
		return color.Gray{200}, false
	}
	r, g, b, _ := c.RGBA()
	return c, .299*float64(r)+.587*float64(g)+.114*float64(b) < .5*65535
}
