package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/walks"
)

// withheld puts made authors into batches for what they are without the papers in their window: rows behind those of the corpus's vertices.
type withheld struct {
	made           *made
	papers, author int32     // the first paper, and the first author
	first, room    int       // row, and how many
	x              []float32 // (room,W)
	of             []int32   // the author's own row
	empty          []bool    // the author has no other papers
	own            []*walks.Batch

	near, wrote []int32    // papers of a window, and those of them that an author wrote
	rows        [][2]int32 // rows in a window, of each an author's own row and that without papers
}

// newWithheld makes room for the authors of a step whose batches have so many pairs together.
func (w *walked) newWithheld(c *corpus, pairs int) *withheld {
	h := &withheld{made: w.made, papers: c.First(w.made.b.Paper), author: c.First(w.author), first: c.Vertices()}
	for range w.streams {
		h.room += 2 * (2*w.o.Window + 1) // the first and the last window of a batch may have most of their pairs in others
		h.own = append(h.own, &walks.Batch{})
	}
	h.room += 2 * pairs // each with its context and, of a window, its centre
	h.x = make([]float32, h.room*w.made.dim)
	return h
}

// from returns batches with such rows; those given where no authors are made. They are valid until the next call.
func (h *withheld) from(batches []*walks.Batch) []*walks.Batch {
	if h == nil {
		return batches
	}
	h.of, h.empty = h.of[:0], h.empty[:0]
	for i, b := range batches {
		own := h.own[i]
		center, context, negative, index := own.Center, own.Context, own.Negative, own.Index
		*own = *b
		own.Center, own.Context, own.Index = append(center[:0], b.Center...), append(context[:0], b.Context...), index
		own.Negative = append(negative[:0], b.Negative...)
		for w := range own.Windows() {
			h.window(own, w)
		}
		own.Index.Build(own, h.first+h.room)
	}
	return h.own[:len(batches)]
}

// window replaces the authors of a window. An author without other papers has a vector of zeros, and is told from itself: such a pair teaches nothing,
// where other negatives would make all vectors unlike.
func (h *withheld) window(b *walks.Batch, w int) {
	center, contexts := &b.Center[w], b.Context[w*b.Slots:][:b.Count[w]]
	papers := h.papers + int32(len(h.made.b.AuthorsOf))
	h.near, h.rows = h.near[:0], h.rows[:0]
	add := func(v int32) {
		if v >= h.papers && v < papers {
			h.near = append(h.near, v-h.papers)
		}
	}
	add(*center)
	for _, v := range contexts {
		add(v)
	}
	*center = h.row(*center)
	for c, v := range contexts {
		contexts[c] = h.row(v)
		if at := int(contexts[c]) - h.first; at >= 0 && h.empty[at] {
			negatives := b.Negative[(w*b.Slots+c)*b.Negatives:][:b.Negatives]
			for m := range negatives {
				negatives[m] = contexts[c]
			}
		}
	}
}

// row returns the row of a vertex in a window.
func (h *withheld) row(v int32) int32 {
	a := v - h.author
	if a < 0 || int(a) >= len(h.made.b.PapersOf) {
		return v
	}
	for _, r := range h.rows {
		if r[0] == v {
			return r[1]
		}
	}
	row := v
	if h.wrote = h.made.wrote(h.wrote[:0], a, h.near); len(h.wrote) > 0 {
		n := len(h.of)
		h.made.without(h.x[n*h.made.dim:][:h.made.dim], a, h.wrote)
		h.of, h.empty = append(h.of, v), append(h.empty, len(h.wrote) == len(h.made.b.PapersOf[a]))
		row = int32(h.first + n)
	}
	h.rows = append(h.rows, [2]int32{v, row})
	return row
}

// facts returns the facts of vertices with those of the rows, which are their authors'.
func (h *withheld) facts(of func() engine.Facts) func() engine.Facts {
	var all engine.Facts
	return func() engine.Facts {
		if all.Degree == nil {
			all = of()
			all.Degree, all.Type = append(all.Degree, make([]float32, h.room)...), append(all.Type, make([]float32, h.room)...)
		}
		for i, v := range h.of {
			all.Degree[h.first+i], all.Type[h.first+i] = all.Degree[v], all.Type[v]
		}
		return all
	}
}
