package losses_test

import (
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func crossEntropy(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
	return losses.BinaryCrossEntropy(in[0], in[1])
}

// The golden values are numpy's (1.24), from the definition with labels y:
//
//	x = np.array([.3, -1.2, 2.5, -.7, 1.1]); y = np.array([1, 1, 1, 0, 0]); p = 1/(1+np.exp(-x))
//	-np.mean(y*np.log(p) + (1-y)*np.log(1-p)), (p-y)/5
func TestBinaryCrossEntropy(t *testing.T) {
	pos := gradcheck.Input{Name: "pos", Shape: []int{3}, Floats: []float64{.3, -1.2, 2.5}, Diff: true}
	neg := gradcheck.Input{Name: "neg", Shape: []int{2, 1}, Floats: []float64{-.7, 1.1}, Diff: true}
	check(t, "BinaryCrossEntropy", crossEntropy, pos, neg)
	check(t, "BinaryCrossEntropy", crossEntropy, normal("pos", 7), normal("neg", 4))
	expect(t, crossEntropy, []gradcheck.Input{pos, neg}, []float64{0.7774097640199994}, []float64{-0.08511149663766819, -0.15370495669980352, -0.01517163600424869})
	r := run(t, tensor.Float64, crossEntropy, pos, neg)
	if err := gradcheck.Compare("gradient of neg", r.Grads[1], []float64{0.06636244556636678, 0.15005202111902355}, 1e-14); err != nil {
		t.Error(err)
	}
}

// TestBinaryCrossEntropyStaysFinite: a logit of 1e4 costs nothing with the right label, and itself with the wrong one.
func TestBinaryCrossEntropyStaysFinite(t *testing.T) {
	for sign, want := range map[float64]float64{1: 0, -1: 1e4, 0: math.Ln2} {
		pos := gradcheck.Input{Name: "pos", Shape: []int{2}, Floats: []float64{sign * 1e4, sign * 1e4}, Diff: true}
		neg := gradcheck.Input{Name: "neg", Shape: []int{2}, Floats: []float64{-sign * 1e4, -sign * 1e4}, Diff: true}
		r := run(t, tensor.Float32, crossEntropy, pos, neg)
		if err := gradcheck.Compare("loss", r.Value, []float64{want}, 1e-6); err != nil {
			t.Error(err)
		}
		for _, d := range append(r.Grads[0], r.Grads[1]...) {
			if math.IsNaN(d) || math.Abs(d) > .25 {
				t.Errorf("gradient %g at %g", d, sign*1e4)
			}
		}
	}
}

func TestBinaryCrossEntropyError(t *testing.T) {
	g := G.NewGraph()
	pos := G.NewVector(g, tensor.Float32, G.WithName("pos"), G.WithShape(2))
	neg := G.NewVector(g, tensor.Float64, G.WithName("neg"), G.WithShape(2))
	if _, err := losses.BinaryCrossEntropy(pos, neg); err == nil || !strings.HasPrefix(err.Error(), "losses: BinaryCrossEntropy: ") {
		t.Errorf("error %v, expected one that names it", err)
	}
}
