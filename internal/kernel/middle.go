package kernel

import "math"

// The kernels on arrays of short rows, such as scores of k aspects. Products are rounded before they are added, and sums are
// in a stated order, so that all variants give the same bits, but for which NaN. An output may not overlap an input.

// SumMiddle sums over the middle axis, in the order of j:
//
//	out[r*k+i] = Σ_j x[(r*m+j)*k+i]     for each r < rows, i < k, over j < m
//
// x (rows,m,k), out (rows,k), overwritten; m, k >= 1.
func SumMiddle(out, x []float32, rows, m, k int) {
	checkMiddle(rows, m, k)
	sumMiddle(cut(out, rows*k), cut(x, rows*m*k), rows, m, k)
}

// MaxMiddle takes the maximum over the middle axis, with the shapes of SumMiddle. Of numbers with a NaN it is the last one, or
// the maximum of those after the last NaN.
func MaxMiddle(out, x []float32, rows, m, k int) {
	checkMiddle(rows, m, k)
	maxMiddle(cut(out, rows*k), cut(x, rows*m*k), rows, m, k)
}

// SpreadMiddle writes each row m times:
//
//	out[(r*m+j)*k+i] = x[r*k+i]     for each r < rows, j < m, i < k
//
// x (rows,k), out (rows,m,k), overwritten; m, k >= 1.
func SpreadMiddle(out, x []float32, rows, m, k int) {
	checkMiddle(rows, m, k)
	spreadMiddle(cut(out, rows*m*k), cut(x, rows*k), rows, m, k)
}

// WeightedRows sums each window's rows with weights, in the order of j, without those of weight 0, whatever they hold:
//
//	out[w*k+i] = Σ_j weight[w*m+j] * x[(w*m+j)*k+i]     for each w < windows, i < k, over j < m
//
// x (windows,m,k), weight (windows,m), out (windows,k), overwritten; m, k >= 1.
func WeightedRows(out, x, weight []float32, windows, m, k int) {
	checkMiddle(windows, m, k)
	weightedRows(cut(out, windows*k), cut(x, windows*m*k), cut(weight, windows*m), windows, m, k)
}

// SpreadWeighted writes each row m times, times a weight each, and zeros for a weight of 0, whatever the row holds. It is the
// gradient of WeightedRows:
//
//	out[(w*m+j)*k+i] = weight[w*m+j] * x[w*k+i]     for each w < windows, j < m, i < k
//
// x (windows,k), weight (windows,m), out (windows,m,k), overwritten; m, k >= 1.
func SpreadWeighted(out, x, weight []float32, windows, m, k int) {
	checkMiddle(windows, m, k)
	spreadWeighted(cut(out, windows*m*k), cut(x, windows*k), cut(weight, windows*m), windows, m, k)
}

// ScaleRows multiplies each row by its weight, and writes zeros for a weight of 0, whatever the row holds:
//
//	out[r*k+i] = weight[r] * x[r*k+i]     for each r < rows, i < k
//
// x (rows,k), weight (rows), out (rows,k), overwritten; k >= 1.
func ScaleRows(out, x, weight []float32, rows, k int) {
	checkMiddle(rows, 1, k)
	scaleRows(cut(out, rows*k), cut(x, rows*k), cut(weight, rows), rows, k)
}

// SoftmaxSlope writes the gradient of the softmax by its input, from its value p and the gradient g by that:
//
//	out[r*k+i] = p[r*k+i] * (g[r*k+i] - Σ_j p[r*k+j]*g[r*k+j])     for each r < rows, i < k
//
// p, g and out (rows,k), out is overwritten; k >= 1.
func SoftmaxSlope(out, p, g []float32, rows, k int) {
	checkMiddle(rows, 1, k)
	softmaxSlope(cut(out, rows*k), cut(p, rows*k), cut(g, rows*k), rows, k)
}

// OneHot writes 1 at the first maximum of each row of x and 0 elsewhere; a row with a NaN gives NaN.
//
// x and out (rows,k), out is overwritten; k >= 1.
func OneHot(out, x []float32, rows, k int) {
	checkMiddle(rows, 1, k)
	oneHot(cut(out, rows*k), cut(x, rows*k), rows, k)
}

// WeightedTotal returns Σ_r weight[r] Σ_i x[r*k+i] in float64, without rows of weight 0, whatever they hold.
//
// x (rows,k), weight (rows); k >= 1.
func WeightedTotal(x, weight []float32, rows, k int) float64 {
	checkMiddle(rows, 1, k)
	x, weight = cut(x, rows*k), cut(weight, rows)
	if k > 8 {
		return PlainWeightedTotal(x, weight, rows, k)
	}
	sums := weightedTotal(x, weight, k)
	var sum float64
	for _, v := range sums[:k] {
		sum += v
	}
	return sum
}

// checkMiddle panics unless a shape has at least one row in the middle and one column: the assembly loops assume it.
func checkMiddle(rows, m, k int) {
	if rows < 0 || m < 1 || k < 1 {
		panic("kernel: rows of an array: expected at least 0, of at least 1 word, and at least 1 in the middle")
	}
}

// whole returns how many rows of k words, of n rows in one slice, have eight words from their start on.
func whole(n, k int) int { return max(n-7/k, 0) }

// A word is a number of an array. The Plain functions are the loops in Go of the functions whose names they end in: for processors
// without the assembly, and of float64 to check gradients in.
type word interface{ float32 | float64 }

// PlainSumMiddle is SumMiddle.
func PlainSumMiddle[T word](out, x []T, rows, m, k int) {
	for range rows {
		sum := out[:k]
		copy(sum, x)
		for range m - 1 {
			x = x[k:]
			for i, v := range x[:len(sum)] {
				sum[i] += v
			}
		}
		out, x = out[k:], x[k:]
	}
}

// PlainMaxMiddle is MaxMiddle.
func PlainMaxMiddle[T word](out, x []T, rows, m, k int) {
	for range rows {
		top := out[:k]
		copy(top, x)
		for range m - 1 {
			x = x[k:]
			for i, v := range x[:len(top)] {
				if !(top[i] > v) {
					top[i] = v
				}
			}
		}
		out, x = out[k:], x[k:]
	}
}

// PlainSpreadMiddle is SpreadMiddle.
func PlainSpreadMiddle[T word](out, x []T, rows, m, k int) {
	for i := range rows * m {
		copy(out[i*k:(i+1)*k], x[i/m*k:])
	}
}

// PlainWeightedRows is WeightedRows.
func PlainWeightedRows[T word](out, x, weight []T, windows, m, k int) {
	for range windows {
		sum := out[:k]
		clear(sum)
		for _, w := range weight[:m] {
			if w != 0 {
				for i, v := range x[:len(sum)] {
					sum[i] += T(w * v)
				}
			}
			x = x[k:]
		}
		out, weight = out[k:], weight[m:]
	}
}

// PlainSpreadWeighted is SpreadWeighted.
func PlainSpreadWeighted[T word](out, x, weight []T, windows, m, k int) {
	for range windows {
		for _, w := range weight[:m] {
			row := out[:k]
			if w == 0 {
				clear(row)
			} else {
				for i, v := range x[:len(row)] {
					row[i] = w * v
				}
			}
			out = out[k:]
		}
		x, weight = x[k:], weight[m:]
	}
}

func scaleRowsGeneric(out, x, weight []float32, rows, k int) {
	PlainSpreadWeighted(out, x, weight, rows, 1, k)
}

// PlainSoftmaxSlope is SoftmaxSlope. It sums up to eight products as the assembly does, in halves.
func PlainSoftmaxSlope[T word](out, p, g []T, rows, k int) {
	for range rows {
		var mean T
		if k <= 8 {
			var t [8]T
			for i, v := range p[:k] {
				t[i] = v * g[i]
			}
			mean = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]))
		} else {
			for i, v := range p[:k] {
				mean += T(v * g[i])
			}
		}
		for i, v := range p[:k] {
			out[i] = v * (g[i] - mean)
		}
		out, p, g = out[k:], p[k:], g[k:]
	}
}

// PlainOneHot is OneHot.
func PlainOneHot[T word](out, x []T, rows, k int) {
	clear(out[:rows*k])
	for range rows {
		best, nan := 0, false
		for i, v := range x[:k] {
			if v > x[best] {
				best = i
			}
			nan = nan || v != v
		}
		out[best] = 1
		if nan {
			for i := range out[:k] {
				out[i] = T(math.NaN())
			}
		}
		out, x = out[k:], x[k:]
	}
}

// weightedTotalGeneric sums the columns of even rows and of odd ones, and adds these; k <= 8.
func weightedTotalGeneric(x, weight []float32, k int) (sums [8]float64) {
	var turns [2][8]float64
	for r, w := range weight {
		if w != 0 { // products are exact: a fused multiply-add rounds alike
			sum, w := turns[r%2][:k], float64(w)
			for i, v := range x[:len(sum)] {
				sum[i] += w * float64(v)
			}
		}
		x = x[k:]
	}
	for i := range sums {
		sums[i] = turns[0][i] + turns[1][i]
	}
	return sums
}

// PlainWeightedTotal is WeightedTotal, but for the order of the sum of short rows.
func PlainWeightedTotal[T word](x, weight []T, rows, k int) (sum float64) {
	for _, w := range weight[:rows] {
		if w != 0 {
			var row float64
			for _, v := range x[:k] {
				row += float64(v)
			}
			sum += float64(float64(w) * row)
		}
		x = x[k:]
	}
	return sum
}
