package op

import (
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Behind returns by how much each of M numbers is above its own: out[b,m,k] = neg[b,m,k] - pos[b,k].
//
// neg (B,M,K), pos (B,K) -> (B,M,K). It returns an error if the shapes or types disagree.
func Behind(neg, pos *G.Node) (*G.Node, error) {
	n, p := neg.Shape(), pos.Shape()
	if n.Dims() != 3 || p.Dims() != 2 || n[0] != p[0] || n[2] != p[1] {
		return nil, fmt.Errorf("op: Behind: neg %v, pos %v: want (B,M,K) and (B,K)", n, p)
	}
	return Apply(Spec{
		Name: "Behind", Shape: n.Clone(), Diff: []bool{true, true}, F32: behind[float32](), F64: behind[float64](),
	}, neg, pos)
}

func behind[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			m, k := in[0].Shape[1], in[0].Shape[2]
			copy(out, in[0].F)
			for r := range len(out) / k {
				axpy(out[r*k:(r+1)*k], in[1].F[r/m*k:(r/m+1)*k], -1)
			}
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			m, k := in[0].Shape[1], in[0].Shape[2]
			axpy(din[0], gout, 1)
			for r := range len(gout) / k {
				axpy(din[1][r/m*k:(r/m+1)*k], gout[r*k:(r+1)*k], -1)
			}
			return nil
		},
	}
}

// LogOnePlusSum returns log(1 + Σ_m exp(x[b,m,k])), which no finite x makes overflow.
//
// x (B,M,K) -> (B,K). It returns an error for another shape.
func LogOnePlusSum(x *G.Node) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() != 3 {
		return nil, fmt.Errorf("op: LogOnePlusSum: x %v: want (B,M,K)", s)
	}
	return Apply(Spec{
		Name: "LogOnePlusSum", Shape: tensor.Shape{s[0], s[2]}, Diff: []bool{true}, Sets: []bool{true},
		F32: logOnePlusSum[float32](), F64: logOnePlusSum[float64](),
	}, x)
}

func logOnePlusSum[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			x, m, k := in[0].F, in[0].Shape[1], in[0].Shape[2]
			for i := range out {
				at := i/k*m*k + i%k // of the first of M, which are k apart
				var top T           // of the 1, exp(0)
				for j := range m {
					top = max(top, x[at+j*k]) // NaN if any is
				}
				sum := math.Exp(-float64(top))
				for j := range m {
					sum += math.Exp(float64(x[at+j*k]) - float64(top))
				}
				out[i] = T(float64(top) + math.Log(sum))
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			m, k := in[0].Shape[1], in[0].Shape[2]
			for i, x := range in[0].F {
				o := i/(m*k)*k + i%k
				din[0][i] = gout[o] * T(math.Exp(float64(x)-float64(out[o])))
			}
			return nil
		},
	}
}
