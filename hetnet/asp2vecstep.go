package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/walks"
)

// step moves the parameters against the gradient of a batch around authors and one around papers.
func (m *asp2vecHet) step(a, p *walks.Batch) (l graphs.Loss, err error) {
	vectors, err := m.encode(a, p)
	if err != nil {
		return l, err
	}
	l1, err := m.authorTerms.Pairs.Forward(a)
	if err != nil {
		return l, err
	}
	l2, err := m.paperTerms.Pairs.Forward(p)
	if err != nil {
		return l, err
	}
	if m.authorTerms.Penalty != nil {
		if l.Penalty, err = m.authorTerms.Penalty.Forward(); err != nil {
			return l, err
		}
	}
	l.Pairs = l1 + l2
	if err := finite(l.Pairs+l.Penalty, m.o.LearningRate); err != nil {
		return l, err
	}
	if err := m.backward(vectors); err != nil {
		return l, err
	}
	m.move.Begin(a.Pairs * m.o.Aspects)
	l.Penalty += m.moveFree()
	if m.heads != nil {
		l.Penalty += m.move.MoveWhole(m.heads, m.o.Decay, m.dHeads)
	}
	l.Penalty += m.papers.move(m.move, m.o.Decay)
	return l, finite(l.Pairs+l.Penalty, m.o.LearningRate) // once more: a fused penalty comes with the move
}

// encode fills the rows of papers, and T, for the batches, and returns f (U,D) of the papers in them.
func (m *asp2vecHet) encode(a, p *walks.Batch) ([]float32, error) {
	k, d := m.o.Aspects, m.o.Dim
	vectors, err := m.papers.encode(m.p, a, p)
	if err != nil {
		return nil, err
	}
	used := m.papers.used
	if m.heads != nil {
		m.aspects = grown(m.aspects, len(used)*k*d)
		kernel.Gemm(m.threads, false, true, len(used), k*d, d, vectors, d, m.heads.X, d, false, m.aspects, k*d)
	}
	eachRow(m.threads, len(used), func(i int) {
		v, f := int(used[i]), vectors[i*d:][:d]
		copy(m.t.Row(v), f)
		switch {
		case m.heads != nil:
			copy(m.q.Row(v), m.aspects[i*k*d:][:k*d])
			return
		case m.spread != nil:
			m.spreadRow(v)
			return
		}
		for row := m.q.Row(v); len(row) > 0; row = row[d:] {
			copy(row[:d], f)
		}
	})
	m.final(m.t.X)
	if m.spread != nil {
		eachRow(m.threads, m.freeP.Rows, m.spreadRow)
	}
	return vectors, nil
}

// spreadRow puts P'_v into its places; what lies between them stays zero.
func (m *asp2vecHet) spreadRow(v int) {
	d, row := m.o.Dim, m.spread.Row(v)
	for s := range m.o.Aspects {
		copy(row[(s*m.o.Aspects+s)*d:][:d], m.p.Row(v))
	}
}

// unspread adds the gradient of P'_v, which is that of its places, to g.
func (m *asp2vecHet) unspread(g []float32, v int) {
	k, d := m.o.Aspects, len(g)
	row := make([]float32, k*k*d)
	m.authorTerms.Pairs.AspectRow(row, v)
	for s := range k {
		kernel.Axpy(g, row[(s*k+s)*d:][:d], 1)
	}
}

// final writes U = (P + mean Q)/2 of the free rows, with the aspects added up in order.
func (m *asp2vecHet) final(dst []float32) {
	k, d := m.o.Aspects, m.o.Dim
	eachRow(m.threads, m.freeP.Rows, func(v int) {
		u := dst[v*d:][:d]
		clear(u)
		for q := m.freeQ.Row(v); len(q) > 0; q = q[d:] {
			kernel.Axpy(u, q[:d], 1/float32(2*k))
		}
		kernel.Axpy(u, m.freeP.Row(v), 0.5)
	})
}

// backward works out the gradients of T's free rows, of the heads and of the encoder, all at the parameters as they are.
func (m *asp2vecHet) backward(vectors []float32) error {
	k, d := m.o.Aspects, m.o.Dim
	authors, papers := m.authorTerms.Pairs, m.paperTerms.Pairs
	free, used := m.freeP.Rows, len(m.papers.used)
	m.dT, m.dAspects = grown(m.dT, free*d), grown(m.dAspects, used*k*d)
	clear(m.dT)
	clear(m.dAspects)
	eachRow(m.threads, free, func(v int) { papers.AspectRow(m.dT[v*d:][:d], v) })
	grad := m.papers.gradient(d, func(g []float32, i, v int) {
		papers.CenterRow(g, v)
		papers.AspectRow(g, v)
		if m.spread != nil {
			m.unspread(g, v)
			return
		}
		dv := m.dAspects[i*k*d:][:k*d]
		authors.AspectRow(dv, v)
		if m.heads == nil {
			for ; len(dv) > 0; dv = dv[d:] {
				kernel.Axpy(g, dv[:d], 1)
			}
		}
	})
	if m.heads != nil {
		kernel.Gemm(m.threads, false, false, used, d, k*d, m.dAspects, k*d, m.heads.X, d, true, grad, d)
		m.dHeads = grown(m.dHeads, k*d*d)
		kernel.Gemm(m.threads, true, false, k*d, d, used, m.dAspects, k*d, vectors, d, false, m.dHeads, d)
	}
	return m.encoder.Backward(grad)
}

// moveFree moves the vectors that are learnt, and returns the penalty that Forward has not. First those of contexts: their
// gradient is made of centres as they were.
func (m *asp2vecHet) moveFree() float64 {
	if m.spread != nil {
		penalty := m.move.Move(m.freeP, graphs.RowWork{Gradient: m.gradientP})
		return penalty + m.move.Move(m.freeQ, graphs.RowWork{Gradient: m.gradientQ})
	}
	penalty := m.move.Move(m.freeQ, graphs.RowWork{Gradient: m.gradientQ})
	return penalty + m.move.Move(m.freeP, graphs.RowWork{Gradient: m.gradientP})
}

// gradientQ sets g, zeros so far, to the gradient of Q_v, and returns the row's part of the penalty if Forward has not.
func (m *asp2vecHet) gradientQ(g []float32, v int) (penalty float64) {
	k, d := m.o.Aspects, m.o.Dim
	if m.authorTerms.Penalty != nil {
		penalty = m.authorTerms.Penalty.Row(g, v)
	}
	if m.spread != nil {
		m.authorTerms.Pairs.CenterRow(g, v)
	} else {
		m.authorTerms.Pairs.AspectRow(g, v)
	}
	for row := g; len(row) > 0; row = row[d:] {
		kernel.Axpy(row[:d], m.dT[v*d:][:d], 1/float32(2*k))
	}
	return penalty + decayed(g, m.freeQ.Row(v), m.o.Decay)
}

// gradientP adds the gradient of P_v to g, and returns the row's part of the penalty.
func (m *asp2vecHet) gradientP(g []float32, v int) float64 {
	if m.spread != nil {
		m.unspread(g, v)
	} else {
		m.authorTerms.Pairs.CenterRow(g, v)
	}
	kernel.Axpy(g, m.dT[v*m.o.Dim:][:m.o.Dim], 0.5)
	return decayed(g, m.freeP.Row(v), m.o.Decay)
}

// grown returns a slice of n numbers, in the memory of s if it fits.
func grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return memory.Zeros(n)
	}
	return s[:n]
}
