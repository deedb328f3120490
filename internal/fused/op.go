package fused

import (
	"errors"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Node adds the loss of the batches that p will be bound to, as one op with gradients by both tables.
//
// centers (N,D), aspects (N,K,D), both float32 -> scalar, in nats. It returns an error if the shapes are not those of the
// configuration; a run without a batch fails.
func (p *Pairs) Node(centers, aspects *G.Node) (*G.Node, error) {
	c, q := centers.Shape(), aspects.Shape()
	if c.Dims() != 2 || q.Dims() != 3 || c[0] != q[0] || c[1] != p.c.Dim || q[1] != p.c.Aspects || q[2] != p.c.Dim {
		return nil, fmt.Errorf("fused: centers %v, aspects %v: want (N,%d) and (N,%d,%d)", c, q, p.c.Dim, p.c.Aspects, p.c.Dim)
	}
	return op.Apply(op.Spec{
		Name: "FusedPairs", Shape: tensor.ScalarShape(), Diff: []bool{true, true},
		F32: op.Kernel[float32]{
			Forward: func(in []op.Array[float32], out []float32) error {
				if p.batch == nil {
					return errors.New("no batch: want one bound before the run")
				}
				out[0] = float32(p.Forward(in[0].F, in[1].F))
				return nil
			},
			Backward: func(in []op.Array[float32], _, gout []float32, din [][]float32) error {
				n, d, kd := c[0], p.c.Dim, p.c.Aspects*p.c.Dim
				par.Blocks(p.c.Threads, n, func(_, v int) {
					p.CenterRow(din[0][v*d:][:d], v)
					p.AspectRow(din[1][v*kd:][:kd], v)
				})
				for _, g := range din {
					for i := range g {
						g[i] *= gout[0]
					}
				}
				return nil
			},
		},
	}, centers, aspects)
}

// RegularizerNode adds the aspect regularizer of a table, as one op with its gradient.
//
// aspects (N,K,D) of float32 -> scalar: Σ over vertices and pairs of aspects of |cosine|, where it is above epsilon. It returns an
// error for another shape or type.
func RegularizerNode(aspects *G.Node, epsilon float32) (*G.Node, error) {
	s := aspects.Shape()
	if s.Dims() != 3 {
		return nil, fmt.Errorf("fused: aspects %v: want (N,K,D)", s)
	}
	k, d := s[1], s[2]
	scratch := make([]float32, k*d)
	rows := func(in []op.Array[float32], each func(v int, block []float32)) {
		for v := range s[0] {
			each(v, in[0].F[v*k*d:][:k*d])
		}
	}
	return op.Apply(op.Spec{
		Name: "FusedRegularizer", Shape: tensor.ScalarShape(), Diff: []bool{true},
		F32: op.Kernel[float32]{
			Forward: func(in []op.Array[float32], out []float32) error {
				var sum float64
				rows(in, func(_ int, block []float32) {
					sum += float64(kernel.Regularizer(scratch, block, k, d, epsilon, 1))
				})
				out[0] = float32(sum)
				return nil
			},
			Backward: func(in []op.Array[float32], _, gout []float32, din [][]float32) error {
				rows(in, func(v int, block []float32) {
					kernel.Regularizer(scratch, block, k, d, epsilon, gout[0])
					kernel.Axpy(din[0][v*k*d:], scratch, 1)
				})
				return nil
			},
		},
	}, aspects)
}
