package network

// thinning is the undirected view of a network whose links are being deleted. Links that join the same two vertices, such as
// an arc and its reverse, are one edge, which is gone when all of them are.
type thinning struct {
	links   []Link
	edge    []int32 // of each link, or -1 for a self-loop, which no connection needs
	left    []int32 // links of each edge that are not deleted
	offsets []int64 // adjacency lists
	entries []entry
	degree  []int32 // edges of each vertex that are not gone; these stand first in its list
	at      [][2]int64
	queue   [2][]int32
	seen    []int32 // 2·search or 2·search+1: reached from the one end or the other
	search  int32
}

type entry struct{ neighbour, edge int32 }

func newThinning(vertices int, links []Link) *thinning {
	ends := make([]Link, 0, len(links))
	for _, l := range links {
		if l.From != l.To {
			ends = append(ends, l.ordered())
		}
	}
	names := make([]string, vertices) // build wants names; the view has no use for them
	simple, _ := build(names, ends, nil, false)
	edges := simple.Arcs() / 2
	g := &thinning{
		links: links, edge: make([]int32, len(links)), left: make([]int32, edges), offsets: simple.offsets,
		entries: make([]entry, simple.Arcs()), degree: make([]int32, vertices), at: make([][2]int64, edges), seen: make([]int32, vertices),
	}
	// Number the edges in the order of List: the lists below a vertex come first, so the edge of an entry to a smaller
	// neighbour is known when its turn comes.
	next := int32(0)
	for u := range int32(vertices) {
		for _, v := range simple.Out(u) {
			if u < v {
				g.place(u, v, next, 0)
				g.place(v, u, next, 1)
				next++
			}
		}
	}
	first := make([]int64, vertices+1) // number of the first edge (u,v), u < v, of each u
	for u := range int32(vertices) {
		first[u+1] = first[u]
		for _, v := range simple.Out(u) {
			if u < v {
				first[u+1]++
			}
		}
	}
	for i, l := range links {
		g.edge[i] = -1
		if l = l.ordered(); l.From != l.To {
			out := simple.Out(l.From)
			above := int64(len(out)) - (first[l.From+1] - first[l.From]) // neighbours smaller than l.From
			g.edge[i] = int32(first[l.From] + rank(out, l.To) - above)
			g.left[g.edge[i]]++
		}
	}
	return g
}

// rank returns the position of v in the sorted list, which holds it.
func rank(list []int32, v int32) int64 {
	low, high := 0, len(list)
	for low < high {
		if mid := int(uint(low+high) >> 1); list[mid] < v {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return int64(low)
}

// place appends the entry of an edge to u's list; side tells the edge which of its two entries that is.
func (g *thinning) place(u, v, edge int32, side int) {
	i := g.offsets[u] + int64(g.degree[u])
	g.entries[i] = entry{v, edge}
	g.at[edge][side] = i
	g.degree[u]++
}

// swap exchanges two entries of one list.
func (g *thinning) swap(i, j int64) {
	if i == j {
		return
	}
	a, b := g.entries[i], g.entries[j]
	g.move(a.edge, i, j)
	g.move(b.edge, j, i)
	g.entries[i], g.entries[j] = b, a
}

func (g *thinning) move(edge int32, from, to int64) {
	if g.at[edge][0] == from {
		g.at[edge][0] = to
	} else {
		g.at[edge][1] = to
	}
}

// delete takes link i away, and its edge with the last of its links.
func (g *thinning) delete(i int) {
	e := g.edge[i]
	if e < 0 {
		return
	}
	if g.left[e]--; g.left[e] > 0 {
		return
	}
	l := g.links[i].ordered()
	for side, v := range [2]int32{l.From, l.To} {
		g.degree[v]--
		g.swap(g.at[e][side], g.offsets[v]+int64(g.degree[v]))
	}
}

// restore puts link i back.
func (g *thinning) restore(i int) {
	e := g.edge[i]
	if e < 0 {
		return
	}
	if g.left[e]++; g.left[e] > 1 {
		return
	}
	l := g.links[i].ordered()
	for side, v := range [2]int32{l.From, l.To} {
		g.swap(g.at[e][side], g.offsets[v]+int64(g.degree[v]))
		g.degree[v]++
	}
}

// connected says whether the ends of each of the links first to end-1 are connected by what is not deleted.
func (g *thinning) connected(first, end int) bool {
	for i := first; i < end; i++ {
		if e := g.edge[i]; e >= 0 && g.left[e] == 0 && !g.joined(g.links[i].From, g.links[i].To) {
			return false
		}
	}
	return true
}

// joined searches breadth first from both vertices in turn, each time from the side whose frontier has fewer edges.
func (g *thinning) joined(u, v int32) bool {
	if g.degree[u] == 0 || g.degree[v] == 0 {
		return false
	}
	if g.search++; g.search == 1<<30-1 { // before 2·search+1 overflows
		clear(g.seen)
		g.search = 1
	}
	var cost [2]int64 // edges of each frontier
	for side, w := range [2]int32{u, v} {
		g.queue[side] = append(g.queue[side][:0], w)
		g.seen[w] = 2*g.search + int32(side)
		cost[side] = int64(g.degree[w])
	}
	var done [2]int // where each frontier starts in its queue
	for {
		side := 0
		if cost[1] < cost[0] {
			side = 1
		}
		mine, other := 2*g.search+int32(side), 2*g.search+int32(1-side)
		q := g.queue[side]
		end := len(q)
		cost[side] = 0
		for i := done[side]; i < end; i++ {
			w := q[i]
			for _, e := range g.entries[g.offsets[w] : g.offsets[w]+int64(g.degree[w])] {
				switch g.seen[e.neighbour] {
				case mine:
				case other:
					return true
				default:
					g.seen[e.neighbour] = mine
					q = append(q, e.neighbour)
					cost[side] += int64(g.degree[e.neighbour])
				}
			}
		}
		g.queue[side], done[side] = q, end
		if len(q) == end { // nothing new: this side's component is complete, and the other end is not in it
			return false
		}
	}
}
