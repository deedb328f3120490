package hetnet

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/walks"
)

// AspectSpread returns how far apart the inner products lie that tell an author's aspects apart: over the windows of a batch around
// authors, the mean of their standard deviation over aspects. The Gumbel noise that is added to them has π/√6 = 1.28: far below that
// an aspect is picked by the noise alone, and it makes no difference what it is picked from. It returns ctx's error when that is
// cancelled.
func (m *asp2vecHet) AspectSpread(ctx context.Context) (float64, error) {
	batches := firstBatches(ctx, m.streams...)
	if err := ctx.Err(); err != nil || batches == nil {
		return 0, err
	}
	batches = m.withheld.from(batches)
	vectors, err := m.contents.encode(batches...)
	if err == nil && len(vectors) > 0 {
		err = m.pass.(*hetPass).enter(vectors)
	}
	if err != nil {
		return 0, err
	}
	var sum float64
	windows := batches[0].Windows()
	for w := range windows {
		sum += m.spreadOf(batches[0], w)
	}
	return sum / float64(windows), nil
}

// spreadOf returns the deviation of a window's logits <P_i, mean V^(s)>.
func (m *asp2vecHet) spreadOf(b *walks.Batch, w int) float64 {
	k, d := m.o.Aspects, m.o.Dim
	logits := make([]float64, k)
	center := int(b.Center[w])
	for slot, vertex := range b.Context[w*b.Slots:][:b.Slots] {
		if b.Bag[w]>>slot&1 == 0 {
			continue
		}
		for s := range k {
			from, to := m.p.Row(center), m.q.Row(int(vertex))[s*d:][:d]
			logits[s] += float64(kernel.Dot(from, to)) / float64(b.BagSize(w))
		}
	}
	var mean, square float64
	for _, x := range logits {
		mean += x / float64(k)
	}
	for _, x := range logits {
		square += (x - mean) * (x - mean) / float64(k)
	}
	return math.Sqrt(square)
}
