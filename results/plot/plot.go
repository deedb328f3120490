// Package plot draws the figures, as SVG and PNG: lines, heat maps, the use of aspects, and maps
// of vectors. The numbers of a figure are kept beside it.
package plot

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

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
	scale         float64 // of text and lines; 0 is 1
	draw          func(c draw.Canvas)
}

// Sized returns the picture as wide and high as asked, in centimetres, with text of fontSize points; what is 0 stays, and the height
// goes with the width. It returns an error for a picture that has no room for its text.
func (p *Picture) Sized(width, height, fontSize float64) (*Picture, error) {
	out := *p
	out.scale = 1
	if fontSize > 0 {
		out.scale = fontSize / tickSize
	}
	if width > 0 {
		out.width = vg.Length(width) * vg.Centimeter
		out.height *= out.width / p.width
	}
	if height > 0 {
		out.height = vg.Length(height) * vg.Centimeter
	}
	const least = .45 // of the size that the picture has by itself
	if w, h := vg.Length(least*out.scale)*p.width, vg.Length(least*out.scale)*p.height; out.width < w || out.height < h {
		return nil, fmt.Errorf("plot: picture of %.1f by %.1f cm with text of %.3g points: expected at least %.1f by %.1f, or smaller text",
			out.width/vg.Centimeter, out.height/vg.Centimeter, out.scale*tickSize, w/vg.Centimeter, h/vg.Centimeter)
	}
	return &out, nil
}

// page returns the size that the picture is laid out in, and how many times larger it is.
func (p *Picture) page() (width, height vg.Length, scale float64) {
	scale = cmp.Or(p.scale, 1)
	return p.width / vg.Length(scale), p.height / vg.Length(scale), scale
}

// PictureFormats are the formats that a picture can be written in, by the endings of file names.
var PictureFormats = []string{"svg", "png"}

const pictureDPI = 150

// Encode writes the picture in one of PictureFormats. The same picture is the same bytes. It returns an error for an unknown format,
// and where w fails.
func (p *Picture) Encode(w io.Writer, format string) error {
	width, height, scale := p.page()
	switch format {
	case "svg":
		c := vgsvg.New(width, height)
		p.draw(draw.New(c))
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			return fmt.Errorf("plot: picture: %w", err)
		}
		_, text, _ := strings.Cut(b.String(), " viewBox=")
		head, text, _ := strings.Cut(text, ">")
		// Readers without the font take one of the same widths.
		text = strings.ReplaceAll(text, "font-family:Liberation Sans;", "font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;")
		_, err := fmt.Fprintf(w, "<?xml version=\"1.0\"?>\n<svg width=\"%.5gpt\" height=\"%.5gpt\" viewBox=%s>\n<style>%s</style>%s", p.width.Points(), p.height.Points(), head, darkStyle(), text)
		return err
	case "png":
		img := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(int(math.Round(pictureDPI*scale))))
		p.draw(draw.New(img))
		_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(w)
		return err
	}
	return fmt.Errorf("plot: picture as %q: expected one of %s", format, strings.Join(PictureFormats, ", "))
}

// Write writes the picture to a file, whole or not at all. It returns an error for an unknown format, and where the file cannot be
// written.
func (p *Picture) Write(path, format string) error {
	return atomicfile.Write(path, func(w io.Writer) error { return p.Encode(w, format) })
}

// darkStyle has other colours for SVG pictures in a dark page: a style of its own for each colour that drawings use, since they are
// written into elements. Elsewhere the ground is left out.
var darkStyle = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("svg{background:#fff}@media(prefers-color-scheme:dark){svg{background:#0d1117}text,path{fill:#e6e9ed}")
	for _, c := range []struct{ light, dark string }{
		{"000000", "e6e9ed"}, {"FFFFFF", "0d1117"}, {"6E6E6E", "a3acb8"}, {"E4E4E4", "39414b"}, {"D6D9DE", "454d57"}, {"969696", "7b838d"},
		{"0072B2", "3fa0dd"}, {"D55E00", "ef7f2d"}, {"009E73", "2fc79c"}, {"E69F00", "f0b93a"}, {"CC79A7", "e29bc4"}, {"56B4E9", "9ad4f7"},
		{"0071B1", "3fa0dd"}, {"D45D00", "ef7f2d"}, {"009D72", "2fc79c"}, {"E59E00", "f0b93a"}, // as vgsvg rounds them where they let through
	} {
		for _, part := range []string{"fill", "stroke"} {
			fmt.Fprintf(&b, `[style*="%s:#%s"]{%s:#%s!important}`, part, c.light, part, c.dark)
		}
	}
	return b.String() + "}"
})

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

// Lacks returns the first letter of a text that the font of PNG pictures lacks, which they leave out; ok is
// false if there is none. SVG pictures name a font only, and viewers take other letters from others.
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
	p.BackgroundColor = nil
	sans(&p.Legend.TextStyle, tickSize)
	p.Legend.ThumbnailWidth = vg.Points(24)
	p.Legend.Padding = vg.Points(2)
	p.Legend.Top, p.Legend.Left = true, true
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{228}, color.Gray{228}
	p.Add(grid)
	return p
}

// framed gives a panel its heading, and its axes a range that can be drawn; of a panel that shows nothing they are hidden. It returns
// the height of the panel's key.
func framed(p *plot.Plot) vg.Length {
	title := heading{p.Title.Text, p.Legend}
	p.Add(title)
	p.Title.Text, p.Legend = "", plot.NewLegend()
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
	return title.keySize().Y
}

// heading is a title over the middle of what a panel shows, and below it the key, which so covers no data. A plot's own title is over
// the middle of all, labels included, and so is not in line with those of its neighbours.
type heading struct {
	title string
	key   plot.Legend
}

const headingSpace = 7 // below

func (h heading) style() text.Style {
	s := text.Style{Color: color.Black, XAlign: draw.XCenter, Handler: plot.DefaultTextHandler}
	sans(&s, titleSize)
	return s
}

// keySize returns the size of the key, with a space above if there is one.
func (h heading) keySize() vg.Point {
	size := h.key.Rectangle(draw.Canvas{}).Size()
	if size.Y > 0 {
		size.Y += headingSpace
	}
	return size
}

// Plot draws the heading above the panel, smaller where it would reach far beyond the panel's sides.
func (h heading) Plot(c draw.Canvas, _ *plot.Plot) {
	const beyond = 10 // on either side
	s := h.style()
	room := c.Max.X - c.Min.X + 2*beyond
	if wide := s.Width(h.title); wide > room {
		sans(&s, titleSize*room/wide)
	}
	key := h.keySize()
	low := c.Max.Y + headingSpace
	c.FillText(s, vg.Point{X: c.Center().X, Y: low + key.Y}, h.title)
	if key.X > room {
		sans(&h.key.TextStyle, tickSize*room/key.X)
	}
	h.key.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: low}, Max: vg.Point{X: c.Max.X, Y: low + key.Y - headingSpace}}})
}

// GlyphBoxes asks for room for the heading, but not at the sides: where a box sticks out on both, gonum/plot divides by zero.
func (h heading) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	high := headingSpace + h.keySize().Y + h.style().Rectangle(h.title).Max.Y
	return []plot.GlyphBox{{X: .5, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: high}}}}
}

// panels draws plots in rows of columns, aligned, nil for an empty place, each of the given size less its key.
func panels(rows [][]*plot.Plot, width, height vg.Length) *Picture {
	columns := 0
	var keys vg.Length
	for _, row := range rows {
		columns = max(columns, len(row))
		var key vg.Length
		for _, p := range row {
			if p != nil {
				key = max(key, framed(p))
			}
		}
		keys += key
	}
	for i := range rows {
		for len(rows[i]) < columns {
			rows[i] = append(rows[i], nil)
		}
	}
	p := &Picture{width: width * vg.Length(max(columns, 1)), height: height*vg.Length(max(len(rows), 1)) + keys}
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
