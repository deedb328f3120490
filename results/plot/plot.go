// Package plot draws the figures, as SVG, PNG and PDF: curves, lines, heat maps, the use of aspects, and maps
// of vectors. The numbers of a figure are kept beside it.
package plot

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Picture is a drawing of a certain size.
type Picture struct {
	width, height vg.Length
	draw          func(c draw.Canvas)
}

// PictureFormats are the formats that a picture can be written in, by the endings of file names, and UsualPictures those where nothing is said.
var (
	PictureFormats = []string{"svg", "png", "pdf"}
	UsualPictures  = PictureFormats[:2]
)

const pictureDPI = 150

// Encode writes the picture in one of PictureFormats. The same picture is the same bytes. It returns an error for an unknown format,
// and where w fails.
func (p *Picture) Encode(w io.Writer, format string) error {
	switch format {
	case "svg":
		c := vgsvg.New(p.width, p.height)
		p.draw(draw.New(c))
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			return fmt.Errorf("plot: picture: %w", err)
		}
		// Readers without the font take one of the same widths.
		b = *bytes.NewBuffer(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;")))
		_, err := b.WriteTo(w)
		return err
	case "png":
		img := vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(pictureDPI))
		p.draw(draw.New(img))
		_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(w)
		return err
	case "pdf":
		return p.encodePDF(w)
	}
	return fmt.Errorf("plot: picture as %q: want one of %s", format, strings.Join(PictureFormats, ", "))
}

// Write writes the picture to a file, whole or not at all. It returns an error for an unknown format, and where the file cannot be
// written.
func (p *Picture) Write(path, format string) error {
	return atomicfile.Write(path, func(w io.Writer) error { return p.Encode(w, format) })
}

// look is how a series is told from others: by colour, for any colour vision (Okabe and Ito, 2008), by the shape of its marks
// and by the dashes of its line.
type look struct {
	color  color.NRGBA
	shape  draw.GlyphDrawer
	dashes []vg.Length
}

var (
	black     = color.NRGBA{0, 0, 0, 255}
	grey      = color.NRGBA{110, 110, 110, 255}
	vermilion = color.NRGBA{213, 94, 0, 255}
	blue      = color.NRGBA{0, 114, 178, 255}
	green     = color.NRGBA{0, 158, 115, 255}
	orange    = color.NRGBA{230, 159, 0, 255}
	purple    = color.NRGBA{204, 121, 167, 255}
	sky       = color.NRGBA{86, 180, 233, 255}
)

// looks are those of series that have none of their own, over and over.
var looks = []look{
	{blue, draw.CircleGlyph{}, nil},
	{vermilion, draw.BoxGlyph{}, []vg.Length{7, 3}},
	{green, draw.TriangleGlyph{}, []vg.Length{2, 3}},
	{purple, draw.PyramidGlyph{}, []vg.Length{7, 2, 2, 2}},
	{orange, draw.RingGlyph{}, []vg.Length{10, 4}},
	{sky, draw.SquareGlyph{}, []vg.Length{4, 4}},
	{black, draw.PlusGlyph{}, []vg.Length{1, 2}},
}

// thumbs are a line and a mark of so many points in radius, for a key.
func (l look) thumbs(radius float64) []plot.Thumbnailer {
	return []plot.Thumbnailer{
		&plotter.Line{LineStyle: draw.LineStyle{Color: l.color, Width: 1.4, Dashes: l.dashes}},
		&plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: l.color, Shape: l.shape, Radius: vg.Points(radius)}},
	}
}

// faint returns a colour that lets through what it covers.
func faint(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// Sizes of text.
const (
	titleSize = 13
	labelSize = 12
	tickSize  = 10.5
)

func sans(s *text.Style, size vg.Length) {
	s.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Lacks returns the first letter of a text that the font of PNG and PDF pictures lacks, which they leave out; ok is false if there is
// none. SVG pictures name a font only, and viewers take other letters from others.
func Lacks(s string) (letter rune, ok bool) {
	var style text.Style
	sans(&style, tickSize)
	face := font.DefaultCache.Lookup(style.Font, tickSize)
	var buf sfnt.Buffer
	for _, r := range s {
		if glyph, err := face.Face.GlyphIndex(&buf, r); err != nil || glyph == 0 {
			return r, true
		}
	}
	return 0, false
}

// newPanel returns an empty plot with a light grid.
func newPanel(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		sans(&a.Label.TextStyle, labelSize)
		sans(&a.Tick.Label, tickSize)
		a.Padding = vg.Points(4)
	}
	sans(&p.Legend.TextStyle, tickSize)
	p.Legend.ThumbnailWidth = vg.Points(24)
	p.Legend.Padding = vg.Points(2)
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(6), -vg.Points(5)
	p.Legend.Top = true
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{228}, color.Gray{228}
	p.Add(grid)
	return p
}

// framed gives a panel its heading, and its axes a range that can be drawn; of a panel that shows nothing they are hidden.
func framed(p *plot.Plot) {
	title := heading(p.Title.Text)
	p.Add(title)
	p.Title.Text = ""
	if p.Legend.Top {
		p.Legend.YOffs -= title.box().Max.Y
	}
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		if !(a.Min <= a.Max) || math.IsInf(a.Min, 0) || math.IsInf(a.Max, 0) {
			p.HideAxes()
			p.X.Label.Text, p.Y.Label.Text = "", ""
			a.Min, a.Max = 0, 1
		}
		if a.Min == a.Max {
			a.Min, a.Max = a.Min-math.Abs(a.Min)/10-1e-3, a.Max+math.Abs(a.Max)/10+1e-3
		}
	}
}

// heading is a title over the middle of what a panel shows. A plot's own is over the middle of all, labels included, and so
// is not in line with those of its neighbours.
type heading string

const headingSpace = 7 // below

func (h heading) style() text.Style {
	s := text.Style{Color: color.Black, XAlign: draw.XCenter, Handler: plot.DefaultTextHandler}
	sans(&s, titleSize)
	return s
}

// Plot draws the heading above the panel, smaller where it would reach far beyond the panel's sides.
func (h heading) Plot(c draw.Canvas, _ *plot.Plot) {
	const beyond = 10 // on either side
	s := h.style()
	room := c.Max.X - c.Min.X + 2*beyond
	if wide := h.box().Size().X; wide > room {
		sans(&s, titleSize*room/wide)
	}
	c.FillText(s, vg.Point{X: c.Center().X, Y: c.Max.Y + headingSpace}, string(h))
}

// GlyphBoxes asks for room for the heading, but not at the sides: where a box sticks out on both, gonum/plot divides by zero.
func (h heading) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	box := h.box()
	box.Min.X, box.Max.X = 0, 0
	return []plot.GlyphBox{{X: .5, Y: 1, Rectangle: box}}
}

// box returns the room of the heading, from the middle of the panel's upper edge.
func (h heading) box() vg.Rectangle {
	return h.style().Rectangle(string(h)).Add(vg.Point{Y: headingSpace})
}

// panels draws plots in rows of columns, aligned, nil for an empty place, each of the given size.
func panels(rows [][]*plot.Plot, width, height vg.Length) *Picture {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
		for _, p := range row {
			if p != nil {
				framed(p)
			}
		}
	}
	for i := range rows {
		for len(rows[i]) < columns {
			rows[i] = append(rows[i], nil)
		}
	}
	p := &Picture{width: width * vg.Length(max(columns, 1)), height: height * vg.Length(max(len(rows), 1))}
	if columns == 0 {
		p.draw = func(draw.Canvas) {}
		return p
	}
	p.draw = func(c draw.Canvas) {
		tiles := draw.Tiles{
			Rows: len(rows), Cols: columns, PadX: vg.Points(16), PadY: vg.Points(14),
			PadTop: vg.Points(6), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(12),
		}
		for i, row := range plot.Align(rows, tiles, c) {
			for j, canvas := range row {
				if rows[i][j] != nil {
					rows[i][j].Draw(canvas)
				}
			}
		}
	}
	return p
}

// logged is an axis of logarithms to base 10, named by the numbers themselves. plot.LogScale panics for what is not positive,
// and leaves room for a long label where it is not.
type logged struct{}

// Ticks marks 1 to 9 times each power of ten, and names the powers, every second or third where there are many; of a short
// axis it names round numbers.
func (logged) Ticks(lo, hi float64) []plot.Tick {
	var all []plot.Tick
	if hi-lo < .7 {
		for _, t := range (decimals{}).Ticks(math.Pow(10, lo), math.Pow(10, hi)) {
			if t.Value > 0 {
				all = append(all, plot.Tick{Value: math.Log10(t.Value), Label: t.Label})
			}
		}
		return all
	}
	const slack = 1e-9
	every := 1 + int((hi-lo)/7)
	for e := int(math.Floor(lo)); float64(e) <= hi+slack; e++ {
		for m := 1; m < 10; m++ {
			t := plot.Tick{Value: float64(e) + math.Log10(float64(m))}
			if m == 1 && e%every == 0 || hi-lo < 2 && (m == 2 || m == 5) {
				t.Label = short(float64(m), e)
			}
			if t.Value >= lo-slack && t.Value <= hi+slack && (m == 1 || every == 1) {
				all = append(all, t)
			}
		}
	}
	return all
}

// short writes m times ten to the power of e.
func short(m float64, e int) string {
	switch {
	case e >= 0 && e <= 3:
		return strconv.FormatFloat(m*math.Pow10(e), 'f', 0, 64)
	case e < 0 && e >= -2:
		return inPrint(m*math.Pow10(e), -e)
	}
	return strings.Replace(fmt.Sprintf("%ve%d", m, e), "-", "−", 1)
}

// inPrint writes a number of a certain count of decimals as the paper does, without a leading zero: ".83", "−.05".
func inPrint(x float64, places int) string {
	if !finite(x) {
		return "–"
	}
	s := strconv.FormatFloat(math.Abs(x), 'f', places, 64)
	zero := strings.Trim(s, "0.") == ""
	if strings.HasPrefix(s, "0.") {
		s = s[1:]
	}
	if x < 0 && !zero {
		s = "−" + s
	}
	return s
}
