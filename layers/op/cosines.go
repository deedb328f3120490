package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
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
		return nil, fmt.Errorf("op: Cosines: aspects %v: expected (N,K,D) with K >= 2", s)
	}
	return whole("Cosines", tensor.Shape{s[0], s[1] * (s[1] - 1) / 2}, cosines(fast), cosines(exact), aspects)
}

func cosines[T Float](a arrays[T]) Kernel[T] {
	var grams []T            // inner products among the aspects of each vertex, kept for the backward pass
	var squares, lengths []T // (N,K) of the aspects, likewise
	var alpha, ratio []T     // (K,K) of one vertex: what Repel wants
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			n, k, d := in[0].Shape[0], in[0].Shape[1], in[0].Shape[2]
			size := kernel.GramSize(k)
			room(&grams, n*size)
			room(&squares, n*k)
			room(&lengths, n*k)
			o := 0
			for v := range n {
				g := grams[v*size : (v+1)*size]
				a.gram(g, in[0].F[v*k*d:(v+1)*k*d], k, d)
				own, length := squares[v*k:(v+1)*k], lengths[v*k:(v+1)*k]
				p := 0
				for i := range k {
					own[i] = g[p]
					p += k - i
				}
				a.sqrt(length, own)
				p = 0
				for i, l := range length {
					p++ // of the aspect with itself
					for _, other := range length[i+1:] {
						c := g[p] / max(l*other, cosineFloor)
						out[o] = min(max(c, -1), 1) // rounding may leave [-1,1]
						p, o = p+1, o+1
					}
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			n, k, d := in[0].Shape[0], in[0].Shape[1], in[0].Shape[2]
			size, pairs := kernel.GramSize(k), k*(k-1)/2
			room(&alpha, k*k)
			room(&ratio, k*k)
			for v := range n {
				slopes, dx := gout[v*pairs:(v+1)*pairs], din[0][v*k*d:(v+1)*k*d]
				if isZero(slopes) { // most vertices, once the aspects have parted
					clear(dx)
					continue
				}
				g, own, length := grams[v*size:(v+1)*size], squares[v*k:(v+1)*k], lengths[v*k:(v+1)*k]
				p, o := 0, 0
				for i := range k {
					p++
					for j := i + 1; j < k; j++ {
						l, r, s := length[i]*length[j], T(0), T(0)
						if l > cosineFloor {
							r, s = g[p]/own[i], g[p]/own[j]
						}
						by := slopes[o] / max(l, cosineFloor)
						alpha[i*k+j], alpha[j*k+i] = by, by
						ratio[i*k+j], ratio[j*k+i] = r, s
						p, o = p+1, o+1
					}
				}
				a.repel(dx, in[0].F[v*k*d:(v+1)*k*d], alpha, ratio, k, d)
			}
			return nil
		},
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
