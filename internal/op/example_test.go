package op_test

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// cube is a kernel with its gradient; one generic function serves training in float32 and gradient checks in float64.
func cube[T op.Float]() op.Kernel[T] {
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) error {
			for i, x := range in[0].F {
				out[i] = x * x * x
			}
			return nil
		},
		Backward: func(in []op.Array[T], out, gout []T, din [][]T) error {
			for i, x := range in[0].F {
				din[0][i] += 3 * x * x * gout[i]
			}
			return nil
		},
	}
}

func ExampleApply() {
	g := G.NewGraph()
	x := G.NewVector(g, tensor.Float64, G.WithName("x"), G.WithValue(tensor.New(tensor.WithBacking([]float64{1, 2}))))
	y, err := op.Apply(op.Spec{
		Name: "Cube", Shape: x.Shape(), Diff: []bool{true}, F32: cube[float32](), F64: cube[float64](),
	}, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	grads, err := G.Grad(G.Must(op.Total(y)), x)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := G.NewTapeMachine(g).RunAll(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Value().Data(), grads[0].Value().Data())
	// Output: [1 8] [3 12]
}
