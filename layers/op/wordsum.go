package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// WordSum returns the weighted sums of the rows of a constant table: out[b] = Σ_l share[b,l]·weight[index[b,l]]·table[index[b,l]].
//
// index (B,L) of integers in [0,V), share (B,L), weight (V), table (V,W) -> (B,W). The weights get a gradient, shares and table get none.
// Places of share 0 do not take part, whatever their index. The work is done by rows on up to threads goroutines, whose number changes no
// bit. It returns an error if the shapes or types disagree; an index outside the table is an error of the run.
func WordSum(index, share, weight, table *G.Node, threads int) (*G.Node, error) {
	i, s, w, t := index.Shape(), share.Shape(), weight.Shape(), table.Shape()
	if i.Dims() != 2 || !s.Eq(i) || w.Dims() != 1 || t.Dims() != 2 || t[0] != w[0] || index.Dtype() != tensor.Int {
		return nil, fmt.Errorf("op: WordSum: index %v of %v, share %v, weight %v, table %v: expected (B,L) of int, (B,L), (V) and (V,W)", i, index.Dtype(), s, w, t)
	}
	return Apply(Spec{
		Name: "WordSum", Shape: tensor.Shape{i[0], t[1]}, Diff: []bool{false, false, true, false},
		F32: wordSum(threads, kernel.Axpy, kernel.Dot), F64: wordSum(threads, axpy[float64], dot[float64]),
	}, index, share, weight, table)
}

func wordSum[T Float](threads int, axpy func(y, x []T, a T), dot func(x, y []T) T) Kernel[T] {
	var slope []T // (B,L): dL/d weight at each place
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			index, share, weight, table := in[0].I, in[1].F, in[2].F, in[3].F
			l, w := in[0].Shape[1], in[3].Shape[1]
			for j, v := range index {
				if share[j] != 0 && (v < 0 || v >= len(weight)) {
					return fmt.Errorf("index[%d] = %d: expected 0 to %d", j, v, len(weight)-1)
				}
			}
			par.Blocks(threads, in[0].Shape[0], func(_, b int) {
				sum := out[b*w : (b+1)*w]
				clear(sum)
				for j := b * l; j < (b+1)*l; j++ {
					if v := index[j]; share[j] != 0 {
						axpy(sum, table[v*w:(v+1)*w], share[j]*weight[v])
					}
				}
			})
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			index, share, table := in[0].I, in[1].F, in[3].F
			l, w := in[0].Shape[1], in[3].Shape[1]
			if slope == nil {
				slope = make([]T, len(index))
			}
			par.Blocks(threads, in[0].Shape[0], func(_, b int) {
				for j := b * l; j < (b+1)*l; j++ {
					if v := index[j]; share[j] != 0 {
						slope[j] = share[j] * dot(table[v*w:(v+1)*w], gout[b*w:(b+1)*w])
					}
				}
			})
			for j, v := range index { // one after the other: words are in several texts
				if share[j] != 0 {
					din[2][v] += slope[j]
				}
			}
			return nil
		},
	}
}
