package main

import (
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

func init() {
	losses.Regularizers.Add("mine", losses.Regularizer{Batch: squares})
	layers.Readouts.Add("mine", layers.Readout{Read: near})
	layers.Selections.Add("mine", layers.Selection{Prob: func(c layers.Choice, _ layers.Values) (*G.Node, error) { return shares(c.Logits) }})
}

// squares is the mean over pairs of the sum of squared probabilities.
func squares(s losses.State, _ losses.Values) (penalty *G.Node, err error) {
	defer op.Recover(&err, "mine: squares")
	return op.WeightedTotal(G.Must(G.Square(s.Prob)), s.Weight)
}

// near is the mean of contexts, of which those far from the centre weigh less.
func near(c layers.Contexts, _ layers.Values) (summary *G.Node, err error) {
	defer op.Recover(&err, "mine: near")
	weight := G.Must(G.Exp(G.Must(G.Neg(G.Must(G.Abs(c.Offset))))))
	return op.BagMean(c.Rows, G.Must(G.HadamardProd(c.Weight, weight)))
}

// shares returns (1 + x²) over the sum of these in each row of x (B,K).
func shares(x *G.Node) (*G.Node, error) {
	return op.Apply(op.Spec{Name: "Shares", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: sharesKernel[float32](), F64: sharesKernel[float64]()}, x)
}

func sharesKernel[T op.Float]() op.Kernel[T] {
	sum := func(row []T) (sum T) {
		for _, x := range row {
			sum += 1 + x*x
		}
		return sum
	}
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) error {
			k := in[0].Shape[1]
			for o := 0; o < len(out); o += k {
				row := in[0].F[o : o+k]
				all := sum(row)
				for i, x := range row {
					out[o+i] = (1 + x*x) / all
				}
			}
			return nil
		},
		Backward: func(in []op.Array[T], out, gout []T, din [][]T) error {
			k := in[0].Shape[1]
			for o := 0; o < len(out); o += k {
				row := in[0].F[o : o+k]
				all := sum(row)
				var mean T
				for i := range row {
					mean += out[o+i] * gout[o+i]
				}
				for i, x := range row {
					din[0][o+i] += 2 * x * (gout[o+i] - mean) / all
				}
			}
			return nil
		},
	}
}
