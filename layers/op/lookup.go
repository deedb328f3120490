package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Lookup returns the rows of table that index names: out[b] = table[index[b]].
//
// table (N,...), index (B) of integers in [0,N) -> (B,...). Rows named more than once add up in the gradient. An index
// outside the table is an error of the run (Gorgonia's ByIndices answers with row 0).
func Lookup(table, index *G.Node) (*G.Node, error) {
	t, ix := table.Shape(), index.Shape()
	if t.Dims() < 2 || ix.Dims() != 1 || index.Dtype() != tensor.Int {
		return nil, fmt.Errorf("op: Lookup: table %v, index %v of %v: expected (N,...) and (B) of int", t, ix, index.Dtype())
	}
	shape := append(tensor.Shape{ix[0]}, t[1:]...)
	return Apply(Spec{
		Name: "Lookup", kind: LookupKind, Shape: shape, Diff: []bool{true, false},
		F32: lookup(kernel.Axpy), F64: lookup(axpy[float64]),
	}, table, index)
}

func lookup[T Float](axpy func(y, x []T, a T)) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			table, n := in[0].F, in[0].Shape[0]
			w := len(table) / n
			for b, i := range in[1].I {
				if i < 0 || i >= n {
					return fmt.Errorf("index[%d] = %d: expected 0 to %d", b, i, n-1)
				}
				copy(out[b*w:(b+1)*w], table[i*w:(i+1)*w])
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			w := len(in[0].F) / in[0].Shape[0]
			for b, i := range in[1].I {
				axpy(din[0][i*w:(i+1)*w], gout[b*w:(b+1)*w], 1)
			}
			return nil
		},
	}
}
