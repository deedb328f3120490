package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/walks"
)

// hetFused is asp2vec-het's loss and its gradients by two fused ops, of windows around authors and around papers, over tables that
// have rows for papers.
type hetFused struct {
	*asp2vecHet
	t            *graphs.Table // (N,1,D)
	ends, spread *graphs.Table // (N,K·D), (N,K,K·D): for the variant of the target, q as it lies, and P' in each of K places
	authorTerms  graphs.Terms  // L1 + λ reg
	paperTerms   graphs.Terms  // L2; nothing where no vertex's content tells its aspect

	vectors  []float32 // (U,D) of the used papers
	aspects  []float32 // (U,K,D): V of the used papers
	dAspects []float32 // (U,K,D): dL/dV
	dHeads   []float32 // (K,D,D)
	dT       []float32 // (F,D): dL/dT of the free rows
}

func (m *asp2vecHet) fused() (stepPass, error) {
	o := m.o
	o.Engine = graphs.EngineFused
	f := &hetFused{asp2vecHet: m, t: graphs.NewTable("T", m.p.Rows, 1, o.Dim)}
	centers, contexts := m.p, m.q
	if Own(o).Variant == VariantTarget {
		k, d := o.Aspects, o.Dim
		f.ends = &graphs.Table{Name: "Q", Rows: m.q.Rows, Block: []int{k * d}, X: m.q.X}
		f.spread = graphs.NewTable("spread", m.p.Rows, k, k*d)
		centers, contexts = f.ends, f.spread
	}
	var err error
	if f.authorTerms, err = graphs.NewTerms(pairOptions(o, graphs.MethodOf(graphs.MethodAsp2vec)), centers, contexts, m.freeQ, m.threads); err != nil {
		return nil, err
	}
	if Own(o).AuthorWeight != 1 {
		f.authorTerms.Pairs = weighted{f.authorTerms.Pairs, float32(Own(o).AuthorWeight)}
	}
	if len(m.streams) > 1 {
		f.paperTerms, err = graphs.NewTerms(pairOptions(o, graphs.MethodOf(graphs.MethodDeepWalk)), m.p, f.t, f.t, m.threads)
	}
	return f, err
}

func (f *hetFused) forward(vectors []float32, batches []*walks.Batch) (l graphs.Loss, err error) {
	f.enter(vectors)
	l1, err := f.authorTerms.Pairs.Forward(batches[0])
	if err != nil {
		return l, err
	}
	var l2 float64
	if f.paperTerms.Pairs != nil {
		if l2, err = f.paperTerms.Pairs.Forward(batches[1]); err != nil {
			return l, err
		}
	}
	if f.authorTerms.Penalty != nil {
		l.Penalty, err = f.authorTerms.Penalty.Forward()
	}
	l.Pairs = l1 + l2
	return l, err
}

// enter fills the rows of papers, given the vectors (U,D) of those that are used, and T.
func (f *hetFused) enter(vectors []float32) {
	k, d := f.o.Aspects, f.o.Dim
	used := f.contents.used
	f.vectors = vectors
	f.contents.put(f.p, vectors)
	if f.heads != nil {
		f.aspects = grown(f.aspects, len(used)*k*d)
		kernel.Gemm(f.threads, false, true, len(used), k*d, d, vectors, d, f.heads.X, d, false, f.aspects, k*d)
	}
	eachRow(f.threads, len(used), func(i int) {
		v, x := int(used[i]), vectors[i*d:][:d]
		copy(f.t.Row(v), x)
		switch {
		case f.heads != nil:
			copy(f.q.Row(v), f.aspects[i*k*d:][:k*d])
			return
		case f.spread != nil:
			f.spreadRow(v)
			return
		}
		for row := f.q.Row(v); len(row) > 0; row = row[d:] {
			copy(row[:d], x)
		}
	})
	if f.paperTerms.Pairs != nil {
		f.final(f.t.X)
	}
	if f.spread != nil {
		eachRow(f.threads, f.freeP.Rows, f.spreadRow)
	}
}

// spreadRow puts P'_v into its places; what lies between them stays zero.
func (f *hetFused) spreadRow(v int) {
	d, row := f.o.Dim, f.spread.Row(v)
	for s := range f.o.Aspects {
		copy(row[(s*f.o.Aspects+s)*d:][:d], f.p.Row(v))
	}
}

// unspread adds the gradient of P'_v, which is that of its places, to g.
func (f *hetFused) unspread(g []float32, v int) {
	k, d := f.o.Aspects, len(g)
	row := make([]float32, k*k*d)
	f.authorTerms.Pairs.AspectRow(row, v)
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

// ofContents works out the gradients of T's free rows and of the heads too.
func (f *hetFused) ofContents() []float32 {
	k, d := f.o.Aspects, f.o.Dim
	authors, papers := f.authorTerms.Pairs, f.paperTerms.Pairs
	free, used := f.freeP.Rows, len(f.contents.used)
	f.dT, f.dAspects = grown(f.dT, free*d), grown(f.dAspects, used*k*d)
	clear(f.dT)
	clear(f.dAspects)
	if papers != nil {
		eachRow(f.threads, free, func(v int) { papers.AspectRow(f.dT[v*d:][:d], v) })
	}
	grad := f.contents.gradient(d, func(g []float32, i, v int) {
		if papers != nil {
			papers.CenterRow(g, v)
			papers.AspectRow(g, v)
		}
		if f.spread != nil {
			f.unspread(g, v)
			return
		}
		authors.CenterRow(g, v) // of a paper that is in the middle of no such window, nothing
		dv := f.dAspects[i*k*d:][:k*d]
		authors.AspectRow(dv, v)
		if f.heads == nil {
			for ; len(dv) > 0; dv = dv[d:] {
				kernel.Axpy(g, dv[:d], 1)
			}
		}
	})
	if f.heads != nil {
		kernel.Gemm(f.threads, false, false, used, d, k*d, f.dAspects, k*d, f.heads.X, d, true, grad, d)
		f.dHeads = grown(f.dHeads, k*d*d)
		kernel.Gemm(f.threads, true, false, k*d, d, used, f.dAspects, k*d, f.vectors, d, false, f.dHeads, d)
	}
	return grad
}

func (f *hetFused) row(table int, g []float32, v int) (penalty float64) {
	k, d := f.o.Aspects, f.o.Dim
	pairs := f.authorTerms.Pairs
	switch {
	case table == 2: // the heads
		copy(g, f.dHeads[v*len(g):])
	case table == 1: // Q
		if f.authorTerms.Penalty != nil {
			penalty = f.authorTerms.Penalty.Row(g, v)
		}
		if f.spread != nil {
			pairs.CenterRow(g, v)
		} else {
			pairs.AspectRow(g, v)
		}
		for row := g; len(row) > 0; row = row[d:] {
			kernel.Axpy(row[:d], f.dT[v*d:][:d], 1/float32(2*k))
		}
	default: // P
		if f.spread != nil {
			f.unspread(g, v)
		} else {
			pairs.CenterRow(g, v)
		}
		kernel.Axpy(g, f.dT[v*d:][:d], 0.5)
	}
	return penalty
}

// grown returns a slice of n numbers, in the memory of s if it fits.
func grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return memory.Zeros(n)
	}
	return s[:n]
}
