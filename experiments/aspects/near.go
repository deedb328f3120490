package aspects

import (
	"context"

	"github.com/asp2vec/asp2vec/eval"
)

// Space is what the vectors of aspects are compared with.
//
// asp2vec learns to find the vector Q_v^(k) of a context near the centres P_u around it, so that those are compared; planted
// communities are found apart more often that way than by the aspects of both (.88 of the nearest five in one community, and
// .80). Where there are no centres, facets of the same number are compared, and personas, whose numbers mean nothing, all.
type Space struct {
	Vectors
	rows, table eval.Embedding // the several vectors, one for each aspect of each vertex, and what they are compared with
	owner       []int32        // the vertex of each of these rows
}

// Space returns that of vectors, of which there are several for each vertex; the final ones need not be there.
func (x Vectors) Space() Space {
	s := x.Aspects
	a := Space{Vectors: x, rows: eval.Embedding{N: len(s.Data) / s.D, D: s.D, Data: s.Data}}
	if a.table = a.rows; x.Center != nil {
		a.table = *x.Center
	}
	for u := range len(s.First) - 1 {
		for range s.First[u+1] - s.First[u] {
			a.owner = append(a.owner, int32(u))
		}
	}
	return a
}

// skip says whether a row of the table does not count for an aspect, a row of aspects.
func (a Space) skip(aspect, row int32) bool {
	v := a.owner[aspect]
	if a.Center != nil {
		return row == v
	}
	u := a.owner[row]
	return u == v || a.Numbers && row-a.Aspects.First[u] != aspect-a.Aspects.First[v]
}

// vertices returns the vertices of rows of the table, each once, and no more than top of them.
func (a Space) vertices(near []eval.Neighbor, top int) []eval.Neighbor {
	var out []eval.Neighbor
	seen := make(map[int32]bool, top)
	for _, n := range near {
		if a.Center == nil {
			n.Row = a.owner[n.Row]
		}
		if !seen[n.Row] && len(out) < top {
			seen[n.Row] = true
			out = append(out, n)
		}
	}
	return out
}

// Near returns the vertices that are near in an aspect, a row of the several vectors, the nearest first. It returns an error for vectors that
// are not finite, and when ctx ends.
func (a Space) Near(ctx context.Context, aspect int32, top, threads int) ([]eval.Neighbor, error) {
	near, err := eval.Nearest(ctx, a.table, a.rows.Row(int(aspect)), a.table.N, func(r int32) bool { return a.skip(aspect, r) }, threads)
	return a.vertices(near, top), err
}

// NearAll returns the vertices that are near in each aspect. It returns the errors of Near.
func (a Space) NearAll(ctx context.Context, top, threads int) ([][]eval.Neighbor, error) {
	each := top
	if a.Center == nil && !a.Numbers {
		each = 4 * top // of which some belong to one vertex
	}
	all, err := eval.Neighbors(ctx, a.rows, a.table, each, a.skip, threads)
	for row, near := range all {
		all[row] = a.vertices(near, top)
	}
	return all, err
}
