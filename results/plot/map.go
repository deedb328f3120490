package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Map is a drawing of vertices as points in the plane.
type Map struct {
	Title    string
	At       []float64  // (N,2)
	Group    []int32    // (N): a place in Groups, or -1 for none; nil for all alike
	Groups   []string   // the first MapColors have a colour each and lie above each other in that order; the others have one together
	KeyTitle string     // over the names of groups
	Links    [][2]int32 // between points
	Rest     string     // what the key calls points without a group, "none" if ""
	Named    []int32    // points with their names beside them, as far as there is room; the first come first
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
	linkColor  = color.NRGBA{120, 125, 132, 90}
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
	mapSide   = 6.6 * vg.Inch // of the square that points lie in
	mapKey    = 2.1 * vg.Inch // width of the key beside it
	mapTop    = 30            // room for the title
	mapBottom = 22            // and for the note
	mapMargin = 14            // between points and edges
	markHalf  = 9             // from the middle of a mark to its corners
)

// DrawMap draws a map: points in the colours of their groups, links between them, names beside them, and a key with the sizes
// of groups. One unit is as long in both directions. Coordinates are finite, of at least one point.
func DrawMap(m Map) *Picture {
	width := vg.Length(mapSide)
	if len(m.Groups) > 0 {
		width += mapKey
	}
	d := newMapDrawing(m)
	return &Picture{width: width, height: mapSide + mapTop + mapBottom, draw: d.draw}
}

// mapDrawing is a map with what is worked out once.
type mapDrawing struct {
	Map
	size   []int // of each group
	none   int   // points without one
	radius vg.Length
	scale  float64
	mid    [2]float64
}

func newMapDrawing(m Map) *mapDrawing {
	n := len(m.At) / 2
	d := &mapDrawing{Map: m, size: make([]int, len(m.Groups))}
	d.radius = vg.Length(min(max(65/math.Sqrt(float64(n)), .8), 4.5))
	for _, g := range m.Group {
		if g < 0 {
			d.none++
		} else {
			d.size[g]++
		}
	}
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	grow := func(x, y float64) {
		lo[0], hi[0], lo[1], hi[1] = min(lo[0], x), max(hi[0], x), min(lo[1], y), max(hi[1], y)
	}
	for v := range n {
		grow(m.At[2*v], m.At[2*v+1])
	}
	for _, k := range m.Marks {
		grow(k.At[0], k.At[1])
	}
	d.mid = [2]float64{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2}
	if wide := max(hi[0]-lo[0], hi[1]-lo[1]); wide > 0 {
		d.scale = float64(mapSide-2*mapMargin) / wide
	}
	return d
}

// place returns where coordinates lie on the page.
func (d *mapDrawing) place(x, y float64) vg.Point {
	return vg.Point{X: mapSide/2 + vg.Length(d.scale*(x-d.mid[0])), Y: mapBottom + mapSide/2 + vg.Length(d.scale*(y-d.mid[1]))}
}

func (d *mapDrawing) point(v int32) vg.Point { return d.place(d.At[2*v], d.At[2*v+1]) }

func (d *mapDrawing) draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(around(c.Min, vg.Point{X: c.Max.X, Y: c.Min.Y}, c.Max, vg.Point{X: c.Min.X, Y: c.Max.Y}))
	d.drawLinks(c)
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
	title := mapStyle(titleSize, color.Black)
	c.FillText(title, vg.Point{X: mapMargin, Y: c.Max.Y - mapTop + 10}, clipped(d.Title, 88))
	c.FillText(mapStyle(9, grey), vg.Point{X: mapMargin, Y: 8}, d.Note)
	d.key(c)
}

func mapStyle(size vg.Length, c color.Color) text.Style {
	s := text.Style{Color: c, Handler: plot.DefaultTextHandler}
	sans(&s, size)
	return s
}

// clipped shortens a text to a number of letters.
func clipped(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

func (d *mapDrawing) drawLinks(c draw.Canvas) {
	if len(d.Links) == 0 {
		return
	}
	var path vg.Path
	for _, l := range d.Links {
		path.Move(d.point(l[0]))
		path.Line(d.point(l[1]))
	}
	c.SetLineStyle(draw.LineStyle{Color: linkColor, Width: vg.Length(min(max(9/math.Sqrt(float64(len(d.Links))), .25), .8))})
	c.Stroke(path)
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

// mark draws a mark: a square with a text in it, turned on its corner.
func (d *mapDrawing) mark(c draw.Canvas, k MapMark) {
	at := d.place(k.At[0], k.At[1])
	square := func(r vg.Length) vg.Path {
		return around(at.Add(vg.Point{Y: -r}), at.Add(vg.Point{X: r}), at.Add(vg.Point{Y: r}), at.Add(vg.Point{X: -r}))
	}
	c.SetColor(color.White)
	c.Fill(square(markHalf + 1.5))
	c.SetColor(d.markColor(k))
	c.Fill(square(markHalf))
	s := mapStyle(9, color.White)
	s.XAlign, s.YAlign = draw.XCenter, draw.YCenter
	c.FillText(s, vg.Point{X: at.X, Y: at.Y + .5}, k.Text)
}

// names writes the names of points beside them, where no other name or mark is.
func (d *mapDrawing) names(c draw.Canvas) {
	const size = 8.5
	var taken []vg.Rectangle
	marked := map[vg.Point]bool{}
	for _, k := range d.Marks {
		at := d.place(k.At[0], k.At[1])
		marked[at] = true
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: at.X - 7, Y: at.Y - 7}, Max: vg.Point{X: at.X + 7, Y: at.Y + 7}})
	}
	style := mapStyle(size, color.Black)
	done := map[int32]bool{}
	for _, v := range d.Named {
		if done[v] {
			continue
		}
		done[v] = true
		at, name, gap := d.point(v), clipped(d.Name(v), 24), d.radius+2.5
		if marked[at] {
			gap = markHalf + 2.5
		}
		wide := style.Width(name)
		for _, from := range []vg.Point{{X: gap, Y: -3}, {X: -gap - wide, Y: -3}, {X: -wide / 2, Y: gap}, {X: -wide / 2, Y: -gap - 6}} {
			from = from.Add(at)
			box := vg.Rectangle{Min: from, Max: vg.Point{X: from.X + wide, Y: from.Y + 7}}
			if box.Min.X < 2 || box.Max.X > mapSide-2 || slices.ContainsFunc(taken, func(r vg.Rectangle) bool { return overlap(r, box) }) {
				continue
			}
			taken = append(taken, box)
			white := mapStyle(size, color.White) // an edge that keeps the name legible on points
			for _, by := range []vg.Point{{X: -.8}, {X: .8}, {Y: -.8}, {Y: .8}} {
				c.FillText(white, from.Add(by), name)
			}
			c.FillText(style, from, name)
			break
		}
	}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// key lists the groups with their sizes.
func (d *mapDrawing) key(c draw.Canvas) {
	if len(d.Groups) == 0 {
		return
	}
	at := vg.Point{X: mapSide + 12, Y: c.Max.Y - mapTop - 6}
	c.FillText(mapStyle(labelSize, color.Black), at, clipped(d.KeyTitle, 28))
	line := func(col color.NRGBA, name string, size int) {
		at.Y -= 17
		var disc vg.Path
		dot(&disc, vg.Point{X: at.X + 5, Y: at.Y + 3.6}, 4.2)
		c.SetColor(col)
		c.Fill(disc)
		c.FillText(mapStyle(tickSize, color.Black), vg.Point{X: at.X + 15, Y: at.Y}, clipped(name, 20)+"  ")
		if len(d.Marks) > 0 {
			return // a point may belong to several marks, and has the colour of one
		}
		c.FillText(mapStyle(9, grey), vg.Point{X: at.X + 15 + mapStyle(tickSize, color.Black).Width(clipped(name, 20)+"  "), Y: at.Y}, strconv.Itoa(size))
	}
	others, points := 0, 0
	for g, name := range d.Groups {
		if g < MapColors {
			line(mapColors[g], name, d.size[g])
		} else {
			others, points = others+1, points+d.size[g]
		}
	}
	if others > 0 {
		line(otherColor, fmt.Sprintf("%d others", others), points)
	}
	if d.none > 0 {
		line(faintColor, cmp.Or(d.Rest, "none"), d.none)
	}
}
