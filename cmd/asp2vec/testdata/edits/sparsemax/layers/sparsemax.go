package layers

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("sparsemax", Selection{Prob: func(c Choice, _ Values) (*G.Node, error) { return Sparsemax(c.Logits) }})
}

// Sparsemax returns the nearest point of the simplex to each row of x: rows sum to 1, and small numbers become 0.
//
//	out[i] = max(0, x[i] - t)    with t such that the row sums to 1
//
// x (B,K) -> (B,K). The gradient of numbers that are not 0 is that of the output less its mean over them. It returns an error for another shape.
//
// Source: Martins, Astudillo, ICML 2016, arXiv:1602.02068, Algorithm 1 and Eq. (14). Differs: none known.
func Sparsemax(x *G.Node) (*G.Node, error) {
	if x.Dims() != 2 {
		return nil, fmt.Errorf("layers: Sparsemax: x %v: expected (B,K)", x.Shape())
	}
	return op.Apply(op.Spec{
		Name: "Sparsemax", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: sparsemax[float32](), F64: sparsemax[float64](),
	}, x)
}

func sparsemax[T op.Float]() op.Kernel[T] {
	var sorted []T // kept from run to run
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) error {
			k := in[0].Shape[1]
			for o := 0; o < len(out); o += k {
				sorted = append(sorted[:0], in[0].F[o:o+k]...)
				slices.Sort(sorted)
				var sum, t T
				for i := k - 1; i >= 0; i-- {
					sum += sorted[i]
					next := (sum - 1) / T(k-i)
					if !(sorted[i] > next) && i < k-1 {
						break
					}
					t = next
				}
				for i, v := range in[0].F[o : o+k] {
					out[o+i] = max(v-t, 0)
				}
			}
			return nil
		},
		Backward: func(in []op.Array[T], out, gout []T, din [][]T) error {
			k := in[0].Shape[1]
			for o := 0; o < len(out); o += k {
				var sum, n T
				for i, p := range out[o : o+k] {
					if p > 0 {
						sum, n = sum+gout[o+i], n+1
					}
				}
				for i, p := range out[o : o+k] {
					if p > 0 {
						din[0][o+i] += gout[o+i] - sum/n
					}
				}
			}
			return nil
		},
	}
}
