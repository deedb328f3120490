package fused

import (
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// Noise writes the Gumbel noise of a window: K numbers, or K for each of the C context slots where noise is per pair.
// Composed graphs are fed from it too, so that both engines see the same draws.
func Noise(dst []float32, key rng.Key, b *walks.Batch, w int) {
	drawUniform(dst, key, b, w)
	kernel.Gumbel(dst, dst)
}

func drawUniform(dst []float32, key rng.Key, b *walks.Batch, w int) {
	kernel.Uniform(dst, uint64(key.With(b.Pass).With(b.ID[w]))) // as the Stream of that name would Fill it
}

// probRows returns how many rows of probabilities a window has: one that all its pairs share, or one for each context slot.
func (p *Pairs) probRows() int {
	if p.c.NoisePerPair && p.c.Selection.noisy() {
		return p.batch.Slots
	}
	return 1
}

// probabilities fills prob, the weights of the aspects, and soft, the probabilities that gradients flow through, for
// windows lo to hi-1, probRows of K each. The two differ for Hard alone, and are one slice otherwise. A logit is
// <P_i, Readout^(s)>, the mean over the window's distinct contexts of the scores that the loss needs anyway (a dot product
// with a mean is the mean of dot products).
func (p *Pairs) probabilities(s *scratch, lo, hi int) {
	b, k, n := p.batch, p.c.Aspects, hi-lo
	rows := p.probRows()
	width := rows * k
	s.noise, s.prob = grown(s.noise, n*width), grown(s.prob, n*width)
	if p.c.Selection == Softmax {
		clear(s.noise)
	} else {
		for w := lo; w < hi; w++ {
			p.uniform(s.noise[(w-lo)*width:][:width], p.c.Noise, b, w)
		}
		kernel.Gumbel(s.noise, s.noise)
	}
	if p.c.Selection == Random {
		copy(s.prob, s.noise)
	} else {
		for w := lo; w < hi; w++ {
			at := (w - lo) * width
			kernel.Logits(s.prob[at:], s.noise[at:], s.score[(w-lo)*b.Slots*k:], b.Bag[w], rows, k)
		}
	}
	kernel.Softmax(s.prob, n*rows, k, p.invTau())
	if p.c.Selection != Hard {
		s.soft = s.prob
		return
	}
	s.soft = append(s.soft[:0], s.prob...)
	for i := 0; i < len(s.prob); i += k {
		row := s.prob[i : i+k]
		best := 0
		for a, v := range row {
			if v > row[best] {
				best = a
			}
		}
		clear(row)
		row[best] = 1
	}
}
