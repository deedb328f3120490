package typed

import (
	"fmt"
	"slices"
	"sort"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// Layout numbers the vertices of some types one after the other: first the types whose vertices have vectors of their own, then
// those with contents, each in the order of the schema.
type Layout struct {
	Types []int   // places in Schema.Types, in the order of their vertices
	Start []int32 // the first vertex of each of Types, and the number of all
	Free  int     // how many of Types have no content
}

// Layout returns the layout of the types on some meta-paths, and of others.
func (n *Network) Layout(paths []Path, others ...int) Layout {
	on := make([]bool, len(n.Types))
	for _, t := range others {
		on[t] = true
	}
	for _, p := range paths {
		for _, s := range p.Steps {
			on[s.From], on[s.To] = true, true
		}
	}
	l := Layout{Start: []int32{0}}
	for _, content := range []bool{false, true} {
		for t, typ := range n.Types {
			if on[t] && (typ.Content != NoContent) == content {
				l.Types = append(l.Types, t)
				l.Start = append(l.Start, l.Start[len(l.Start)-1]+int32(n.Vertices(t)))
			}
		}
		if !content {
			l.Free = len(l.Types)
		}
	}
	return l
}

// Vertices returns how many vertices are numbered.
func (l Layout) Vertices() int { return int(l.Start[len(l.Start)-1]) }

// First returns the number of the first vertex of a type, which must be one of Types.
func (l Layout) First(t int) int32 { return l.Start[slices.Index(l.Types, t)] }

// FreeVertices returns how many vertices have no content: those from 0 on.
func (l Layout) FreeVertices() int { return int(l.Start[l.Free]) }

// WalkOptions say how many walks go along a meta-path, and how far.
type WalkOptions struct {
	PerVertex int    // walks from each vertex that the path starts with, 1 to walks.MaxPerVertex
	Length    int    // vertices of a walk, 2 to walks.MaxLength
	Seed      uint64 // of the stream "meta-path TEXT", TEXT being the path's
}

// Walks is the corpus of random walks along a meta-path. Neighbours are as likely as the weights of their links say, all alike where
// these have none, and a walk may turn back.
//
// Walks start from every vertex of the path's first type that can make a step, PerVertex rounds of them in order. A vertex without a
// link within its type, such as a paper that cites nothing, stands for the one that it should be linked with: the walk leaves it by
// the path's next step to another type. Where no other step can be made, the walk ends.
//
// It keeps the links and no walk: walk i is drawn anew from its own random stream whenever it is asked for.
//
// Source: metapath2vec (Dong et al., KDD 2017), and the code of Camel (Zhang et al., WWW 2018).
type Walks struct {
	path   Path
	layout Layout
	steps  []walkStep
	starts []int32
	o      WalkOptions
	key    rng.Key
}

var _ walks.Source = (*Walks)(nil)

// walkStep goes from a vertex of one type to one of another.
type walkStep struct {
	from  int32 // first vertex of the type that the step leaves
	next  adjacency
	other int // of a step within a type: the next step that leaves the type, in rounds of the path; -1 for none
}

// adjacency lists the neighbours of the vertices of one type that are of another.
type adjacency struct {
	offsets []int32
	targets []int32
	sums    []float64 // of the weights of a row up to each target; nil where all are alike
}

func (a *adjacency) row(i int32) []int32 { return a.targets[a.offsets[i]:a.offsets[i+1]] }

// draw returns one of the neighbours of vertex i, of which there must be one.
func (a *adjacency) draw(stream *rng.Stream, i int32) int32 {
	row := a.row(i)
	if a.sums == nil {
		return row[stream.Intn(len(row))]
	}
	sums := a.sums[a.offsets[i]:a.offsets[i+1]]
	x := stream.Float64() * sums[len(sums)-1]
	return row[min(sort.Search(len(sums), func(k int) bool { return sums[k] > x }), len(row)-1)]
}

// NewWalks returns the walks along a meta-path of the network's schema, with vertices numbered by a layout that has its types. It
// returns an error if an option is out of range, or if no walk can follow the path once from its start to its end.
func (n *Network) NewWalks(path Path, layout Layout, o WalkOptions) (*Walks, error) {
	switch {
	case o.PerVertex < 1 || o.PerVertex > walks.MaxPerVertex:
		return nil, fmt.Errorf("typed: %d walks from each vertex: expected 1 to %d", o.PerVertex, walks.MaxPerVertex)
	case o.Length < 2 || o.Length > walks.MaxLength:
		return nil, fmt.Errorf("typed: walks of %d vertices: expected 2 to %d", o.Length, walks.MaxLength)
	}
	w := &Walks{path: path, layout: layout, o: o, key: rng.NewKey(o.Seed, "meta-path "+path.Text)}
	for k, s := range path.Steps {
		step := walkStep{from: layout.First(s.From), next: n.adjacency(s, layout.First(s.To)), other: -1}
		for j := range path.Steps {
			if ahead := (k + 1 + j) % len(path.Steps); s.Same() && !path.Steps[ahead].Same() {
				step.other = ahead
				break
			}
		}
		w.steps = append(w.steps, step)
	}
	if k := w.stuck(); k >= 0 {
		return nil, fmt.Errorf("typed: meta-path %s: no walk in %q can make step %d, %s: expected links of that type", path.Text, n.Name, k+1, n.stepName(path.Steps[k]))
	}
	first := w.steps[0]
	for i := range int32(len(first.next.offsets) - 1) {
		if _, _, then := w.step(0, first.from+i); then >= 0 {
			w.starts = append(w.starts, first.from+i)
		}
	}
	return w, nil
}

// adjacency returns the neighbours that a step leads to, numbered from first, those of a vertex in the order of the links.
func (n *Network) adjacency(s Step, first int32) adjacency {
	links := n.Links[s.Link]
	each := func(do func(row, target int32, weight float64)) {
		for k := range links.From {
			from, to, weight := links.From[k], links.To[k], 1.
			if links.Weight != nil {
				weight = float64(links.Weight[k])
			}
			if !s.Backward {
				do(from, first+to, weight)
			}
			if s.Backward || s.Both {
				do(to, first+from, weight)
			}
		}
	}
	a := adjacency{offsets: make([]int32, n.Vertices(s.From)+1)}
	each(func(row, _ int32, _ float64) { a.offsets[row+1]++ })
	for i := range len(a.offsets) - 1 {
		a.offsets[i+1] += a.offsets[i]
	}
	a.targets = make([]int32, a.offsets[len(a.offsets)-1])
	if links.Weight != nil {
		a.sums = make([]float64, len(a.targets))
	}
	at := slices.Clone(a.offsets)
	each(func(row, target int32, weight float64) {
		i := at[row]
		a.targets[i] = target
		if a.sums != nil {
			a.sums[i] = weight
			if i > a.offsets[row] {
				a.sums[i] += a.sums[i-1]
			}
		}
		at[row]++
	})
	return a
}

// stuck returns the first step that no walk can make that has made those before it; -1 if all can be made.
func (w *Walks) stuck() int {
	here := make([]bool, w.layout.Vertices())
	for i := range int32(len(w.steps[0].next.offsets) - 1) {
		here[w.steps[0].from+i] = true
	}
	for k, s := range w.steps {
		there, some := make([]bool, len(here)), false
		for i := range int32(len(s.next.offsets) - 1) {
			if !here[s.from+i] {
				continue
			}
			for _, u := range s.next.row(i) {
				there[u], some = true, true
			}
		}
		if !some {
			return k
		}
		here = there
	}
	return -1
}

// step returns the step that a walk makes from vertex v when step k is due, v's place there, and the number of the step after it; -1
// where there is none to make.
func (w *Walks) step(k int, v int32) (from *adjacency, place int32, then int) {
	s := &w.steps[k]
	if len(s.next.row(v-s.from)) == 0 && s.other >= 0 {
		k = s.other
		s = &w.steps[k]
	}
	if len(s.next.row(v-s.from)) == 0 {
		return nil, 0, -1
	}
	return &s.next, v - s.from, (k + 1) % len(w.steps)
}

// Walks returns the number of walks: PerVertex from each vertex that they start from.
func (w *Walks) Walks() int { return len(w.starts) * w.o.PerVertex }

// MaxLength returns WalkOptions.Length.
func (w *Walks) MaxLength() int { return w.o.Length }

// Walk draws walk i: round i/S from start i%S of the S starts.
func (w *Walks) Walk(i int, buf []int32) []int32 {
	stream, v := w.key.Stream(uint64(i)), w.starts[i%len(w.starts)]
	walk := append(buf[:0], v)
	for k := 0; len(walk) < w.o.Length; {
		from, place, then := w.step(k, v)
		if then < 0 {
			break
		}
		v, k = from.draw(&stream, place), then
		walk = append(walk, v)
	}
	return walk
}

// Path returns the meta-path.
func (w *Walks) Path() Path { return w.path }

// Layout returns how vertices are numbered.
func (w *Walks) Layout() Layout { return w.layout }

// Joined are the walks of several meta-paths with one layout, one path after the other.
type Joined []*Walks

// Walks returns the number of all walks.
func (j Joined) Walks() (n int) {
	for _, w := range j {
		n += w.Walks()
	}
	return n
}

// MaxLength returns how many vertices the longest walk may have.
func (j Joined) MaxLength() (n int) {
	for _, w := range j {
		n = max(n, w.MaxLength())
	}
	return n
}

// Walk draws walk i.
func (j Joined) Walk(i int, buf []int32) []int32 {
	for _, w := range j {
		if i < w.Walks() {
			return w.Walk(i, buf)
		}
		i -= w.Walks()
	}
	return nil
}
