package plot

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"math"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// undated takes the time of writing out of PDF files, so that the same picture is the same file.
var undated = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
})

// encodePDF writes the picture as PDF.
func (p *Picture) encodePDF(w io.Writer) error {
	undated()
	width, height, scale := p.page()
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: p.width.Points(), Ht: p.height.Points()}})
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	c := &pdfCanvas{doc, width, height}
	c.Push()
	doc.TransformTranslate(0, p.height.Points())
	doc.TransformScale(100*scale, -100*scale, 0, 0) // upwards, as vg has it
	vg.Initialize(c)
	p.draw(draw.New(c))
	c.Pop()
	return doc.Output(w)
}

// pdfCanvas draws on a page of PDF. Text stays text, in a font of which the letters used are embedded; that of gonum's vgpdf has no "−",
// "ρ" or Cyrillic.
type pdfCanvas struct {
	*fpdf.Fpdf
	width, height vg.Length
}

func (c *pdfCanvas) Size() (width, height vg.Length) { return c.width, c.height }
func (c *pdfCanvas) SetLineWidth(w vg.Length)        { c.Fpdf.SetLineWidth(w.Points()) }
func (c *pdfCanvas) Rotate(angle float64)            { c.TransformRotate(-angle*180/math.Pi, 0, 0) }
func (c *pdfCanvas) Translate(by vg.Point)           { c.TransformTranslate(by.X.Points(), by.Y.Points()) }
func (c *pdfCanvas) Scale(x, y float64)              { c.TransformScale(100*x, 100*y, 0, 0) }
func (c *pdfCanvas) Push()                           { c.TransformBegin() }
func (c *pdfCanvas) Pop()                            { c.TransformEnd() }
func (c *pdfCanvas) Stroke(p vg.Path)                { c.path(p, "D") }
func (c *pdfCanvas) Fill(p vg.Path)                  { c.path(p, "F") }

func (c *pdfCanvas) SetLineDash(dashes []vg.Length, from vg.Length) {
	var all []float64
	for _, d := range dashes {
		all = append(all, d.Points())
	}
	c.SetDashPattern(all, from.Points())
}

// SetColor sets the colour of what is drawn next; nil is black, as gonum has it.
func (c *pdfCanvas) SetColor(of color.Color) {
	if of == nil {
		of = color.Black
	}
	n := color.NRGBAModel.Convert(of).(color.NRGBA)
	r, g, b := int(n.R), int(n.G), int(n.B)
	c.SetFillColor(r, g, b)
	c.SetDrawColor(r, g, b)
	c.SetTextColor(r, g, b)
	c.SetAlpha(float64(n.A)/255, "Normal")
}

// FillString writes a text, from the left end of its baseline.
func (c *pdfCanvas) FillString(face font.Face, at vg.Point, text string) {
	name := face.Name()
	if c.GetFontDesc(name, "").Ascent == 0 {
		var file bytes.Buffer
		if _, err := face.Face.WriteSourceTo(nil, &file); err != nil {
			c.SetError(err)
			return
		}
		c.AddUTF8FontFromBytes(name, "", file.Bytes())
	}
	c.SetFont(name, "", face.Font.Size.Points())
	c.Push()
	c.Translate(at)
	c.Scale(1, -1)
	c.Text(0, 0, text)
	c.Pop()
}

// DrawImage draws nothing: pictures consist of lines, areas and text.
func (c *pdfCanvas) DrawImage(vg.Rectangle, image.Image) {}

func (c *pdfCanvas) path(p vg.Path, style string) {
	xy := func(p vg.Point) (x, y float64) { return p.X.Points(), p.Y.Points() }
	for _, s := range p {
		x, y := xy(s.Pos)
		switch s.Type {
		case vg.MoveComp:
			c.MoveTo(x, y)
		case vg.LineComp:
			c.LineTo(x, y)
		case vg.ArcComp: // of glyphs, which are whole circles
			const corners = 24
			for i := range corners + 1 {
				sin, cos := math.Sincos(s.Start + s.Angle*float64(i)/corners)
				c.LineTo(x+s.Radius.Points()*cos, y+s.Radius.Points()*sin)
			}
		case vg.CurveComp:
			x1, y1 := xy(s.Control[0])
			x2, y2 := xy(s.Control[len(s.Control)-1])
			if len(s.Control) == 1 {
				c.CurveTo(x1, y1, x, y)
			} else {
				c.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
			}
		case vg.CloseComp:
			c.ClosePath()
		}
	}
	c.DrawPath(style)
}
