package fused

import "github.com/asp2vec/asp2vec/internal/kernel"

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
func (p *Pairs) AspectRow(dst, centers []float32, v int) bool {
	index := &p.batch.Index
	lo, hi := index.Start[v], index.Start[v+1]
	if lo == hi {
		return false
	}
	kernel.Outer(dst, p.coef, centers, index.Slots[lo:hi], index.Owners[lo:hi], p.c.Aspects, p.c.Dim)
	return true
}
