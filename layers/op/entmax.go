package op

import (
	"fmt"
	"math"
	"slices"

	G "gorgonia.org/gorgonia"
)

// Entmax15 returns the 1.5-entmax of x over its last axis: each row sums to 1, and what is far below its largest number is 0.
//
//	out[i] = max(0, x[i]/2 - t)²    with t such that the row sums to 1
//
// x (...,K) -> (...,K). t is found exactly, by sorting. A row with a NaN is NaN. The gradient is that of Peters et al.,
//
//	d out = s∘(dx - <s,dx>/Σs),   s = √out
//
// It returns an error for a scalar.
//
// Source: Peters, Niculae, Martins, ACL 2019, arXiv:1905.05702, Algorithm 2 and Proposition 2. Differs: none known.
func Entmax15(x *G.Node) (*G.Node, error) {
	if x.Dims() < 1 {
		return nil, fmt.Errorf("op: Entmax15: x %v: expected (...,K)", x.Shape())
	}
	return Apply(Spec{
		Name: "Entmax15", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: entmax15[float32](), F64: entmax15[float64](),
	}, x)
}

func entmax15[T Float]() Kernel[T] {
	var row, sorted []float64
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			x, k := in[0].F, lastAxis(in[0])
			if row == nil {
				row, sorted = make([]float64, k), make([]float64, k)
			}
			for o := 0; o < len(x); o += k {
				top := slices.Max(x[o : o+k]) // NaN if any is
				for i, v := range x[o : o+k] {
					row[i] = (float64(v) - float64(top)) / 2 // without the largest, a sum of squares does not overflow
				}
				copy(sorted, row)
				slices.Sort(sorted)
				t := entmaxThreshold(sorted)
				for i, v := range row {
					p := max(v-t, 0)
					out[o+i] = T(p * p)
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			k := lastAxis(in[0])
			for o := 0; o < len(out); o += k {
				y, g, d := out[o:o+k], gout[o:o+k], din[0][o:o+k]
				var weighted, sum float64
				for i, p := range y {
					s := math.Sqrt(float64(p))
					weighted += s * float64(g[i])
					sum += s
				}
				for i, p := range y {
					d[i] += T(math.Sqrt(float64(p)) * (float64(g[i]) - weighted/sum))
				}
			}
			return nil
		},
	}
}

// entmaxThreshold returns t of Entmax15 for numbers x that rise to 0: of the largest n of them, Σ(x-t)² = 1 has the solution
// mean - √((1 - n·variance)/n), and n is the greatest for which all of them are above it.
func entmaxThreshold(x []float64) (t float64) {
	t = math.NaN() // of a row with a NaN
	var sum, squares float64
	for i := len(x) - 1; i >= 0; i-- {
		sum, squares = sum+x[i], squares+x[i]*x[i]
		n := float64(len(x) - i)
		mean := sum / n
		next := mean - math.Sqrt(max(0, (1-(squares-sum*mean))/n))
		if !(next <= x[i]) {
			break
		}
		t = next
	}
	return t
}
