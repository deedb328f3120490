package kernel

import "math/bits"

// Logits writes the logits of a window's aspects, with noise:
//
//	dst[r] = noise[r] + mean of scores[c] over the contexts c in bag     for each row r
//
// scores (C,k) of the window's contexts, bag a set of them, not empty: bit c, 0 <= c < C <= 64; noise and dst (rows,k), dst is
// overwritten. The mean of the scores is the score of the mean, which is the readout of the window.
func Logits(dst, noise, scores []float32, bag uint64, rows, k int) {
	checkShape(k, 1)
	n := bits.OnesCount64(bag)
	if n == 0 {
		panic("kernel: Logits: an empty bag: want at least one context")
	}
	logits(cut(dst, rows*k), cut(noise, rows*k), cut(scores, bits.Len64(bag)*k), bag, rows, k, 1/float32(n))
}

// Weights is what Weigh works out a window's coefficients from: C pairs with M negatives each, scored under K aspects.
type Weights struct {
	C, M, K            int
	Prob, Soft         []float32 // (C,K), or (K) which all pairs share: weights of losses, and what gradients flow through
	PosLoss, PosSlope  []float32 // (C,K): softplus(-score) and its derivative by -score
	NegLoss, NegSlope  []float32 // (C,M,K): softplus(score) and its derivative
	Shared             bool      // Prob and Soft are (K)
	Bag                uint64    // contexts whose scores the logits are the mean of: bit c, 0 <= c < C <= 64
	Unit, UnitPerLogit float32   // weights of a pair's loss, and of a logit's derivative for each context in Bag
}

// Weigh turns the losses of a window's pairs into one coefficient for each score, and returns the window's loss:
//
//	l[c] = PosLoss[c] + Σ_m NegLoss[c,m]                  loss = Σ_c <Prob[c], l[c]>
//	coefNeg[c,m] = Unit Prob[c] NegSlope[c,m]             g = Σ_c Soft[c] (l[c] - <Soft[c], l[c]>)
//	coefPos[c] = -Unit Prob[c] PosSlope[c] + UnitPerLogit g     without the last term where c is not in Bag
//
// where products of rows are by aspect. coefPos (C,K) and coefNeg (C,M,K) are overwritten.
func Weigh(coefPos, coefNeg []float32, w *Weights) (loss float32) {
	checkShape(w.K, 1)
	rows := w.C
	if w.Shared {
		rows = 1
	}
	switch n := w.C * w.K; {
	case w.C < 1 || w.M < 1:
		panic("kernel: Weigh: pairs or negatives: want at least 1")
	case bits.Len64(w.Bag) > w.C || min(len(w.Prob), len(w.Soft)) < rows*w.K || min(len(coefPos), len(w.PosLoss), len(w.PosSlope)) < n ||
		min(len(coefNeg), len(w.NegLoss), len(w.NegSlope)) < n*w.M:
		panic("kernel: Weigh: a slice is shorter than the shapes imply")
	}
	return weigh(coefPos, coefNeg, w)
}

// ScaleSum writes dst = a*slope and returns the sum of loss: Weigh where all pairs and aspects have the same weight. slope
// and dst are at least as long as loss; dst may be slope itself.
func ScaleSum(dst, slope, loss []float32, a float32) float32 {
	return scaleSum(cut(dst, len(loss)), cut(slope, len(loss)), loss, a)
}

func logitsGeneric(dst, noise, scores []float32, bag uint64, k int, scale float32) {
	for a := range k {
		var sum float32
		for rest := bag; rest != 0; rest &= rest - 1 {
			sum += scores[bits.TrailingZeros64(rest)*k+a]
		}
		sum *= scale
		for i := a; i < len(dst); i += k {
			dst[i] = noise[i] + sum
		}
	}
}

func weighGeneric(coefPos, coefNeg []float32, w *Weights) (loss float32) {
	k := w.K
	var space [2 * 16]float32
	work := space[:]
	if k > 16 {
		work = make([]float32, 2*k)
	}
	l, g := work[:k], work[k:][:k]
	prob, soft := w.Prob[:k], w.Soft[:k]
	for c := range w.C {
		if !w.Shared {
			prob, soft = w.Prob[c*k:][:k], w.Soft[c*k:][:k]
		}
		copy(l, w.PosLoss[c*k:])
		for m := range w.M {
			row := (c*w.M + m) * k
			lossRow, slope, coef := w.NegLoss[row:][:k], w.NegSlope[row:][:k], coefNeg[row:][:k]
			for a := range l {
				l[a] += lossRow[a]
				coef[a] = w.Unit * prob[a] * slope[a]
			}
		}
		var mean float32
		for a, v := range l {
			loss += float32(prob[a] * v)
			mean += float32(soft[a] * v)
		}
		for a, v := range l {
			g[a] += float32(soft[a] * (v - mean))
		}
	}
	for a := range g {
		g[a] *= w.UnitPerLogit
	}
	for c := range w.C {
		if !w.Shared {
			prob = w.Prob[c*k:][:k]
		}
		slope, coef := w.PosSlope[c*k:][:k], coefPos[c*k:][:k]
		for a, v := range g {
			coef[a] = -w.Unit * prob[a] * slope[a]
			if w.Bag>>c&1 == 1 {
				coef[a] += v
			}
		}
	}
	return loss
}

func scaleSumGeneric(dst, slope, loss []float32, a float32) (sum float32) {
	for i, v := range loss {
		sum += v
		dst[i] = a * slope[i]
	}
	return sum
}
