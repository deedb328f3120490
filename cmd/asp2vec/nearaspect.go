package main

import (
	"context"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// aspectSpace returns what the several vectors of each vertex are compared with.
func (e *embedding) aspectSpace(s eval.MultiEmbedding) aspects.Space {
	x := aspects.Vectors{Aspects: s, Numbers: e.Aspects() > 0}
	if e.Center != nil && e.D == s.D {
		x.Center = &eval.Embedding{N: len(e.Names), D: e.D, Data: e.Center}
	}
	return x.Space()
}

// nearIn returns the vertices that are near a vertex in one of its aspects, a row of s.
func (p *program) nearIn(ctx context.Context, e *embedding, s eval.MultiEmbedding, row int32, top int) ([]nearVertex, error) {
	near, err := e.aspectSpace(s).Near(ctx, row, top, p.threads)
	return e.named(near), err
}

// named returns neighbours by their names.
func (e *embedding) named(near []eval.Neighbor) []nearVertex {
	return seq.Map(near, func(n eval.Neighbor) nearVertex { return nearVertex{Vertex: e.Names[n.Row], Cosine: n.Cosine} })
}
