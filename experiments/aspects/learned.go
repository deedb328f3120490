package aspects

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
)

// Learned are the several vectors of each vertex that a model has learned: aspects of asp2vec, facets of PolyDW, personas of Splitter.
//
// asp2vec learns to find the vector Q_v^(k) of a context near the centres P_u around it, so that these are compared. Where there are no centres,
// facets of the same number are compared, and personas, whose numbers mean nothing, all.
type Learned struct {
	eval.MultiEmbedding
	Center  *eval.Embedding // (N,D) of a method with centres; else nil
	Numbers bool            // vector k of one vertex belongs with vector k of another
}

// LearnedOf returns those of an embedding of a method, nil where it has one vector for each vertex.
func LearnedOf(e graphs.Embedding, m *graphs.Method) *Learned {
	n := len(e.Final) / e.D
	if len(e.Vectors) <= n*e.D {
		return nil
	}
	x := &Learned{MultiEmbedding: eval.MultiEmbedding{First: e.First, D: e.D, Data: e.Vectors}, Numbers: m.Name == graphs.MethodPolyDW}
	if m.Name == graphs.MethodAsp2vec {
		x.Center = &eval.Embedding{N: n, D: e.D, Data: e.Center}
	}
	return x
}

func (x *Learned) row(r int32) []float32 { return x.Data[int(r)*x.D:][:x.D] }

// Number returns which of the vectors of v, from 0, a link to u belongs to: the one with the largest inner product with the centre of u, which
// is the one that asp2vec would pick if v were all of u's context (Eq. 3 to 6). Without centres it is the one with the largest with any of the
// vectors of u, where they have numbers with the one of the same number.
func (x *Learned) Number(v, u int32) int32 {
	best, most := int32(0), float32(math.Inf(-1))
	to := x.First[u : u+2]
	for r := x.First[v]; r < x.First[v+1]; r++ {
		score := float32(math.Inf(-1))
		switch {
		case x.Center != nil:
			score = kernel.Dot(x.Center.Row(int(u)), x.row(r))
		case x.Numbers:
			score = kernel.Dot(x.row(to[0]+r-x.First[v]), x.row(r))
		default:
			for other := to[0]; other < to[1]; other++ {
				score = max(score, kernel.Dot(x.row(other), x.row(r)))
			}
		}
		if score > most {
			best, most = r-x.First[v], score
		}
	}
	return best
}

// Near returns the vertices that are near a vector of v, from 0, the nearest first. It returns an error for vectors that are not finite, and when
// ctx ends.
func (x *Learned) Near(ctx context.Context, v, k int32, top, threads int) ([]eval.Neighbor, error) {
	table := eval.Embedding{N: len(x.Data) / x.D, D: x.D, Data: x.Data}
	owner := owners(x.First)
	skip := func(r int32) bool { return owner[r] == v || x.Numbers && r-x.First[owner[r]] != k }
	if x.Center != nil {
		table, owner = *x.Center, nil
		skip = func(r int32) bool { return r == v }
	}
	near, err := eval.Nearest(ctx, table, x.row(x.First[v]+k), table.N, skip, threads)
	var out []eval.Neighbor
	seen := map[int32]bool{}
	for _, n := range near {
		if owner != nil {
			n.Row = owner[n.Row]
		}
		if !seen[n.Row] && len(out) < top { // each vertex once
			seen[n.Row] = true
			out = append(out, n)
		}
	}
	return out, err
}
