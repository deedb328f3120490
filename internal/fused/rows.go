package fused

import (
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
)

// CenterRow adds the gradient of row v of the centre table (D) to dst; it says whether the batch used the row.
func (p *Pairs) CenterRow(dst []float32, v int) bool {
	index := &p.batch.Index
	list := index.Windows[index.CenterStart[v]:index.CenterStart[v+1]]
	for _, w := range list {
		kernel.Axpy(dst, p.center[int(w)*p.c.Dim:][:p.c.Dim], 1)
	}
	return len(list) > 0
}

// AspectRow adds the gradient of block v of the aspect table (K,D) to dst; it says whether the batch used the block.
func (p *Pairs) AspectRow(dst []float32, v int) bool {
	index := &p.batch.Index
	lo, hi := index.Start[v], index.Start[v+1]
	if lo == hi {
		return false
	}
	kernel.Outer(dst, p.coef, p.from, index.Slots[lo:hi], index.Owners[lo:hi], p.c.Aspects, p.c.Dim)
	return true
}

// prefetched is how many of a row's contributions are asked for ahead: rows with more are rare in a network whose tables
// outgrow the caches, and the processor sees their addresses early enough by itself.
const prefetched = 4

// PrefetchCenterRow asks for what CenterRow will read.
func (p *Pairs) PrefetchCenterRow(v int) {
	index, d := &p.batch.Index, p.c.Dim
	lo, hi := int(index.CenterStart[v]), int(index.CenterStart[v+1])
	for _, w := range index.Windows[lo:min(hi, lo+prefetched)] {
		memory.Prefetch(p.center[int(w)*d:][:d])
	}
}

// PrefetchAspectRow asks for what AspectRow will read.
func (p *Pairs) PrefetchAspectRow(v int) {
	index, k, d := &p.batch.Index, p.c.Aspects, p.c.Dim
	lo, hi := int(index.Start[v]), int(index.Start[v+1])
	for i := lo; i < min(hi, lo+prefetched); i++ {
		memory.Prefetch(p.coef[int(index.Slots[i])*k:][:k])
		memory.Prefetch(p.from[int(index.Owners[i])*d:][:d])
	}
}

// prefetchWindow asks for the rows that pass one reads for window w.
func (p *Pairs) prefetchWindow(w int, centers, aspects []float32) {
	b, d, kd := p.batch, p.c.Dim, p.c.Aspects*p.c.Dim
	memory.Prefetch(centers[int(b.Center[w])*d:][:d])
	for _, v := range b.Context[w*b.Slots:][:b.Count[w]] {
		memory.Prefetch(aspects[int(v)*kd:][:kd])
	}
	for _, v := range b.Negative[(w*b.Slots+int(b.First[w]))*b.Negatives : (w*b.Slots+int(b.Last[w]))*b.Negatives] {
		memory.Prefetch(aspects[int(v)*kd:][:kd])
	}
}
