package kernel

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// testPairs checks the kernels on a window's pairs for one shape against float64, with slices from a.
func testPairs(t *testing.T, a arena, r *rand.Rand, c, m, k int) {
	t.Helper()
	for _, shared := range []bool{false, true} {
		w := randomWeights(a, r, c, m, k, shared)
		coefPos, coefNeg := fill(r, a.floats(c*k)), fill(r, a.floats(c*m*k))
		loss := Weigh(coefPos, coefNeg, w)
		want, scale := newWeighed(w), newWeighed(magnitudes(w))
		// A loss sums c*(m+1)*k terms, each with two roundings, and g subtracts such a sum; then come three products.
		tolerance := float64(c*(m+1)*k+8) * eps
		within(t, "Weigh: loss", []float32{loss}, []float64{want.loss}, []float64{scale.loss}, tolerance)
		within(t, "Weigh: negatives", coefNeg, want.neg, scale.neg, 3*eps)
		within(t, "Weigh: positives", coefPos, want.pos, scale.pos, tolerance)

		x, y := slices.Clone(w.PosLoss), w.PosSlope
		var sum, total float64
		for i := range x {
			sum, total = sum+float64(x[i]), total+math.Abs(float64(x[i]))
		}
		within(t, "ScaleSum: sum", []float32{ScaleSum(coefPos, y, w.PosLoss, 0.3)}, []float64{sum}, []float64{total}, float64(c*k+1)*eps)
		for i := range y {
			if coefPos[i] != 0.3*y[i] {
				t.Fatalf("ScaleSum: [%d] = %g, want 0.3 of %g", i, coefPos[i], y[i])
			}
		}
	}

	bag := randomBag(r, c) | 1
	rows := 1 + r.IntN(c)
	scores, noise, dst := fill(r, a.floats(bits.Len64(bag)*k)), fill(r, a.floats(rows*k)), a.floats(rows*k)
	Logits(dst, noise, scores, bag, rows, k)
	var want, scale []float64
	for i := range dst {
		sum, size := 0.0, 0.0
		for b := range bits.Len64(bag) {
			if bag>>b&1 == 1 {
				v := float64(scores[b*k+i%k])
				sum, size = sum+v, size+math.Abs(v)
			}
		}
		n := float64(bits.OnesCount64(bag))
		want, scale = append(want, sum/n+float64(noise[i])), append(scale, size/n+math.Abs(float64(noise[i])))
	}
	within(t, "Logits", dst, want, scale, float64(c+3)*eps)
	a.check(t)
}

func randomBag(r *rand.Rand, c int) uint64 { return r.Uint64() & (math.MaxUint64 >> (64 - c)) }

func randomWeights(a arena, r *rand.Rand, c, m, k int, shared bool) *Weights {
	rows := c
	if shared {
		rows = 1
	}
	return &Weights{
		C: c, M: m, K: k, Shared: shared, Bag: randomBag(r, c), Unit: 0.7, UnitPerLogit: 1.3,
		Prob: fill(r, a.floats(rows*k)), Soft: fill(r, a.floats(rows*k)),
		PosLoss: fill(r, a.floats(c*k)), PosSlope: fill(r, a.floats(c*k)),
		NegLoss: fill(r, a.floats(c*m*k)), NegSlope: fill(r, a.floats(c*m*k)),
	}
}

// magnitudes returns w with absolute values, which bounds the magnitudes of all terms but those that newWeighed subtracts.
func magnitudes(w *Weights) *Weights {
	v := *w
	for _, s := range []*[]float32{&v.Prob, &v.Soft, &v.PosLoss, &v.PosSlope, &v.NegLoss, &v.NegSlope} {
		*s = slices.Clone(*s)
		for i, x := range *s {
			(*s)[i] = float32(math.Abs(float64(x)))
		}
	}
	v.Unit, v.UnitPerLogit = -v.Unit, -v.UnitPerLogit // so that what is subtracted is added
	return &v
}

// A weighed is the result of Weigh in float64, by its formula.
type weighed struct {
	loss     float64
	pos, neg []float64
}

func newWeighed(w *Weights) weighed {
	k := w.K
	out := weighed{pos: make([]float64, w.C*k), neg: make([]float64, w.C*w.M*k)}
	sign := math.Copysign(1, float64(w.Unit)) // -1 asks for magnitudes
	g := make([]float64, k)
	for c := range w.C {
		at := c * k
		if w.Shared {
			at = 0
		}
		l, mean := make([]float64, k), 0.0
		for s := range k {
			p := float64(w.Prob[at+s])
			l[s] = float64(w.PosLoss[c*k+s])
			for m := range w.M {
				i := (c*w.M+m)*k + s
				l[s] += float64(w.NegLoss[i])
				out.neg[i] = sign * float64(w.Unit) * p * float64(w.NegSlope[i])
			}
			out.loss += p * l[s]
			out.pos[c*k+s] = -float64(w.Unit) * p * float64(w.PosSlope[c*k+s])
			mean += float64(w.Soft[at+s]) * l[s]
		}
		for s := range k {
			g[s] += float64(w.Soft[at+s]) * (l[s] - sign*mean)
		}
	}
	for i := range out.pos {
		if w.Bag>>(i/k)&1 == 1 {
			out.pos[i] += sign * float64(w.UnitPerLogit) * g[i%k]
		}
	}
	return out
}

func TestPairs(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(5), &fenced{}
		for k := 1; k <= 18; k++ {
			for m := 1; m <= 5; m++ {
				for _, c := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 40, 64} {
					testPairs(t, a, r, c, m, k)
				}
			}
		}
	})
}

// TestPairsNotFinite: an infinity shows in its own aspect and pair, and where the formula takes it, but nowhere else.
func TestPairsNotFinite(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r := newRand(6)
		for k := 1; k <= 9; k++ {
			const c, m = 5, 2
			for bad := range c * k {
				w := randomWeights(&fenced{}, r, c, m, k, false)
				w.Bag = 1 << (bad / k)
				w.NegSlope[bad/k*m*k+bad%k] = float32(math.Inf(1))
				w.PosSlope[bad] = float32(math.NaN())
				pos, neg := make([]float32, c*k), make([]float32, c*m*k)
				if loss := Weigh(pos, neg, w); loss-loss != 0 {
					t.Fatalf("k = %d: loss %g, want a finite one where only slopes are not", k, loss)
				}
				for i, v := range pos {
					if (v-v != 0) != (i == bad) {
						t.Fatalf("k = %d: a slope of NaN at %d makes positive %d %g", k, bad, i, v)
					}
				}
				for i, v := range neg {
					if (v-v != 0) != (i == bad/k*m*k+bad%k) {
						t.Fatalf("k = %d: an infinite slope at %d makes negative %d %g", k, bad/k*m*k+bad%k, i, v)
					}
				}
				w.PosSlope[bad], w.PosLoss[bad] = 1, float32(math.NaN())
				if loss := Weigh(pos, neg, w); loss == loss {
					t.Fatalf("k = %d: loss %g, want NaN for a loss of NaN", k, loss)
				}
				for i, v := range pos {
					if (v != v) != (i/k == bad/k) { // the bag is this context alone
						t.Fatalf("k = %d: a loss of NaN at %d makes positive %d %g", k, bad, i, v)
					}
				}
			}
		}
	})
}

func TestPairsPanics(t *testing.T) {
	whole := randomWeights(&fenced{}, newRand(7), 3, 2, 4, false)
	for name, change := range map[string]func(w *Weights){
		"Prob":        func(w *Weights) { w.Prob = w.Prob[:11:11] },
		"Soft":        func(w *Weights) { w.Soft = w.Soft[:11:11] },
		"shared Soft": func(w *Weights) { w.Shared, w.Soft = true, w.Soft[:3:3] },
		"PosLoss":     func(w *Weights) { w.PosLoss = w.PosLoss[:11:11] },
		"PosSlope":    func(w *Weights) { w.PosSlope = w.PosSlope[:11:11] },
		"NegLoss":     func(w *Weights) { w.NegLoss = w.NegLoss[:23:23] },
		"NegSlope":    func(w *Weights) { w.NegSlope = w.NegSlope[:23:23] },
		"Bag":         func(w *Weights) { w.Bag = 8 },
		"C":           func(w *Weights) { w.C = 0 },
		"M":           func(w *Weights) { w.M = 0 },
		"K":           func(w *Weights) { w.K = 0 },
		"coefPos":     nil,
		"coefNeg":     nil,
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("returned; want a panic before the assembly runs")
				}
			}()
			w, pos, neg := *whole, make([]float32, 12), make([]float32, 24)
			switch {
			case change != nil:
				change(&w)
			case name == "coefPos":
				pos = pos[:11:11]
			default:
				neg = neg[:23:23]
			}
			Weigh(pos, neg, &w)
		})
	}
}

// BenchmarkWeigh does the pairs of a window, or for k = 1 what serves there.
func BenchmarkWeigh(b *testing.B) {
	const c, m = 6, 2
	for _, k := range []int{1, 2, 5, 8, 10} {
		w := randomWeights(&fenced{}, newRand(9), c, m, k, false)
		pos, neg := make([]float32, c*k), make([]float32, c*m*k)
		for _, f := range []struct {
			name string
			do   func()
		}{
			{"Weigh", func() { Weigh(pos, neg, w) }},
			{"ScaleSum", func() { ScaleSum(neg, w.NegSlope, w.NegLoss, 2) }},
			{"Logits", func() { Logits(pos, w.Prob, w.PosLoss, 1<<c-1, c, k) }},
		} {
			for _, v := range variants() {
				withVariant(v, func() {
					b.Run(fmt.Sprintf("f=%s/pairs=%d/m=%d/k=%d/variant=%s", f.name, c, m, k, v), func(b *testing.B) {
						for b.Loop() {
							f.do()
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/c, "ns/pair")
					})
				})
			}
		}
	}
}
