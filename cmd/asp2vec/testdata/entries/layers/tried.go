package layers

import (
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("top", Selection{Prob: topGumbel, Noise: true, Parameters: []Parameter{tau, {Key: "selection-top", Help: "how many aspects have a share", Default: 2, Min: 1, Max: 100}}})
	Selections.Add("flat", Selection{Prob: func(c Choice, _ Values) (*G.Node, error) {
		return op.Reshape(c.Logits, c.Logits.Shape().TotalSize())
	}})
	Readouts.Add("within-two", Readout{Read: withinTwo})
	Readouts.Add("rows", Readout{Read: func(c Contexts, _ Values) (*G.Node, error) { return c.Rows, nil }})
}

// topGumbel is Gumbel among the n aspects with the largest noisy logits.
func topGumbel(c Choice, h Values) (prob *G.Node, err error) {
	defer op.Recover(&err, "layers: topGumbel")
	noisy, n := G.Must(op.Scale(G.Must(G.Add(c.Logits, c.Noise)), 1/h.Of("tau"))), int(h.Of("selection-top"))
	return op.Apply(op.Spec{
		Name: "TopSoftmax", Shape: noisy.Shape().Clone(), Diff: []bool{true}, F32: topSoftmax[float32](n), F64: topSoftmax[float64](n),
	}, noisy)
}

func topSoftmax[T op.Float](n int) op.Kernel[T] {
	var sorted []T
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) error {
			k := in[0].Shape[1]
			for o := 0; o < len(out); o += k {
				x, y := in[0].F[o:o+k], out[o:o+k]
				sorted = append(sorted[:0], x...)
				slices.Sort(sorted)
				var sum T
				for i, v := range x {
					if y[i] = 0; v >= sorted[max(k-n, 0)] {
						y[i] = T(math.Exp(float64(v - sorted[k-1])))
						sum += y[i]
					}
				}
				for i := range y {
					y[i] /= sum
				}
			}
			return nil
		},
		Backward: func(in []op.Array[T], out, gout []T, din [][]T) error {
			k := in[0].Shape[1]
			for o := 0; o < len(out); o += k {
				var mean T
				for i, p := range out[o : o+k] {
					mean += p * gout[o+i]
				}
				for i, p := range out[o : o+k] {
					din[0][o+i] += p * (gout[o+i] - mean)
				}
			}
			return nil
		},
	}
}

// withinTwo is the mean readout without contexts that are more than two steps away.
func withinTwo(c Contexts, _ Values) (summary *G.Node, err error) {
	defer op.Recover(&err, "layers: withinTwo")
	near := G.Must(op.Positive(G.Must(op.Shift(G.Must(G.Neg(G.Must(G.Abs(c.Offset)))), 2.5)))) // (W,C)
	return op.BagMean(c.Rows, G.Must(G.HadamardProd(c.Weight, near)))
}
