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
	stream := key.With(b.Pass).Stream(b.ID[w])
	stream.Fill(dst)
}

// probabilities fills prob, the weights of the aspects, and soft, the probabilities that gradients flow through, for every
// context slot of windows lo to hi-1 (C,K each). The two differ for Hard alone, and are one slice otherwise.
func (p *Pairs) probabilities(s *scratch, lo, hi int) {
	b, k, n := p.batch, p.c.Aspects, hi-lo
	width := b.Slots * k
	s.prob = grown(s.prob, n*width)
	if p.c.Selection == None {
		for i := range s.prob {
			s.prob[i] = 1 / float32(k)
		}
		s.soft = s.prob
		return
	}
	noisy := p.c.Selection != Softmax
	drawn := k // of a window
	if p.c.NoisePerPair {
		drawn = width
	}
	if noisy {
		s.noise = grown(s.noise, n*drawn)
		for w := lo; w < hi; w++ {
			p.uniform(s.noise[(w-lo)*drawn:][:drawn], p.c.Noise, b, w)
		}
		kernel.Gumbel(s.noise, s.noise)
	}
	// A window's probabilities are worked out once where all its pairs share them, else for each pair.
	rows := n
	if noisy && p.c.NoisePerPair {
		rows = n * b.Slots
	}
	s.logits = grown(s.logits, k)
	for w := lo; w < hi; w++ {
		p.logits(s, w, lo)
		to := s.prob[(w-lo)*(rows/n)*k:][:(rows/n)*k]
		for i := range to {
			to[i] = s.logits[i%k]
		}
		if noisy {
			kernel.Axpy(to, s.noise[(w-lo)*drawn:][:drawn], 1)
		}
	}
	kernel.Softmax(s.prob, rows, k, p.invTau())
	if rows == n { // spread from the last window to the first, over the window's own place and beyond
		for w := n - 1; w >= 0; w-- {
			from := s.prob[w*k:][:k]
			copy(s.logits, from)
			for c := range b.Slots {
				copy(s.prob[w*width+c*k:], s.logits)
			}
		}
	}
	if p.c.Selection != Hard {
		s.soft = s.prob
		return
	}
	if len(s.soft) == 0 || &s.soft[0] == &s.prob[0] || cap(s.soft) < len(s.prob) {
		s.soft = make([]float32, len(s.prob))
	}
	s.soft = s.soft[:len(s.prob)]
	copy(s.soft, s.prob)
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

// logits sets s.logits to <P_i, Readout^(s)> for each aspect s: the mean, over the window's distinct contexts, of the
// scores that the loss needs anyway (a dot product with a mean is the mean of dot products).
func (p *Pairs) logits(s *scratch, w, lo int) {
	b, k := p.batch, p.c.Aspects
	clear(s.logits)
	scores := s.score[(w-lo)*b.Slots*k:]
	for c := range int(b.Count[w]) {
		if b.Bag[w]>>c&1 == 1 {
			for a := range s.logits {
				s.logits[a] += scores[c*k+a]
			}
		}
	}
	scale := 1 / float32(b.BagSize(w))
	for a := range s.logits {
		s.logits[a] *= scale
	}
}
