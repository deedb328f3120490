package eval

import "context"

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
	kept := min(n, e.N)
	if n > 0 {
		kept += spare // as Neighbors are right up to rounding
	}
	near, err := Neighbors(ctx, Embedding{N: 1, D: len(query), Data: query}, e, kept, func(_, row int32) bool { return skip != nil && skip(row) }, threads)
	if err != nil {
		return nil, err
	}
	return near[0][:min(n, len(near[0]))], nil
}

// Cosine returns the cosine of two vectors of the same length, in [-1,1]; 0 if one of them is zero.
func Cosine(u, v []float32) float64 {
	wide := make([]float64, len(u))
	widen(wide, u)
	uv, uu := dot(wide, v), dot(wide, u)
	widen(wide, v)
	return cosine(uv, uu, dot(wide, v))
}
