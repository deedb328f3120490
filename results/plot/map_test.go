package plot

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// exampleMap is a map with everything in it, whose names could break XML.
func exampleMap() Map {
	m := Map{
		Title: `<script>alert(1)</script> & "title"`, KeyTitle: "group", Rest: "the rest", Note: "a note",
		Groups: []string{"one", "<b>two", "three", "four", "five", "six", "seven", "eight", "nine"},
		Named:  []int32{0, 5, 5}, Name: func(v int32) string { return "ρ−Ж <i>" + strings.Repeat("x", int(v)) },
		Marks: []MapMark{{At: [2]float64{3, 3}, Text: "1", Group: 0, To: []int32{0, 1}}, {At: [2]float64{0, 0}, Group: -1}},
	}
	for v := range 40 {
		m.At = append(m.At, math.Cos(float64(v)), math.Sin(float64(2*v)))
		m.Group = append(m.Group, int32(v%10)-1)
	}
	return m
}

// The same map is the same file in every format, and hostile names are text in it.
func TestPlotMap(t *testing.T) {
	texts := drawn(t, DrawMap(exampleMap()))
	for _, want := range []string{`<script>alert(1)</script> & "title"`, "<b>two", "2 others", "the rest", "ρ−Ж <i>"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no %q among the texts %q", want, texts)
		}
	}
	for _, format := range PictureFormats {
		var files [2]bytes.Buffer
		for i := range files {
			call.OK(t, DrawMap(exampleMap()).Encode(&files[i], format))
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) || files[0].Len() < 1000 {
			t.Errorf("%s: %d and %d bytes that differ", format, files[0].Len(), files[1].Len())
		}
	}
	drawn(t, DrawMap(Map{At: []float64{7, 7}}))
}

// Names that have no place of their own are left out: of a thousand points in a heap some have one, and none covers another.
func TestPlotMapNames(t *testing.T) {
	m := Map{Name: func(v int32) string { return "vertex " + strconv.Itoa(int(v)) }}
	for v := range 1000 {
		m.At = append(m.At, math.Cos(float64(v*v)), math.Sin(float64(7*v)))
		m.Named = append(m.Named, int32(v))
	}
	var svg bytes.Buffer
	call.OK(t, DrawMap(m).Encode(&svg, "svg"))
	found := regexp.MustCompile(`<text x="([0-9.]+)" y="-([0-9.]+)"[^>]*>(vertex \d+)`).FindAllStringSubmatch(svg.String(), -1)
	var boxes []vg.Rectangle
	for _, f := range found {
		x, _ := strconv.ParseFloat(f[1], 64)
		y, _ := strconv.ParseFloat(f[2], 64)
		at := vg.Point{X: vg.Length(x), Y: vg.Length(y)}
		box := vg.Rectangle{Min: at, Max: at.Add(vg.Point{X: mapStyle(nameSize, nil).Width(f[3]), Y: 6})}
		if slices.ContainsFunc(boxes, func(other vg.Rectangle) bool { return overlap(box, other) }) {
			t.Errorf("%s covers another name", f[3])
		}
		boxes = append(boxes, box)
	}
	if len(boxes) < 5 || len(boxes) > 500 || !strings.Contains(svg.String(), ">vertex 0<") {
		t.Errorf("%d names, expected some, and the first", len(boxes))
	}
}
