package main

import (
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// look of a series: colours that are told apart with any colour vision (Okabe and Ito, 2008), and other marks and dashes.
type look struct {
	color  color.Color
	shape  draw.GlyphDrawer
	dashes []vg.Length
}

func lookOf(s series) look {
	switch {
	case s.grown:
		return look{color.RGBA{0, 158, 115, 255}, draw.TriangleGlyph{}, []vg.Length{2, 3}}
	case s.name == graphs.OptimizerAdam:
		return look{color.RGBA{213, 94, 0, 255}, draw.BoxGlyph{}, nil}
	case s.name == graphs.OptimizerLazyAdam:
		return look{color.RGBA{0, 114, 178, 255}, draw.CircleGlyph{}, []vg.Length{7, 3}}
	default:
		return look{color.RGBA{86, 86, 86, 255}, draw.PyramidGlyph{}, []vg.Length{4, 2, 1, 2}}
	}
}

// plot draws one panel for each number of threads, all to the same scale, as scale.svg and scale.png.
func (r *record) plot(dir string) error {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range r.Points {
		lo, hi = min(lo, p.cost()), max(hi, p.cost())
	}
	var panels []*plot.Plot
	var threads []int
	for _, s := range r.series() {
		if len(threads) == 0 || threads[len(threads)-1] != s.threads {
			threads = append(threads, s.threads)
			panels = append(panels, newPanel(s.threads, lo, hi))
		}
		if err := addSeries(panels[len(panels)-1], s); err != nil {
			return err
		}
	}
	width, height := vg.Length(len(panels))*4.5*vg.Inch, 3.8*vg.Inch
	svg := vgsvg.New(width, height)
	tile(draw.New(svg), panels)
	if err := save(filepath.Join(dir, "scale.svg"), svg); err != nil {
		return err
	}
	img := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(150))
	tile(draw.New(img), panels)
	return save(filepath.Join(dir, "scale.png"), vgimg.PngCanvas{Canvas: img})
}

func newPanel(threads int, lo, hi float64) *plot.Plot {
	p := plot.New()
	p.Title.Text = threadsText(threads)
	p.X.Label.Text, p.Y.Label.Text = "vertices", "processor time per pair (ns)"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	p.Y.Min, p.Y.Max = lo/1.3, hi*1.3
	for _, text := range []*vg.Length{&p.Title.TextStyle.Font.Size, &p.X.Label.TextStyle.Font.Size, &p.Y.Label.TextStyle.Font.Size} {
		*text = vg.Points(12)
	}
	p.Title.Padding, p.X.Padding, p.Y.Padding = vg.Points(4), vg.Points(4), vg.Points(4)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.TextStyle.Font.Size = vg.Points(10)
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(6), -vg.Points(4)
	return p
}

func addSeries(p *plot.Plot, s series) error {
	var xy plotter.XYs
	for _, q := range s.points {
		xy = append(xy, plotter.XY{X: float64(q.Vertices), Y: q.cost()})
	}
	line, marks, err := plotter.NewLinePoints(xy)
	if err != nil {
		return err
	}
	l := lookOf(s)
	line.Color, line.Dashes, line.Width = l.color, l.dashes, vg.Points(1.5)
	marks.Color, marks.Shape, marks.Radius = l.color, l.shape, vg.Points(3)
	p.Add(line, marks)
	p.Legend.Add(s.name, line, marks)
	return nil
}

// ticks marks 1, 2 and 5 times the powers of ten, and names them in full.
type ticks struct{}

func (ticks) Ticks(lo, hi float64) []plot.Tick {
	var all []plot.Tick
	for e := math.Floor(math.Log10(lo)); e <= math.Log10(hi); e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, e); v >= lo*0.999 && v <= hi*1.001 {
				all = append(all, plot.Tick{Value: v, Label: short(v)})
			}
		}
	}
	return all
}

func short(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(math.Round(v/100)/10, 'f', -1, 64) + "k"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func tile(c draw.Canvas, panels []*plot.Plot) {
	tiles := draw.Tiles{Rows: 1, Cols: len(panels), PadX: vg.Points(18), PadTop: vg.Points(8), PadBottom: vg.Points(8), PadLeft: vg.Points(8), PadRight: vg.Points(14)}
	for i, canvas := range plot.Align([][]*plot.Plot{panels}, tiles, c)[0] {
		panels[i].Draw(canvas)
	}
}

func save(path string, canvas io.WriterTo) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := canvas.WriteTo(w)
		return err
	})
}
