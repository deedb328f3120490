package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Neighbor is a row of a table that is near a vector.
type Neighbor struct {
	Row    int32
	Cosine float64 // in [-1,1]
}

// Nearest returns the n rows of a table with the largest cosines to query (D), the nearest first, or all if there are fewer.
// Rows with skip(row) true are left out; skip may be nil. Equal cosines stand in the order of the rows, and a zero vector has
// cosine 0 with all. The search is exact: it takes N·D multiplications. threads is as in ScoreOptions.
//
// It returns an error for a table or a query that is not finite or does not fit, for n < 1, and when ctx ends.
func Nearest(ctx context.Context, e Embedding, query []float32, n int, skip func(row int32) bool, threads int) ([]Neighbor, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	q := Embedding{N: 1, D: len(query), Data: query}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	switch {
	case q.D != e.D:
		return nil, fmt.Errorf("eval: Nearest: a vector of dimension %d and vectors of dimension %d: expected the same", q.D, e.D)
	case n < 1:
		return nil, fmt.Errorf("eval: Nearest: %d neighbours: expected at least 1", n)
	}
	square, err := squares(ctx, e, threads)
	if err != nil {
		return nil, err
	}
	wide := make([]float64, e.D)
	widen(wide, query)
	own := dot(wide, query)
	out := make([]Neighbor, e.N)
	err = forRows(ctx, e.N, threads, func(lo, hi int) {
		for r := lo; r < hi; r++ {
			out[r] = Neighbor{int32(r), cosine(dot(wide, e.Row(r)), own, square[r])}
		}
	})
	if skip != nil {
		out = slices.DeleteFunc(out, func(v Neighbor) bool { return skip(v.Row) })
	}
	slices.SortStableFunc(out, func(a, b Neighbor) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return out[:min(n, len(out))], err
}

// Cosine returns the cosine of two vectors of the same length, in [-1,1]; 0 if one of them is zero.
func Cosine(u, v []float32) float64 {
	wide := make([]float64, len(u))
	widen(wide, u)
	uv, uu := dot(wide, v), dot(wide, u)
	widen(wide, v)
	return cosine(uv, uu, dot(wide, v))
}
