package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Behind returns by how much each of M numbers is above its own: out[b,m,k] = neg[b,m,k] - pos[b,k].
//
// neg (B,M,K), pos (B,K) -> (B,M,K). It returns an error if the shapes or types disagree.
func Behind(neg, pos *G.Node) (*G.Node, error) {
	n, p := neg.Shape(), pos.Shape()
	if n.Dims() != 3 || p.Dims() != 2 || n[0] != p[0] || n[2] != p[1] {
		return nil, fmt.Errorf("op: Behind: neg %v, pos %v: expected (B,M,K) and (B,K)", n, p)
	}
	return whole("Behind", n.Clone(), behind(fast), behind(exact), neg, pos)
}

func behind[T Float](a arrays[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			b, m, k := in[0].Shape[0], in[0].Shape[1], in[0].Shape[2]
			a.spreadMiddle(out, in[1].F, b, m, k)
			a.sub(out, in[0].F, out)
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			b, m, k := in[0].Shape[0], in[0].Shape[1], in[0].Shape[2]
			copy(din[0], gout)
			a.sumMiddle(din[1], gout, b, m, k)
			a.scale(din[1], din[1], -1)
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
		return nil, fmt.Errorf("op: LogOnePlusSum: x %v: expected (B,M,K)", s)
	}
	return whole("LogOnePlusSum", tensor.Shape{s[0], s[2]}, logOnePlusSum(fast), logOnePlusSum(exact), x)
}

// logOnePlusSum works out softplus(log Σ exp(x)), which keeps the accuracy of tiny results, and that logarithm by the largest x.
func logOnePlusSum[T Float](a arrays[T]) Kernel[T] {
	var shares []T                  // (B,M,K): exp(x - top)
	var top, sums, logs, slopes []T // (B,K)
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			x, b, m, k := in[0].F, in[0].Shape[0], in[0].Shape[1], in[0].Shape[2]
			room(&shares, len(x))
			for _, buffer := range []*[]T{&top, &sums, &logs, &slopes} {
				room(buffer, len(out))
			}
			a.maxMiddle(top, x, b, m, k)
			a.spreadMiddle(shares, top, b, m, k)
			a.sub(shares, x, shares)
			a.exp(shares, shares)
			a.sumMiddle(sums, shares, b, m, k)
			a.log(logs, sums)
			a.add(logs, logs, top)
			a.softplus(out, slopes, logs)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			a.mul(logs, gout, slopes)
			a.div(logs, logs, sums)
			a.spreadMiddle(din[0], logs, in[0].Shape[0], in[0].Shape[1], in[0].Shape[2])
			a.mul(din[0], din[0], shares)
			return nil
		},
	}
}
