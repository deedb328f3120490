package layers_test

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// A window of one context before the centre, and two behind it, of which the last is the second vertex again.
func TestByDistance(t *testing.T) {
	in := []gradcheck.Input{
		{Name: "rows", Shape: []int{3, 1, 1}, Floats: []float64{10, 100, 100}, Diff: true},
		{Name: "weight", Shape: []int{1, 3}, Floats: []float64{.5, .5, 0}},
		{Name: "offset", Shape: []int{1, 3}, Floats: []float64{-1, 2, 3}},
	}
	for decay, want := range map[float64]float64{0: 55, math.Ln2: 10./4 + 100./8} {
		build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
			return layers.Readouts.Get("distance").Read(layers.Contexts{Rows: in[0], Weight: in[1], Offset: in[2]}, layers.Values{"readout-decay": decay})
		}
		if err := gradcheck.Check(build, in); err != nil {
			t.Error(err)
		}
		r, err := gradcheck.Run(build, tensor.Float64, in)
		if err != nil {
			t.Fatal(err)
		}
		if err := gradcheck.Compare("value", r.Value, []float64{want}, 1e-12); err != nil {
			t.Error(err)
		}
	}
}
