package kernel

import "math"

// maxAspects bounds the stack space of Regularizer; larger k allocate.
const maxAspects = 16

// normFloor keeps the cosine finite for zero vectors, as torch.nn.functional.cosine_similarity does.
const normFloor = 1e-8

// Regularizer returns the aspect regularizer of one vertex and its gradient by the vertex's block:
//
//	c_ij = <Q_i, Q_j> / max(|Q_i| |Q_j|, 1e-8)
//	penalty = Σ_{i<j} 1[|c_ij| > ε] |c_ij|          grad = weight * d penalty / d block
//
// block, grad (k,d); grad is overwritten and may not overlap block. 0 <= epsilon, the threshold on |cosine|; epsilon >= 1
// switches the regularizer off but for rounding. weight multiplies only the gradient. The mask is a constant for the
// gradient, which for a pair above the threshold is
//
//	dQ_i += weight sign(c) / (|Q_i||Q_j|) * (Q_j - <Q_i,Q_j>/|Q_i|² Q_i)
//
// and the same with i and j exchanged: exactly zero when both rows are equal, as they are right after a warm start. Where the
// floor 1e-8 acts, c is bilinear, and the gradient is weight sign(c) Q_j / 1e-8.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, the aspect regularization. Differs: the paper masks with >=, the
// authors' code with >, as here; they differ only at equality.
func Regularizer(grad, block []float32, k, d int, epsilon, weight float32) (penalty float32) {
	checkShape(k, d)
	grad, block = grad[:k*d], block[:k*d]
	clear(grad)
	if k == 1 {
		return 0
	}
	var space [maxAspects * maxAspects]float32
	g := space[:]
	if k > maxAspects {
		g = make([]float32, k*k)
	}
	gram(g[:k*k], block, k, d)
	threshold := float64(epsilon) * float64(epsilon)
	var sum float64
	for i := range k {
		for j := i + 1; j < k; j++ {
			// Compared as squares: products of two float32 are exact, so that equal rows have c = 1 and no more.
			dot, square := float64(g[i*k+j]), float64(g[i*k+i])*float64(g[j*k+j])
			floored := square < normFloor*normFloor
			if floored {
				square = normFloor * normFloor
			}
			if dot*dot <= threshold*square { // false for NaN, which must show in the penalty
				continue
			}
			scale := math.Sqrt(square)
			sum += math.Abs(dot) / scale
			alpha, ci, cj := float32(float64(weight)/scale), float32(0), float32(0)
			if dot < 0 {
				alpha = -alpha
			}
			if !floored {
				ci, cj = g[i*k+j]/g[i*k+i], g[i*k+j]/g[j*k+j]
			}
			repel(grad[i*d:][:d], grad[j*d:][:d], block[i*d:][:d], block[j*d:][:d], alpha, ci, cj)
		}
	}
	return float32(sum)
}

// repelGeneric adds one pair's gradient: gi += α(y - c x), gj += α(x - e y).
func repelGeneric(gi, gj, x, y []float32, alpha, c, e float32) {
	gi, gj, y = gi[:len(x)], gj[:len(x)], y[:len(x)]
	for n, a := range x {
		b := y[n]
		gi[n] += float32(alpha * (b - float32(c*a)))
		gj[n] += float32(alpha * (a - float32(e*b)))
	}
}
