package symnmf

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/internal/par"
)

// blockVertices is how many vertices a worker takes at a time. Sums are over blocks and then over their sums, so it is part
// of the result's rounding and does not depend on the number of threads.
const blockVertices = 512

// solver holds H and what an update of it needs.
type solver struct {
	net     Network
	k       int
	threads int
	h, next []float64   // (N,K) the present H and the one after it
	gram    []float64   // (K,K) HᵀH
	sums    [][]float64 // (blocks)(K²+1) of each block: its part of nextᵀ next, and of tr(HᵀA H)
	rows    [][]float64 // (threads)(K) a row of A H
}

func newSolver(net Network, k, threads int) *solver {
	n := net.Vertices()
	s := &solver{net: net, k: k, threads: max(threads, 1), next: make([]float64, n*k), gram: make([]float64, k*k)}
	s.sums = make([][]float64, (n+blockVertices-1)/blockVertices)
	for b := range s.sums {
		s.sums[b] = make([]float64, k*k+1)
	}
	s.rows = make([][]float64, min(s.threads, len(s.sums)))
	for w := range s.rows {
		s.rows[w] = make([]float64, k, k+16) // no two workers write to one cache line
	}
	return s
}

// set makes h the present H, and keeps it.
func (s *solver) set(h []float64) {
	s.h = h
	s.blocks(func(_, v int, sums []float64) { s.addOuter(sums, h[v*s.k:][:s.k]) })
	s.total(s.gram)
}

// descend updates H until the objective hardly changes. Its result keeps H.
func (s *solver) descend(ctx context.Context, o Options) (*Factorization, error) {
	f := &Factorization{Facets: s.k}
	for last := math.Inf(1); ; f.Iterations++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// The objective of H is a by-product of the update after it, so that the last update is made in vain.
		trace := s.update()
		f.Objective = s.objective(trace)
		f.Converged = math.Abs(last-f.Objective) < o.Tolerance*last
		if f.Converged || f.Iterations == o.iterations {
			f.H, s.h = s.h, nil
			return f, nil
		}
		last = f.Objective
		s.accept()
	}
}

// update computes the H after the present one, and returns tr(HᵀA H) of the present one.
func (s *solver) update() (trace float64) {
	k := s.k
	s.blocks(func(worker, v int, sums []float64) {
		ah := s.rows[worker]
		clear(ah)
		for _, u := range s.net.Out(int32(v)) {
			for i, x := range s.h[int(u)*k:][:k] {
				ah[i] += x
			}
		}
		row, next := s.h[v*k:][:k], s.next[v*k:][:k]
		for i, x := range row {
			var hg float64 // of H HᵀH; the Gram matrix is symmetric
			for j, g := range s.gram[i*k:][:k] {
				hg += row[j] * g
			}
			next[i] = x * (0.5 + ah[i]/(2*hg+1e-12))
			sums[k*k] += x * ah[i]
		}
		s.addOuter(sums, next)
	})
	for _, sums := range s.sums {
		trace += sums[k*k]
	}
	return trace
}

// objective is ||A - H Hᵀ||² without its N² entries: the square of a sum, term by term.
func (s *solver) objective(trace float64) float64 {
	f := float64(s.net.Arcs()) - 2*trace
	for _, g := range s.gram {
		f += g * g
	}
	return f
}

// accept makes the H that update computed the present one.
func (s *solver) accept() {
	s.h, s.next = s.next, s.h
	s.total(s.gram)
}

// blocks calls do for every vertex, with the sums of its block, which begin at 0.
func (s *solver) blocks(do func(worker, v int, sums []float64)) {
	n := s.net.Vertices()
	par.Blocks(s.threads, len(s.sums), func(worker, b int) {
		clear(s.sums[b])
		for v := b * blockVertices; v < min((b+1)*blockVertices, n); v++ {
			do(worker, v, s.sums[b])
		}
	})
}

// addOuter adds the outer product of a row with itself to sums (K,K).
func (s *solver) addOuter(sums, row []float64) {
	for i, x := range row {
		to := sums[i*s.k:][:len(row)]
		for j, y := range row {
			to[j] += x * y
		}
	}
}

// total adds up the blocks' outer products into dst (K,K), in the order of the blocks.
func (s *solver) total(dst []float64) {
	clear(dst)
	for _, sums := range s.sums {
		for i := range dst {
			dst[i] += sums[i]
		}
	}
}
