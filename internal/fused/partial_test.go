package fused

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// randomBatch makes windows of 1 to slots contexts, some of them equal; without an index.
func randomBatch(s *rng.Stream, windows, slots, negatives, vertices int) *walks.Batch {
	b := &walks.Batch{Slots: slots, Negatives: negatives, Pass: 3}
	for w := range windows {
		n := 1 + s.Intn(slots)
		context := make([]int32, slots)
		var bag uint64
		for c := range n {
			v := int32(s.Intn(vertices))
			if !slices.Contains(context[:c], v) {
				bag |= 1 << c
			}
			context[c] = v
		}
		b.Center, b.ID = append(b.Center, int32(s.Intn(vertices))), append(b.ID, uint64(w))
		b.Context, b.Bag = append(b.Context, context...), append(b.Bag, bag)
		b.Count, b.First, b.Last = append(b.Count, int32(n)), append(b.First, 0), append(b.Last, int32(n))
		for range slots * negatives {
			b.Negative = append(b.Negative, int32(s.Intn(vertices)))
		}
		b.Pairs += n
	}
	return b
}

// A window that two batches share: what each makes of its pairs adds up to what one batch makes of all. Readout and noise are
// those of the whole window in each.
func TestPartialWindowsAddUp(t *testing.T) {
	const windows, slots, negatives, vertices, d = 50, 6, 2, 9, 7 // more windows than a block has
	for name, c := range map[string]Config{
		"none":             {Selection: None},
		"softmax":          {Selection: Softmax},
		"gumbel of pair":   {Selection: Gumbel, NoisePerPair: true},
		"gumbel of window": {Selection: Gumbel},
		"hard":             {Selection: Hard, NoisePerPair: true},
		"random":           {Selection: Random, NoisePerPair: true},
	} {
		for _, k := range []int{1, 2, 5, 9} {
			t.Run(fmt.Sprintf("%s/aspects=%d", name, k), func(t *testing.T) {
				s := rng.New(1, "test")
				centers, aspects := make([]float32, vertices*d), make([]float32, vertices*k*d)
				for _, table := range [][]float32{centers, aspects} {
					for i := range table {
						table[i] = float32(s.Normal())
					}
				}
				c.Aspects, c.Dim, c.Tau, c.Noise = k, d, 0.5, rng.NewKey(1, "noise")
				p, err := NewPairs(c)
				if err != nil {
					t.Fatal(err)
				}
				b := randomBatch(s, windows, slots, negatives, vertices)
				forward := func() (loss float64, coef, center []float32) {
					p.Bind(b)
					loss = p.Forward(centers, aspects)
					return loss, slices.Clone(p.coef), slices.Clone(p.center)
				}
				loss, coef, center := forward()
				counts := slices.Clone(b.Count)
				for w, n := range counts {
					b.Last[w] = int32(s.Intn(int(n) + 1)) // from none to all of the pairs; the weights stay those of the whole batch
				}
				loss1, coef1, center1 := forward()
				copy(b.First, b.Last)
				copy(b.Last, counts)
				loss2, coef2, center2 := forward()

				if got := loss1 + loss2; math.Abs(got-loss) > 1e-5*loss {
					t.Errorf("losses %v + %v, want %v", loss1, loss2, loss)
				}
				for i, v := range center {
					if got := center1[i] + center2[i]; math.Abs(float64(got-v)) > 1e-6 { // of numbers below 1: 16 roundings
						t.Fatalf("centre gradient %d: %v + %v, want %v", i, center1[i], center2[i], v)
					}
				}
				per := b.SlotsPerWindow() * k
				for i, v := range coef {
					used := int(b.Count[i/per]) * k
					if slot := i % per; slot >= used && slot < slots*k || slot >= slots*k+used*negatives {
						continue // of no context
					}
					if got := coef1[i] + coef2[i]; math.Abs(float64(got-v)) > 1e-6 {
						t.Fatalf("coefficient %d: %v + %v, want %v", i, coef1[i], coef2[i], v)
					}
				}
			})
		}
	}
}
