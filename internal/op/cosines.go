package op

import (
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// cosineFloor is the least product of two lengths that a cosine is divided by, as in the authors' code.
const cosineFloor = 1e-8

// Cosines returns the cosine of each pair of aspects of each vertex, pairs (i,j), i<j, in lexicographic order:
//
//	out[n,ij] = <a_i, a_j> / max(|a_i|·|a_j|, 1e-8)
//
// aspects (N,K,D) with K >= 2 -> (N, K(K-1)/2), in [-1,1]. Where the floor is reached it is a constant for the gradient.
// The gradient of two identical vectors is exactly zero. It returns an error for another shape.
func Cosines(aspects *G.Node) (*G.Node, error) {
	s := aspects.Shape()
	if s.Dims() != 3 || s[1] < 2 {
		return nil, fmt.Errorf("op: Cosines: aspects %v: want (N,K,D) with K >= 2", s)
	}
	return Apply(Spec{
		Name: "Cosines", Shape: tensor.Shape{s[0], s[1] * (s[1] - 1) / 2}, Diff: []bool{true},
		F32: cosines[float32](), F64: cosines[float64](),
	}, aspects)
}

func cosines[T Float]() Kernel[T] {
	var dots, squares, lengths []T // <a_i,a_j> of each pair; |a|² and |a| of each aspect of one vertex
	square := func(x []T, d int) {
		for i := range squares {
			v := x[i*d : (i+1)*d]
			squares[i] = dot(v, v)
			lengths[i] = T(math.Sqrt(float64(squares[i])))
		}
	}
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			n, k, d := in[0].Shape[0], in[0].Shape[1], in[0].Shape[2]
			if dots == nil {
				dots, squares, lengths = make([]T, len(out)), make([]T, k), make([]T, k)
			}
			p := 0
			for v := range n {
				x := in[0].F[v*k*d : (v+1)*k*d]
				square(x, d)
				for i := range k {
					for j := i + 1; j < k; j++ {
						dots[p] = dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d])
						c := dots[p] / max(lengths[i]*lengths[j], cosineFloor)
						out[p] = min(max(c, -1), 1) // rounding may leave [-1,1]
						p++
					}
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			n, k, d := in[0].Shape[0], in[0].Shape[1], in[0].Shape[2]
			pairs := k * (k - 1) / 2
			for v := range n {
				p := v * pairs
				if isZero(gout[p : p+pairs]) {
					continue // most vertices, once the aspects have parted
				}
				x, dx := in[0].F[v*k*d:(v+1)*k*d], din[0][v*k*d:(v+1)*k*d]
				square(x, d)
				for i := range k {
					for j := i + 1; j < k; j++ {
						if g := gout[p]; g != 0 {
							a, b := x[i*d:(i+1)*d], x[j*d:(j+1)*d]
							da, db := dx[i*d:(i+1)*d], dx[j*d:(j+1)*d]
							if l := lengths[i] * lengths[j]; l > cosineFloor {
								g /= l
								cosineSlope(g, dots[p]/squares[i], b, a, da)
								cosineSlope(g, dots[p]/squares[j], a, b, db)
							} else {
								axpy(da, b, g/cosineFloor)
								axpy(db, a, g/cosineFloor)
							}
						}
						p++
					}
				}
			}
			return nil
		},
	}
}

// cosineSlope adds g·(b - r·a) to da. With r = <a,b>/|a|² this is exactly zero for b = a.
func cosineSlope[T Float](g, r T, b, a, da []T) {
	a, da = a[:len(b)], da[:len(b)]
	for i, v := range b {
		da[i] += g * (v - r*a[i])
	}
}

func isZero[T Float](x []T) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}
