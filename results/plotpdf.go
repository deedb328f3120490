package results

import (
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// pdfDates is when a PDF says it was made: the same always, so that the same picture has the same bytes.
var pdfDates = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
})

// pdfCanvas draws letters as shapes: vgpdf knows those of Windows-1252 alone, and neither ε nor a minus sign is among them.
type pdfCanvas struct{ *vgpdf.Canvas }

func newPDF(width, height vg.Length) pdfCanvas {
	pdfDates()
	c := vgpdf.New(width, height)
	c.EmbedFonts(false)
	return pdfCanvas{c}
}

// FillString fills the outlines of a text's letters, from a point of its base line on.
func (c pdfCanvas) FillString(f plotfont.Face, at vg.Point, text string) {
	var b sfnt.Buffer
	units := fixed.I(int(f.Face.UnitsPerEm()))
	scale := f.Font.Size / vg.Length(units)
	for _, letter := range text {
		glyph, err := f.Face.GlyphIndex(&b, letter)
		if err != nil {
			continue // of no font, that is; a letter that the font lacks has a glyph for that
		}
		segments, err := f.Face.LoadGlyph(&b, glyph, units, nil)
		if err != nil {
			continue
		}
		point := func(p fixed.Point26_6) vg.Point { // there y goes down
			return vg.Point{X: at.X + scale*vg.Length(p.X), Y: at.Y - scale*vg.Length(p.Y)}
		}
		var path vg.Path
		for _, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(point(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(point(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(s.Args[0]), point(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
			}
		}
		if len(path) > 0 {
			path.Close()
			c.Fill(path)
		}
		if advance, err := f.Face.GlyphAdvance(&b, glyph, units, font.HintingNone); err == nil {
			at.X += scale * vg.Length(advance)
		}
	}
}
