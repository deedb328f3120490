package layers_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func TestSparsemax(t *testing.T) {
	build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Sparsemax(in[0]) }
	x := []gradcheck.Input{{Name: "x", Shape: []int{3, 3}, Floats: []float64{.5, .2, -3, 1, 1, 1, .3, .1, -.2}, Diff: true}}
	if err := gradcheck.Check(build, x); err != nil {
		t.Error(err)
	}
	r, err := gradcheck.Run(build, tensor.Float64, x)
	if err != nil {
		t.Fatal(err)
	}
	// By hand: t is -.15, 2/3 and -.8/3.
	want := []float64{.65, .35, 0, 1. / 3, 1. / 3, 1. / 3, 1.7 / 3, 1.1 / 3, .2 / 3}
	if err := gradcheck.Compare("value", r.Value, want, 1e-12); err != nil {
		t.Error(err)
	}
}
