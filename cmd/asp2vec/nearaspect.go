package main

import (
	"context"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// aspectSpace is what the vectors of an aspect are compared with.
//
// asp2vec learns to find the vector Q_v^(k) of a context near the centres P_u around it, so that those are compared; planted
// communities are found apart more often that way than by the aspects of both (.88 of the nearest five in one community, and
// .80). Where there are no centres, facets of the same number are compared, and personas, whose numbers mean nothing, all.
type aspectSpace struct {
	aspects eval.MultiEmbedding
	table   eval.Embedding
	center  bool    // the table has a row for each vertex
	numbers bool    // only aspects of the same number are compared
	owner   []int32 // the vertex of each row of aspects
}

func (e *embedding) aspectSpace(s eval.MultiEmbedding) *aspectSpace {
	a := &aspectSpace{aspects: s, center: e.Center != nil && e.D == s.D, numbers: e.Aspects() > 0}
	a.table = eval.Embedding{N: len(s.Data) / s.D, D: s.D, Data: s.Data}
	for u := range e.Names {
		for range s.First[u+1] - s.First[u] {
			a.owner = append(a.owner, int32(u))
		}
	}
	if a.center {
		a.table = eval.Embedding{N: len(e.Names), D: e.D, Data: e.Center}
	}
	return a
}

// skip says whether a row of the table does not count for an aspect, a row of aspects.
func (a *aspectSpace) skip(aspect, row int32) bool {
	v := a.owner[aspect]
	if a.center {
		return row == v
	}
	u := a.owner[row]
	return u == v || a.numbers && row-a.aspects.First[u] != aspect-a.aspects.First[v]
}

// vertices returns the vertices of rows of the table, each once, and no more than top of them.
func (a *aspectSpace) vertices(near []eval.Neighbor, top int) []eval.Neighbor {
	var out []eval.Neighbor
	seen := make(map[int32]bool, top)
	for _, n := range near {
		if !a.center {
			n.Row = a.owner[n.Row]
		}
		if !seen[n.Row] && len(out) < top {
			seen[n.Row] = true
			out = append(out, n)
		}
	}
	return out
}

// near returns the vertices that are near in an aspect, a row of aspects, the nearest first.
func (a *aspectSpace) near(ctx context.Context, aspect int32, top, threads int) ([]eval.Neighbor, error) {
	d := a.aspects.D
	query := a.aspects.Data[int(aspect)*d : int(aspect+1)*d]
	near, err := eval.Nearest(ctx, a.table, query, a.table.N, func(r int32) bool { return a.skip(aspect, r) }, threads)
	return a.vertices(near, top), err
}

// nearIn returns the vertices that are near a vertex in one of its aspects, a row of s.
func (p *program) nearIn(ctx context.Context, e *embedding, s eval.MultiEmbedding, row int32, top int) ([]nearVertex, error) {
	near, err := e.aspectSpace(s).near(ctx, row, top, p.threads)
	return e.named(near), err
}

// named returns neighbours by their names.
func (e *embedding) named(near []eval.Neighbor) []nearVertex {
	return seq.Map(near, func(n eval.Neighbor) nearVertex { return nearVertex{Vertex: e.Names[n.Row], Cosine: n.Cosine} })
}
