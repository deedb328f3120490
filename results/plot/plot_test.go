package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// drawn encodes a picture in both formats, checks that they are what they say, and returns the texts of the SVG.
func drawn(t *testing.T, p *Picture) []string {
	t.Helper()
	var b bytes.Buffer
	call.OK(t, p.Encode(&b, "png"))
	img := call.Of(png.Decode(&b))(t)
	if size := img.Bounds().Size(); math.Abs(float64(size.X)-p.width.Points()/72*pictureDPI) > 2 {
		t.Errorf("the PNG is %d dots wide, the picture %v points", size.X, p.width)
	}
	call.OK(t, p.Encode(&b, "svg"))
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Error("the SVG has coordinates that are not finite")
	}
	var texts []string
	decoder := xml.NewDecoder(&b)
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			texts = append(texts, strings.TrimSpace(string(text)))
		}
	}
}

func labelled(t *testing.T, texts []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(texts, w) {
			t.Errorf("no label %q among %q", w, texts)
		}
	}
}

// useData is what vertices of some variances have by some ways to come by aspects.
func useData(ways []string, y ...results.Float) *FigureData {
	d := &FigureData{Key: "k", Schema: results.Schema, Use: &UseData{Aspects: 5, Vertices: len(y)}}
	var curve []UsePoint
	for i, v := range y {
		d.Use.Count = append(d.Use.Count, int64(1+i*i))
		curve = append(curve, UsePoint{float64(1 + i*i), v, 1})
	}
	for i, name := range ways {
		d.Use.Variants = append(d.Use.Variants, UseVariant{Name: name, Variance: y, Spearman: []results.Float{-.834, results.Float(math.NaN())}[i], Curve: curve})
	}
	return d
}

func useColumn(title string, y ...results.Float) Group {
	return Group{title, []Run{{"PolyDW", useData([]string{"share"}, y...)}, {"asp2vec", useData([]string{"noisy", "random"}, y...)}}}
}

func TestPlotUse(t *testing.T) {
	p := DrawUse([]Group{useColumn("Filmtrust", .1, .01, 0, 1e-12), {"PPI", []Run{{"PolyDW", nil}, {"asp2vec", nil}}}})
	labelled(t, drawn(t, p), "Filmtrust, PolyDW", "Filmtrust, asp2vec", "PPI, asp2vec: not run", "frequency in the walks", "variance",
		"with noise  ρ = −.83", "noise alone, the null  ρ = –", "one vertex  ρ = −.83", "one-hot by chance, .16/f")
}

func TestPlotHeat(t *testing.T) {
	d := &FigureData{Cosines: [][]results.Float{{1, -.256}, {-.256, 1}}}
	p := DrawHeat([]Group{{"Cora", []Run{{"ε = .1", d}, {"ε = .9", nil}}}})
	texts := drawn(t, p)
	labelled(t, texts, "Cora, ε = .1", "Cora, ε = .9: not run", "1.0", "−.26", "learned aspect", "cosine, mean over vertices", "−.5")
	long := strings.Repeat("a heading wider than its panel, ", 4)
	p = DrawHeat([]Group{{long, []Run{{"no regularizer", d}, {"ε = .9", nil}}}, {"Cora", []Run{{"no regularizer", d}}}})
	labelled(t, drawn(t, p), long+", no regularizer", "Cora, no regularizer")
}

func TestPlotSweep(t *testing.T) {
	paper := .74
	var points []SweepPoint
	for k, mean := range []float64{.70, .74, .743} {
		points = append(points, SweepPoint{float64(k + 2), string(rune('2' + k)), "", render.Value{Mean: mean, SD: .01, N: 3, Paper: &paper}})
	}
	five := []SweepPanel{{Title: "Cora", Points: points}, {Title: "A"}, {Title: "B", Points: []SweepPoint{{2, "2", "", render.Value{}}}}, {"C", "validation AUC", points[:1]}, {Title: "D", Points: points}}
	p := DrawSweep("aspects K", five)
	labelled(t, drawn(t, p), "Cora", "A: not run", "B: not run", "aspects K", "AUC", "validation AUC", "measured, mean ± sd", "paper, one run", "2", "4", ".70", ".74")
}

// Nothing to show, and numbers that are none, give a picture without them, and no panic.
func TestPlotsOfNothing(t *testing.T) {
	nan, inf := results.Float(math.NaN()), results.Float(math.Inf(1))
	none := math.NaN()
	for name, draw := range map[string]func() *Picture{
		"use":        func() *Picture { return DrawUse(nil) },
		"use, none":  func() *Picture { return DrawUse([]Group{{}}) },
		"use, empty": func() *Picture { return DrawUse([]Group{useColumn("x")}) },
		"use, NaN": func() *Picture {
			return DrawUse([]Group{useColumn("x", nan, inf)})
		},
		"use, one":    func() *Picture { return DrawUse([]Group{useColumn("x", 0)}) },
		"heat":        func() *Picture { return DrawHeat(nil) },
		"heat, none":  func() *Picture { return DrawHeat([]Group{{}}) },
		"heat, empty": func() *Picture { return DrawHeat([]Group{{"x", []Run{{"y", &FigureData{}}}}}) },
		"sweep":       func() *Picture { return DrawSweep("", nil) },
		"heat, NaN": func() *Picture {
			return DrawHeat([]Group{{"x", []Run{{"y", &FigureData{Cosines: [][]results.Float{{nan, inf}, {-inf, 1.0000001}}}}}}})
		},
		"sweep, NaN": func() *Picture {
			return DrawSweep("x", []SweepPanel{{"y", "", []SweepPoint{{1, "1", "", render.Value{Mean: none, N: 1, Paper: &none}}, {2, "2", "", render.Value{Mean: 1, SD: none, N: 2}}}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			drawn(t, draw())
		})
	}
}

func TestPictureIsWrittenWhole(t *testing.T) {
	p := DrawHeat([]Group{{"x", []Run{{"y", nil}}}})
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svg")
	call.OK(t, p.Write(path, "svg"))
	before, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(before, []byte("'Liberation Sans',Arimo,Arial")) {
		t.Errorf("%v: no font for readers without Liberation in %d bytes", err, len(before))
	}
	call.Refused(t, `picture as "bmp": expected one of svg, png`)(p.Write(path, "bmp"))
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a picture that failed replaced the one before")
	}
}

func TestTicksOfAxes(t *testing.T) {
	text := func(ticks []plot.Tick) string {
		var all []string
		for _, tick := range ticks {
			if tick.Label != "" {
				all = append(all, tick.Label)
			}
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct {
		ticks  plot.Ticker
		lo, hi float64
		want   string
	}{
		{logged{}, 0, 5, "1 10 100 1000 1e4 1e5"},
		{logged{}, -8, 0, "1e−8 1e−6 1e−4 .01 1"},
		{logged{}, 2.5, 3.5, "500 1000 2000"},
		{logged{}, .3, .7, "2 3 4 5"},
		{decimals{}, .7, .75, ".70 .71 .72 .73 .74 .75"},
		{decimals{}, 0, 12, "0 2 4 6 8 10 12"},
		{decimals{}, 1, 1, ""},
		{decimals{}, math.NaN(), 1, ""},
	} {
		if got := text(c.ticks.Ticks(c.lo, c.hi)); got != c.want {
			t.Errorf("%T from %v to %v: %q, expected %q", c.ticks, c.lo, c.hi, got, c.want)
		}
	}
	for x, want := range map[float64]string{.834: ".83", -.834: "−.83", -.001: ".00", 1: "1.00", -12.5: "−12.50"} {
		if got := inPrint(x, 2); got != want {
			t.Errorf("%v is written %q, expected %q", x, got, want)
		}
	}
}

func TestFigureData(t *testing.T) {
	dir := t.TempDir()
	d := *useData([]string{"noisy", "random"}, .1, results.Float(math.NaN()))
	d.Cosines = [][]results.Float{{1, .5}, {.5, 1}}
	call.OK(t, WriteFigureData(filepath.Join(dir, "k.json"), d))
	back, err := ReadFigureData(filepath.Join(dir, "k.json"))
	if err != nil || back.Use.Variant("noisy").Variance[0] != .1 || !math.IsNaN(float64(back.Use.Variants[1].Variance[1])) || back.Cosines[0][1] != .5 {
		t.Errorf("read back %+v, %v", back, err)
	}
	if back.Use.Variant("none") != nil {
		t.Error("a variant that is not there")
	}
	if _, err := ReadFigureData(filepath.Join(dir, "other.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, expected that there is none", err)
	}
	for name, text := range map[string]string{
		"newer": `{"schema":9,"key":"newer"}`, "torn": `{"schema":1,"key"`,
	} {
		call.File(t, filepath.Join(dir, name+".json"), text)
		call.Refused(t, name+".json")(ReadFigureData(filepath.Join(dir, name+".json")))
	}
}

func TestPlotLacks(t *testing.T) {
	for _, s := range []string{"", "Zoë Müller", "Łukasz Nguyễn", "ρ−Ж"} {
		if r, lacks := Lacks(s); lacks {
			t.Errorf("%q: lacks %q", s, r)
		}
	}
	if r, lacks := Lacks("a李明"); !lacks || r != '李' {
		t.Errorf("%q, %v: expected 李", r, lacks)
	}
}
