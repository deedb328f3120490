package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Map is a drawing of vertices as points in the plane.
type Map struct {
	Title    string
	At       []float64 // (N,2)
	Group    []int32   // (N): a place in Groups, or -1 for none; nil for all alike
	Groups   []string  // the first MapColors have a colour each and lie above each other in that order; the others have one together
	KeyTitle string    // over the names of groups
	Rest     string    // what the key calls points without a group, "none" if ""
	Named    []int32   // points with their names beside them, as far as there is room; the first come first
	Name     func(v int32) string
	Marks    []MapMark
	Note     string // below
}

// MapMark is something in a map of groups that is no point, with lines to the points that belong to it.
type MapMark struct {
	At    [2]float64
	Text  string // inside
	Group int32  // whose colour it has, -1 for black
	To    []int32
}

// MapColors is how many groups of a map have a colour of their own: of as many, readers of any colour vision tell each.
const MapColors = 7

// mapColors are told apart by any colour vision (Okabe and Ito, 2008), the darkest last.
var mapColors = [MapColors]color.NRGBA{blue, vermilion, green, orange, purple, sky, black}

var (
	otherColor = color.NRGBA{150, 150, 150, 255} // of groups without a colour of their own
	faintColor = color.NRGBA{214, 217, 222, 255} // of the background
)

// colorOf returns the colour of a group.
func (m Map) colorOf(g int32) color.NRGBA {
	switch {
	case m.Group == nil:
		return blue
	case g < 0:
		return faintColor
	case g >= MapColors:
		return otherColor
	}
	return mapColors[g]
}

// Sizes of a map.
const (
	mapSide   = 7 * vg.Inch // of the rectangle that points lie in, the longer one, which is its width
	mapMargin = 14          // between points and edges
	mapTop    = 28          // room for the title
	mapLine   = 15          // height of a line of the key and of the note
	markHalf  = 8           // from the middle of a mark to its corners
	noteSize  = 9
	nameSize  = 8.5
)

// DrawMap draws a map: points in the colours of their groups, names beside them, above it a key with the sizes
// of groups, below it the note. One unit is as long in both directions. Coordinates are finite, of at least one point.
func DrawMap(m Map) *Picture {
	d := newMapDrawing(m)
	high := vg.Length(mapSide)
	if x, y := d.hi[0]-d.lo[0], d.hi[1]-d.lo[1]; x > 0 { // as the points lie, but not too flat
		high *= vg.Length(max(.5, y/x))
	}
	return &Picture{width: mapSide, height: high + mapTop + d.below(mapSide) + mapLine*d.key(nil, mapSide, 0), draw: d.draw}
}

// mapDrawing is a map with what is worked out of it.
type mapDrawing struct {
	Map
	size   []int // of each group
	none   int   // points without one
	radius vg.Length
	turned bool         // the first coordinate goes upwards
	lo, hi [2]float64   // corners of what is shown, to the right and upwards
	area   vg.Rectangle // where it is drawn
	scale  float64
}

func newMapDrawing(m Map) *mapDrawing {
	n := len(m.At) / 2
	d := &mapDrawing{Map: m, size: make([]int, len(m.Groups))}
	d.radius = vg.Length(min(max(60/math.Sqrt(float64(n)), .8), 4))
	for _, g := range m.Group {
		if g < 0 {
			d.none++
		} else {
			d.size[g]++
		}
	}
	d.lo, d.hi = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	grow := func(x, y float64) {
		d.lo, d.hi = [2]float64{min(d.lo[0], x), min(d.lo[1], y)}, [2]float64{max(d.hi[0], x), max(d.hi[1], y)}
	}
	for v := range n {
		grow(m.At[2*v], m.At[2*v+1])
	}
	for _, k := range m.Marks {
		grow(k.At[0], k.At[1])
	}
	if d.hi[1]-d.lo[1] > d.hi[0]-d.lo[0] {
		d.turned = true
		d.lo, d.hi = [2]float64{d.lo[1], d.lo[0]}, [2]float64{d.hi[1], d.hi[0]}
	}
	return d
}

// place returns where coordinates lie on the page.
func (d *mapDrawing) place(x, y float64) vg.Point {
	if d.turned {
		x, y = y, x
	}
	mid := d.area.Min.Add(d.area.Max).Scale(.5)
	return mid.Add(vg.Point{X: vg.Length(d.scale * (x - (d.lo[0]+d.hi[0])/2)), Y: vg.Length(d.scale * (y - (d.lo[1]+d.hi[1])/2))})
}

func (d *mapDrawing) point(v int32) vg.Point { return d.place(d.At[2*v], d.At[2*v+1]) }

func (d *mapDrawing) draw(c draw.Canvas) {
	c.FillText(mapStyle(titleSize, color.Black), vg.Point{X: mapMargin, Y: c.Max.Y - mapTop + 10}, shortened(d.Title, mapStyle(titleSize, nil), c.Max.X-2*mapMargin))
	for i, line := range wrapped(d.Note, mapStyle(noteSize, nil), c.Max.X-2*mapMargin) {
		c.FillText(mapStyle(noteSize, grey), vg.Point{X: mapMargin, Y: d.below(c.Max.X) - mapLine*vg.Length(i+1) + 2}, line)
	}
	keyed := d.key(&c, c.Max.X, c.Max.Y-mapTop)
	d.area = vg.Rectangle{Min: vg.Point{X: mapMargin, Y: d.below(c.Max.X) + mapMargin}, Max: vg.Point{X: c.Max.X - mapMargin, Y: c.Max.Y - mapTop - mapLine*keyed - mapMargin}}
	d.scale = 0
	if size := d.area.Size(); d.hi != d.lo {
		d.scale = min(float64(size.X)/max(d.hi[0]-d.lo[0], 1e-300), float64(size.Y)/max(d.hi[1]-d.lo[1], 1e-300))
	}
	members := make([][]int32, len(d.Groups))
	var none []int32
	for v := range int32(len(d.At) / 2) {
		if d.Group == nil || d.Group[v] < 0 {
			none = append(none, v)
		} else {
			members[d.Group[v]] = append(members[d.Group[v]], v)
		}
	}
	d.dots(c, none, d.colorOf(-1))
	for g := min(MapColors, len(members)); g < len(members); g++ { // below those that have a colour
		d.dots(c, members[g], otherColor)
	}
	for g := range min(MapColors, len(members)) {
		d.dots(c, members[g], mapColors[g])
	}
	for _, k := range d.Marks {
		d.lines(c, k)
	}
	d.ends(c)
	for _, k := range d.Marks {
		d.mark(c, k)
	}
	d.names(c)
}

// below returns the height of the note, on a page of a width.
func (d *mapDrawing) below(wide vg.Length) vg.Length {
	return mapLine * vg.Length(len(wrapped(d.Note, mapStyle(noteSize, nil), wide-2*mapMargin)))
}

func mapStyle(size vg.Length, c color.Color) text.Style {
	s := text.Style{Color: c, Handler: plot.DefaultTextHandler}
	sans(&s, size)
	return s
}

// shortened cuts a text to a width.
func shortened(s string, style text.Style, most vg.Length) string {
	for r := []rune(s); len(r) > 1 && style.Width(s) > most; s = string(r) + "…" {
		r = r[:len(r)-1]
	}
	return s
}

// usualFont is the width of the font that texts are measured in, as a share of that of wider ones, which a page may show instead.
const usualFont = .87

// wrapped returns a text as lines of a width, as far as its words allow.
func wrapped(s string, style text.Style, most vg.Length) (lines []string) {
	most *= usualFont
	for _, word := range strings.Fields(s) {
		if last := len(lines) - 1; last >= 0 && style.Width(lines[last]+" "+word) <= most {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// dots draws points as one shape, so that a picture of many is small.
func (d *mapDrawing) dots(c draw.Canvas, vs []int32, col color.NRGBA) {
	var path vg.Path
	for _, v := range vs {
		dot(&path, d.point(v), d.radius)
	}
	if len(path) > 0 {
		c.SetColor(col)
		c.Fill(path)
	}
}

// dot adds a disc to a path, as a polygon of as many corners as can be seen.
func dot(path *vg.Path, at vg.Point, r vg.Length) {
	corners := 8
	if r > 1.5 {
		corners = 18
	}
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
		p := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			path.Move(p)
		} else {
			path.Line(p)
		}
	}
	path.Close()
}

// around returns the outline of a polygon.
func around(corners ...vg.Point) (p vg.Path) {
	p.Move(corners[0])
	for _, c := range corners[1:] {
		p.Line(c)
	}
	p.Close()
	return p
}

// lines draws what joins a mark with its points.
func (d *mapDrawing) lines(c draw.Canvas, k MapMark) {
	var path vg.Path
	for _, v := range k.To {
		path.Move(d.place(k.At[0], k.At[1]))
		path.Line(d.point(v))
	}
	c.SetLineStyle(draw.LineStyle{Color: faint(d.markColor(k), 150), Width: .9})
	c.Stroke(path)
}

// ends draws the points of marks once more, larger, in the colours of their own groups, since a point may belong to several marks.
func (d *mapDrawing) ends(c draw.Canvas) {
	done := map[int32]bool{}
	for _, k := range d.Marks {
		for _, v := range k.To {
			if done[v] {
				continue
			}
			done[v] = true
			var end vg.Path
			dot(&end, d.point(v), d.radius+1.2)
			c.SetColor(d.colorOf(d.Group[v]))
			c.Fill(end)
		}
	}
}

func (d *mapDrawing) markColor(k MapMark) color.NRGBA {
	if k.Group < 0 {
		return black
	}
	return d.colorOf(k.Group)
}

// mark draws a mark: a square with a text in it, turned on its corner; without a text it is hollow, and shows what is below.
func (d *mapDrawing) mark(c draw.Canvas, k MapMark) {
	at := d.place(k.At[0], k.At[1])
	square := func(r vg.Length) vg.Path {
		return around(at.Add(vg.Point{Y: -r}), at.Add(vg.Point{X: r}), at.Add(vg.Point{Y: r}), at.Add(vg.Point{X: -r}))
	}
	if k.Text == "" {
		c.SetLineStyle(draw.LineStyle{Color: d.markColor(k), Width: 2})
		c.Stroke(square(markHalf))
		return
	}
	c.SetColor(color.White)
	c.Fill(square(markHalf + 1.5))
	c.SetColor(d.markColor(k))
	c.Fill(square(markHalf))
	s := mapStyle(9, color.White)
	s.XAlign, s.YAlign = draw.XCenter, draw.YCenter
	c.FillText(s, vg.Point{X: at.X, Y: at.Y + .5}, k.Text)
}

// names writes the names of points beside them, or a little further away with a line to the point, where no other name, mark or point is.
// A name without such a place is left out.
func (d *mapDrawing) names(c draw.Canvas) {
	var taken []vg.Rectangle
	marked := map[vg.Point]bool{}
	square := func(at vg.Point, half vg.Length) vg.Rectangle {
		by := vg.Point{X: half, Y: half}
		return vg.Rectangle{Min: at.Sub(by), Max: at.Add(by)}
	}
	for _, k := range d.Marks {
		at := d.place(k.At[0], k.At[1])
		marked[at] = true
		taken = append(taken, square(at, markHalf-1))
	}
	style := mapStyle(nameSize, color.Black)
	done := map[int32]bool{}
	for _, v := range d.Named {
		if done[v] {
			continue
		}
		done[v] = true
		at, name, gap := d.point(v), shortened(d.Name(v), style, 110), d.radius+2.5
		if marked[at] {
			gap = markHalf + 2.5
		}
		wide := style.Width(name) + 3
		const high, reach = 6.5, 180
		blocked := slices.Clone(taken)
		for u := range int32(len(d.At) / 2) {
			if p := d.point(u); u != v && math.Abs(float64(p.X-at.X)) < reach && math.Abs(float64(p.Y-at.Y)) < reach {
				blocked = append(blocked, square(p, d.radius+.5))
			}
		}
		box, found := vg.Rectangle{}, false
		for try := 0; try < 8*5 && !found; try++ {
			sin, cos := math.Sincos(math.Pi / 4 * float64([]int{0, 4, 2, 6, 1, 3, 7, 5}[try%8])) // to the right and left first
			away := gap + vg.Length(try/8)*9
			mid := at.Add(vg.Point{X: vg.Length(cos)*away + vg.Length(math.Round(cos))*wide/2, Y: vg.Length(sin)*away + vg.Length(math.Round(sin))*high/2})
			box = vg.Rectangle{Min: mid.Sub(vg.Point{X: wide / 2, Y: high / 2}), Max: mid.Add(vg.Point{X: wide / 2, Y: high / 2})}
			inside := box.Min.X >= 2 && box.Max.X <= c.Max.X-2 && box.Min.Y >= d.area.Min.Y-mapMargin+2 && box.Max.Y <= d.area.Max.Y+mapMargin-2
			if found = inside && !slices.ContainsFunc(blocked, func(r vg.Rectangle) bool { return overlap(r, box) }); found && try >= 8 {
				c.StrokeLine2(draw.LineStyle{Color: grey, Width: .4}, at.X, at.Y, mid.X-vg.Length(math.Round(cos))*wide/2, mid.Y-vg.Length(math.Round(sin))*high/2)
			}
		}
		if !found {
			continue
		}
		taken = append(taken, box)
		c.SetColor(faint(color.NRGBA{255, 255, 255, 255}, 190)) // legible on points
		c.Fill(around(box.Min, vg.Point{X: box.Max.X, Y: box.Min.Y}, box.Max, vg.Point{X: box.Min.X, Y: box.Max.Y}))
		c.FillText(style, box.Min.Add(vg.Point{X: 1.5}), name)
	}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// key writes the groups with their sizes in lines from the height top down, on a page of a width, and returns how many lines these
// are. Without a canvas it only counts them.
func (d *mapDrawing) key(c *draw.Canvas, wide, top vg.Length) (lines vg.Length) {
	if len(d.Groups) == 0 {
		return 0
	}
	style := mapStyle(tickSize, color.Black)
	at := vg.Point{X: mapMargin, Y: top - mapLine + 5}
	lines = 1
	item := func(col color.NRGBA, name, size string, dotted vg.Length) {
		name = shortened(name, style, 150) + size
		long := dotted + style.Width(name)/usualFont
		if at.X > mapMargin && at.X+long > wide-mapMargin {
			at, lines = vg.Point{X: mapMargin, Y: at.Y - mapLine}, lines+1
		}
		if c != nil {
			if dotted > 0 {
				var disc vg.Path
				dot(&disc, vg.Point{X: at.X + 5, Y: at.Y + 3.6}, 4.2)
				c.SetColor(col)
				c.Fill(disc)
			}
			c.FillText(style, vg.Point{X: at.X + dotted, Y: at.Y}, name)
		}
		at.X += long + 10
	}
	row := func(col color.NRGBA, name string, size int) {
		count := ""
		if len(d.Marks) == 0 { // else a point may belong to several marks, and has the colour of one
			count = " (" + strconv.Itoa(size) + ")"
		}
		item(col, name, count, 13)
	}
	item(black, d.KeyTitle+":", "", 0)
	others, points := 0, 0
	for g, name := range d.Groups {
		if g < MapColors {
			row(mapColors[g], name, d.size[g])
		} else {
			others, points = others+1, points+d.size[g]
		}
	}
	if others > 0 {
		row(otherColor, fmt.Sprintf("%d others", others), points)
	}
	if d.none > 0 {
		row(faintColor, cmp.Or(d.Rest, "none"), d.none)
	}
	return lines
}
