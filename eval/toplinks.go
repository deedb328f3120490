package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// ScoredLink is a link with its score.
type ScoredLink struct {
	network.Link
	Score float64
}

// TopLinks returns the n pairs of vertices with the highest scores, the highest first, without those that known says are linked
// already. from limits them to pairs with one of these vertices, which then stands first; nil means all pairs, with the smaller
// vertex first, and in either order where a score tells a link from its reverse. A vertex is never paired with itself. Pairs of the same score stand in the order of their vertices. It scores
// every pair: N·D multiplications for each vertex of from, or N²·D/2 in all, and K² times as many for the score max; but those near each vertex alone
// where LinkScorer.Near tells which have a score at all. The result does not depend on threads. known, which may be nil, must be safe for several goroutines.
//
// It returns an error for n < 1, vertices out of range, and when ctx ends.
func TopLinks(ctx context.Context, s *LinkScorer, from []int32, known func(u, v int32) bool, n, threadCount int) ([]ScoredLink, error) {
	if n < 1 {
		return nil, fmt.Errorf("eval: TopLinks: %d links: expected at least 1", n)
	}
	all := from == nil
	if all {
		from = seq.Upto(int32(s.N))
	}
	for _, v := range from {
		if v < 0 || int(v) >= s.N {
			return nil, fmt.Errorf("eval: TopLinks: vertex %d: expected 0 to %d", v, s.N-1)
		}
	}
	n = min(n, s.N*s.N)     // no more than there are
	kept := n + n/8 + spare // rows are right up to rounding: those near the last place are scored again
	work := threads(threadCount)
	if s.Rows == nil && s.Near == nil {
		work = 1 // its scorer has threads of its own
	}
	best := make([]topLinks, work)
	failed := make([]error, work)
	par.Blocks(work, (len(from)+sourceBlock-1)/sourceBlock, func(worker, block int) {
		if ctx.Err() != nil || failed[worker] != nil {
			return
		}
		us := from[block*sourceBlock : min((block+1)*sourceBlock, len(from))]
		b := &best[worker]
		see := func(u, v int32, score float64) {
			if v != u && b.wants(score) && (known == nil || !known(u, v)) {
				b.add(ScoredLink{network.Link{From: u, To: v}, score}, kept, 1024, higher)
			}
		}
		once := all && !s.Directed // each pair, from its smaller vertex
		if s.Near != nil {
			if b.near == nil {
				b.near = s.Near()
			}
			for _, u := range us {
				b.near(u, func(v int32, score float64) {
					if !once || v > u {
						see(u, v, score)
					}
				})
			}
			return
		}
		first := 0
		if once {
			first = int(us[0])
		}
		rows, err := b.scores(s, us, first)
		if err != nil {
			failed[worker] = err
			return
		}
		for i, u := range us {
			at := first
			if once {
				at = int(u) + 1
			}
			for v := at; v < s.N; v++ {
				see(u, int32(v), rows[i*s.N+v])
			}
		}
	})
	var merged []ScoredLink
	for w := range best {
		if failed[w] != nil {
			return nil, failed[w]
		}
		merged = append(merged, best[w].list...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.Near != nil && len(merged) < n { // the first of score 0 belong to them
		scored := seq.Set(merged, func(l ScoredLink) network.Link { return l.Link })
		for _, u := range slices.Sorted(slices.Values(from)) {
			first := int32(0)
			if all && !s.Directed {
				first = u + 1
			}
			for v := first; int(v) < s.N && len(merged) < n; v++ {
				l := network.Link{From: u, To: v}
				if _, there := scored[l]; v != u && !there && (known == nil || !known(u, v)) {
					merged = append(merged, ScoredLink{Link: l})
				}
			}
		}
	}
	slices.SortFunc(merged, higher)
	merged = merged[:min(kept, len(merged))]
	// A row is computed in another order than a score: what is told is what Score says.
	links := make([]network.Link, len(merged))
	for i, l := range merged {
		links[i] = l.Link
	}
	scores, err := s.Score(links)
	if err != nil {
		return nil, err
	}
	for i := range merged {
		merged[i].Score = scores[i]
	}
	slices.SortFunc(merged, higher)
	return merged[:min(n, len(merged))], nil
}

// spare is how many more links are kept than are wanted, at least.
const spare = 32

// higher orders links by score, then by their vertices.
func higher(a, b ScoredLink) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// topLinks keeps the best links that one worker has seen.
type topLinks struct {
	first[ScoredLink]
	near  func(u int32, use func(v int32, score float64))
	out   []float64
	pairs []network.Link
}

func (b *topLinks) wants(score float64) bool { return !b.full || score >= b.last.Score }

// scores returns the scores (len(us),N) of some vertices with all from first on.
func (b *topLinks) scores(s *LinkScorer, us []int32, first int) ([]float64, error) {
	if b.out == nil {
		b.out = make([]float64, sourceBlock*s.N)
	}
	out := b.out[:len(us)*s.N]
	if s.Rows != nil {
		s.Rows(us, first, out)
		for i, u := range us {
			if j := slices.IndexFunc(out[i*s.N+first:(i+1)*s.N], math.IsNaN); j >= 0 {
				return nil, fmt.Errorf("eval: TopLinks: the score of (%d,%d) is not a number", u, first+j)
			}
		}
		return out, nil
	}
	b.pairs = b.pairs[:0]
	for _, u := range us {
		for v := first; v < s.N; v++ {
			b.pairs = append(b.pairs, network.Link{From: u, To: int32(v)})
		}
	}
	scores, err := s.Links(b.pairs)
	for i := range us {
		if width := s.N - first; err == nil {
			copy(out[i*s.N+first:(i+1)*s.N], scores[i*width:])
		}
	}
	return out, err
}

// pairwise makes the Links and Rows of a score of pairs of n vertices one by one. Each goroutine calls of once: source is told of the first end of
// the pairs that score scores next.
func pairwise(ctx context.Context, n, threads int, of func() (source func(u int), score func(u, v int) float64)) *LinkScorer {
	return &LinkScorer{
		Links: func(links []network.Link) ([]float64, error) {
			out := make([]float64, len(links))
			err := forRows(ctx, len(links), threads, func(lo, hi int) {
				source, score := of()
				for i := lo; i < hi; i++ {
					u := int(links[i].From)
					source(u)
					out[i] = score(u, int(links[i].To))
				}
			})
			return out, err
		},
		Rows: func(us []int32, first int, out []float64) {
			source, score := of()
			for i, u := range us {
				source(int(u))
				for v := first; v < n; v++ {
					out[i*n+v] = score(int(u), v)
				}
			}
		},
	}
}

// whatever is the source of scores that need not be told of it.
func whatever(int) {}

// panels makes a LinkScorer.Rows of inner products of left, a row that is made of that of a vertex u, with the rows v of a table. They are taken in float32.
func panels(e Embedding, left func(dst []float32, u int), of func(uv float64, u, v int) float64) func(us []int32, first int, out []float64) {
	return func(us []int32, first int, out []float64) {
		a, c := make([]float32, len(us)*e.D), make([]float32, len(us)*panelRows)
		for i, u := range us {
			left(a[i*e.D:(i+1)*e.D], int(u))
		}
		for lo := first; lo < e.N; lo += panelRows {
			width := min(panelRows, e.N-lo)
			kernel.Gemm(1, false, true, len(us), width, e.D, a, e.D, e.Data[lo*e.D:], e.D, false, c, width)
			for i, u := range us {
				for j, x := range c[i*width : (i+1)*width] {
					out[i*e.N+lo+j] = of(float64(x), int(u), lo+j)
				}
			}
		}
	}
}

// moderate says whether inner products of the rows of a table neither overflow in float32 nor vanish.
func moderate(square []float64) bool {
	return !slices.ContainsFunc(square, func(x float64) bool { return x != 0 && (x < 1e-24 || x > 1e30) })
}
