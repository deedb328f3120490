// Package eval measures embeddings: link prediction as the paper does it, and agreement of groupings of vertices.
//
// It knows nothing of how an embedding was trained and imports no Gorgonia, so it also scores vectors made elsewhere.
package eval

import (
	"fmt"
	"math"
)

// Embedding is a view of N vectors of D numbers, row-major: vector v is Data[v*D : (v+1)*D].
type Embedding struct {
	N, D int
	Data []float32 // len N*D
}

// Row returns vector v, without copying it. v is from 0 to N-1.
func (e Embedding) Row(v int) []float32 { return e.Data[v*e.D : (v+1)*e.D : (v+1)*e.D] }

// Validate returns an error for N or D below 1, for data that are not N*D numbers, and for the first number that is NaN or infinite.
func (e Embedding) Validate() error {
	if e.N <= 0 || e.D <= 0 || len(e.Data)/e.D != e.N || len(e.Data)%e.D != 0 {
		return fmt.Errorf("eval: embedding of %d numbers for %d vectors of dimension %d: expected N*D > 0 numbers", len(e.Data), e.N, e.D)
	}
	for i, x := range e.Data {
		if !finite32(x) {
			return fmt.Errorf("eval: embedding: vector %d, dimension %d is %v: expected finite numbers", i/e.D, i%e.D, x)
		}
	}
	return nil
}

func finite32(x float32) bool { return x-x == 0 }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
