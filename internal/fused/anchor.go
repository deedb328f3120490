package fused

import (
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/walks"
)

// Anchor ties centres to frozen vectors: each centre i of a pair also predicts the vertex that owns it,
//
//	λ [ softplus(-<P_i,B_o(i)>) + Σ_m softplus(<P_i,B_o(m)>) ]
//
// for a frozen table B, with the owners of the window's first negatives as noise, the same for all pairs of the window.
type Anchor struct {
	Base   []float32 // (N,D)
	Owner  []int32   // of each row of the centre table, a row of Base
	Lambda float32
}

// AnchorNegatives returns the (M) vertices whose owners are noise for the anchor of window w: the negatives of its first pair
// in the batch.
func AnchorNegatives(b *walks.Batch, w int) []int32 {
	return b.Negative[(w*b.Slots+int(b.First[w]))*b.Negatives:][:b.Negatives]
}

// anchorScratch is a worker's memory for one window.
type anchorScratch struct {
	rows                     []int32
	score, loss, slope, coef []float32
}

// add adds the gradient of window w to the gradient of its centre x, and returns the window's loss.
func (a *Anchor) add(s *anchorScratch, p *Pairs, w int, x, gradient []float32) float64 {
	b := p.batch
	m, d := b.Negatives, p.c.Dim
	s.rows = append(s.rows[:0], a.Owner[b.Center[w]])
	for _, v := range AnchorNegatives(b, w) {
		s.rows = append(s.rows, a.Owner[v])
	}
	s.score, s.loss, s.slope, s.coef = grown(s.score, 1+m), grown(s.loss, 1+m), grown(s.slope, 1+m), grown(s.coef, 1+m)
	kernel.Dots(s.score, x, a.Base, s.rows, 1, d)
	kernel.SoftplusSigmoid(s.loss[:1], s.slope[:1], s.score[:1], -1)
	kernel.SoftplusSigmoid(s.loss[1:], s.slope[1:], s.score[1:], 1)
	weight := a.Lambda * float32(b.Last[w]-b.First[w])
	unit := weight / float32(b.Pairs)
	pos := kernel.ScaleSum(s.coef[:1], s.slope[:1], s.loss[:1], -unit)
	neg := kernel.ScaleSum(s.coef[1:], s.slope[1:], s.loss[1:], unit)
	kernel.Combine(gradient, s.coef, a.Base, s.rows, 1, d)
	return float64(weight) * (float64(pos) + float64(neg))
}
