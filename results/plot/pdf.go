package plot

import (
	"bytes"
	"io"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
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
	c := vgpdf.New(p.width, p.height)
	p.draw(draw.New(outlined{c}))
	var b bytes.Buffer // vgpdf closes the document only once
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// outlined draws text as the outlines of its letters: vgpdf writes text in a code page that has no "−", "ρ" or Cyrillic, and
// embeds all of the font.
type outlined struct{ *vgpdf.Canvas }

// FillString fills the outlines of a text's letters, from the left end of its baseline.
func (o outlined) FillString(face font.Face, at vg.Point, text string) {
	var buf sfnt.Buffer
	ppem := fixed.I(int(face.Face.UnitsPerEm()))
	scale := face.Font.Size / vg.Length(face.Face.UnitsPerEm())
	place := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + scale*vg.Length(p.X)/64, Y: at.Y - scale*vg.Length(p.Y)/64}
	}
	var path vg.Path
	var before sfnt.GlyphIndex
	for i, r := range text {
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if i > 0 {
			if kern, err := face.Face.Kern(&buf, before, glyph, ppem, 0); err == nil {
				at.X += scale * vg.Length(kern) / 64
			}
		}
		before = glyph
		segments, err := face.Face.LoadGlyph(&buf, glyph, ppem, nil)
		if err != nil {
			continue
		}
		for _, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(place(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(place(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(place(s.Args[0]), place(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
			}
		}
		if advance, err := face.Face.GlyphAdvance(&buf, glyph, ppem, 0); err == nil {
			at.X += scale * vg.Length(advance) / 64
		}
	}
	if len(path) > 0 {
		o.Fill(path)
	}
}
