package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
)

// queryRows and panelRows are the queries, and the rows of the table, of which one product is taken at a time.
const (
	queryRows = 256
	panelRows = 4096
)

// Neighbors returns for each of Q queries (Q,D) the n rows of a table (N,D) with the largest cosines to it, the nearest first, or
// all if there are fewer: what Nearest returns for each, but that rows whose cosines differ by float32's rounding alone may
// change places at the end of the list. Rows with skip(query, row) true are left out; skip may be nil, and must be safe for
// several goroutines. It takes Q·N·D multiplications, a few tens of thousand million of which are done in a second; the result does
// not depend on threadCount, which is as in ScoreOptions.
//
// It returns an error for tables that are not finite or do not fit, for n < 1, and when ctx ends.
func Neighbors(ctx context.Context, queries, table Embedding, n int, skip func(query, row int32) bool, threadCount int) ([][]Neighbor, error) {
	if err := queries.Validate(); err != nil {
		return nil, err
	}
	if err := table.Validate(); err != nil {
		return nil, err
	}
	if queries.D != table.D {
		return nil, fmt.Errorf("eval: Neighbors: queries of dimension %d and vectors of dimension %d: expected the same", queries.D, table.D)
	}
	if n < 1 {
		return nil, fmt.Errorf("eval: Neighbors: %d neighbours: expected at least 1", n)
	}
	n = min(n, table.N)
	unitQueries, units := UnitRows(queries), UnitRows(table)
	out := make([][]Neighbor, queries.N)
	work := threads(threadCount)
	scratch := make([][]float32, work)
	par.Blocks(work, (queries.N+queryRows-1)/queryRows, func(worker, block int) {
		if ctx.Err() != nil {
			return
		}
		if scratch[worker] == nil {
			scratch[worker] = make([]float32, queryRows*panelRows)
		}
		begin, d := block*queryRows, table.D
		m := min(queryRows, queries.N-begin)
		best := make([]first[nearRow], m)
		for lo := 0; lo < table.N; lo += panelRows {
			width := min(panelRows, table.N-lo)
			c := scratch[worker][:m*width]
			kernel.Gemm(1, false, true, m, width, d, unitQueries[begin*d:], d, units[lo*d:], d, false, c, width)
			for i := range m {
				b := &best[i]
				for j, x := range c[i*width : (i+1)*width] {
					if r := int32(lo + j); (!b.full || x > b.last.cosine) && (skip == nil || !skip(int32(begin+i), r)) { // as rows come in their order
						b.add(nearRow{r, x}, n, 64, nearer)
					}
				}
			}
		}
		for i := range m {
			out[begin+i] = nearest(best[i].list, queries.Row(begin+i), table, n)
		}
	})
	return out, ctx.Err()
}

type nearRow struct {
	row    int32
	cosine float32
}

func nearer(a, b nearRow) int {
	return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.row, b.row))
}

// first keeps what comes first in an order of all that it has seen.
type first[T any] struct {
	list []T
	last T // that can still be among the first, once full
	full bool
}

// add keeps one more, and now and then sorts out those that are not among the first n of an order. most is about how many more there may be.
func (f *first[T]) add(x T, n, most int, order func(a, b T) int) {
	f.list = append(f.list, x)
	if len(f.list) < n+max(n, most) {
		return
	}
	slices.SortFunc(f.list, order)
	f.list, f.last, f.full = f.list[:n], f.list[n-1], true
}

// nearest returns the n nearest of some rows, with their cosines as Nearest has them.
func nearest(rows []nearRow, query []float32, table Embedding, n int) []Neighbor {
	slices.SortFunc(rows, nearer)
	out := make([]Neighbor, min(n, len(rows)))
	for i := range out {
		r := rows[i].row
		out[i] = Neighbor{Row: r, Cosine: Cosine(query, table.Row(int(r)))}
	}
	slices.SortFunc(out, func(a, b Neighbor) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Row, b.Row)) })
	return out
}

// UnitRows returns the rows of a table at length 1; zero rows stay.
func UnitRows(e Embedding) []float32 {
	out := make([]float32, len(e.Data))
	for v := range e.N {
		var square float64
		for _, x := range e.Row(v) {
			square += float64(x) * float64(x)
		}
		if square > 0 {
			scale := 1 / math.Sqrt(square)
			for j, x := range e.Row(v) {
				out[v*e.D+j] = float32(float64(x) * scale)
			}
		}
	}
	return out
}
