package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Linear returns x·wᵀ + bias, with the weights as PyTorch holds them: a row for each output.
//
// x (B,I), w (O,I), bias (O), or nil for none -> (B,O). It returns an error if the shapes or types disagree.
func Linear(x, w, bias *G.Node) (*G.Node, error) {
	xs, ws := x.Shape(), w.Shape()
	if xs.Dims() != 2 || ws.Dims() != 2 || ws[1] != xs[1] {
		return nil, fmt.Errorf("op: Linear: x %v, w %v: expected (B,I) and (O,I)", xs, ws)
	}
	nodes := []*G.Node{x, w}
	if bias != nil {
		if bs := bias.Shape(); bs.Dims() != 1 || bs[0] != ws[0] {
			return nil, fmt.Errorf("op: Linear: w %v, bias %v: expected (O,I) and (O)", ws, bs)
		}
		nodes = append(nodes, bias)
	}
	return Apply(Spec{
		Name: "Linear", Shape: tensor.Shape{xs[0], ws[0]}, Diff: []bool{true, true, true}[:len(nodes)], Sets: []bool{true, true, false}[:len(nodes)],
		F32: linear(single), F64: linear(double),
	}, nodes...)
}

func linear[T Float](numeric Numeric[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			b, i, o := in[0].Shape[0], in[0].Shape[1], in[1].Shape[0]
			biased := len(in) > 2
			for r := 0; biased && r < b; r++ {
				copy(out[r*o:(r+1)*o], in[2].F)
			}
			numeric.Gemm(1, false, true, b, o, i, in[0].F, i, in[1].F, i, biased, out, o)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			b, i, o := in[0].Shape[0], in[0].Shape[1], in[1].Shape[0]
			numeric.Gemm(1, false, false, b, i, o, gout, o, in[1].F, i, false, din[0], i)
			numeric.Gemm(1, true, false, o, i, b, gout, o, in[0].F, i, false, din[1], i)
			for r := 0; len(in) > 2 && r < b; r++ {
				numeric.Axpy(din[2], gout[r*o:(r+1)*o], 1)
			}
			return nil
		},
	}
}

func gemm[T Float](_ int, transA, transB bool, m, n, k int, a []T, lda int, b []T, ldb int, add bool, c []T, ldc int) {
	at := func(x []T, ld, row, column int, trans bool) T {
		if trans {
			row, column = column, row
		}
		return x[row*ld+column]
	}
	for i := range m {
		for j := range n {
			var sum T
			if add {
				sum = c[i*ldc+j]
			}
			for p := range k {
				sum += at(a, lda, i, p, transA) * at(b, ldb, p, j, transB)
			}
			c[i*ldc+j] = sum
		}
	}
}
