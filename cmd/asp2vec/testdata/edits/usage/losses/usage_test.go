package losses_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Of two pairs, and one of weight 0 that does not count, the first aspect has 3/4: (1/4)² on average over both aspects.
func TestUsageVariance(t *testing.T) {
	for want, prob := range map[float64][]float64{1. / 16: {1, 0, .5, .5, 0, 1}, 0: {.5, .5, .5, .5, 1, 0}} {
		in := []gradcheck.Input{
			{Name: "prob", Shape: []int{3, 2}, Floats: prob, Diff: true},
			{Name: "weight", Shape: []int{3}, Floats: []float64{.5, .5, 0}},
		}
		build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
			return losses.Regularizers.Get("usage").Batch(losses.State{Prob: in[0], Weight: in[1]}, nil)
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
