package losses_test

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Scores of 0 cost 2 log 2 each, before degrees of 1 and 3 halve and quarter that.
func TestByDegree(t *testing.T) {
	in := []gradcheck.Input{
		{Name: "pos", Shape: []int{2, 1}, Floats: []float64{0, 0}, Diff: true},
		{Name: "neg", Shape: []int{2, 1, 1}, Floats: []float64{0, 0}, Diff: true},
		{Name: "degree", Shape: []int{2}, Floats: []float64{1, 3}},
	}
	build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		s := losses.State{Pos: in[0], Neg: in[1], Context: losses.Vertices{Degree: in[2]}}
		return losses.Pairs.Get("degree").Loss(s, losses.Values{"pair-loss-power": 1})
	}
	if err := gradcheck.Check(build, in); err != nil {
		t.Error(err)
	}
	r, err := gradcheck.Run(build, tensor.Float64, in)
	if err != nil {
		t.Fatal(err)
	}
	if err := gradcheck.Compare("value", r.Value, []float64{math.Ln2, math.Ln2 / 2}, 1e-12); err != nil {
		t.Error(err)
	}
}
