package kernel

import "math"

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
	grad, block = cut(grad, k*d), cut(block, k*d)
	switch { // the space is cleared at each call, so the usual k get a small one
	case k == 1:
		clear(grad)
		return 0
	case k <= 5:
		var space [2*5*5 + 22]float32
		return regularizer(grad, block, space[:], k, d, epsilon, weight)
	case k <= 16:
		var space [2*16*16 + 143]float32
		return regularizer(grad, block, space[:], k, d, epsilon, weight)
	}
	return regularizer(grad, block, make([]float32, 2*k*k+GramSize(k)), k, d, epsilon, weight)
}

// regularizer needs space for two zeroed (k,k) matrices and the packed products.
func regularizer(grad, block, space []float32, k, d int, epsilon, weight float32) (penalty float32) {
	alpha, ratio, g := space[:k*k], space[k*k:][:k*k], space[2*k*k:][:GramSize(k)]
	Gram(g, block, k, d)
	threshold := float64(epsilon) * float64(epsilon)
	var sum float64
	masked := false
	for i, p := 0, 0; i < k; i++ {
		own, q := g[p], p+k-i // products of row i with itself, of the next row with itself
		p++
		for j := i + 1; j < k; j++ {
			// Compared as squares: products of two float32 are exact, so that equal rows have c = 1 and no more.
			dot, square := float64(g[p]), float64(own)*float64(g[q])
			floored := square < normFloor*normFloor
			if floored {
				square = normFloor * normFloor
			}
			if !(dot*dot <= threshold*square) { // true for NaN, which must show in the penalty
				masked = true
				scale := math.Sqrt(square)
				sum += math.Abs(dot) / scale
				a := float32(float64(weight) * math.Copysign(1/scale, dot))
				alpha[i*k+j], alpha[j*k+i] = a, a
				if !floored {
					ratio[i*k+j], ratio[j*k+i] = g[p]/own, g[p]/g[q]
				}
			}
			p, q = p+1, q+k-j
		}
	}
	if masked {
		repel(grad, block, alpha, ratio, k, d)
	} else {
		clear(grad)
	}
	return float32(sum)
}

// repelGeneric writes grad[i] = Σ_j alpha[i,j] (block[j] - ratio[i,j] block[i]), skipping pairs where alpha is 0.
func repelGeneric(grad, block, alpha, ratio []float32, k, d int) {
	clear(grad)
	for i := range k {
		x, sum := block[i*d:][:d], grad[i*d:][:d]
		for j, a := range alpha[i*k:][:k] {
			if a == 0 {
				continue
			}
			r := ratio[i*k+j]
			for n, y := range block[j*d:][:d] {
				sum[n] += float32(a * (y - float32(r*x[n])))
			}
		}
	}
}
