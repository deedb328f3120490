package losses_test

import (
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/gradcheck"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func normal(name string, shape ...int) gradcheck.Input {
	s := rng.New(1, name)
	x := make([]float64, tensor.Shape(shape).TotalSize())
	for i := range x {
		x[i] = s.Normal()
	}
	return gradcheck.Input{Name: name, Shape: shape, Floats: x, Diff: true}
}

func constant(name string, shape ...int) gradcheck.Input {
	in := normal(name, shape...)
	in.Diff = false
	return in
}

func pair(loss losses.Pair) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return loss(in[0], in[1]) }
}

func penalty(reg losses.Regularizer, epsilon float64) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return reg(in[0], epsilon) }
}

func weighted(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
	return losses.AspectWeighted(in[0], in[1], in[2])
}

func check(t *testing.T, name string, build gradcheck.Build, in ...gradcheck.Input) {
	t.Helper()
	if err := gradcheck.Check(build, in); err != nil {
		t.Errorf("%s %v: %v", name, in[0].Shape, err)
	}
}

func run(t *testing.T, dt tensor.Dtype, build gradcheck.Build, in ...gradcheck.Input) gradcheck.Result {
	t.Helper()
	r, err := gradcheck.Run(build, dt, in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGradients(t *testing.T) {
	for _, z := range []struct{ B, M, K int }{{4, 3, 5}, {1, 1, 1}, {3, 2, 1}, {2, 1, 3}} {
		for name, loss := range losses.Pairs {
			check(t, name, pair(loss), normal("pos", z.B, z.K), normal("neg", z.B, z.M, z.K))
		}
		check(t, "AspectWeighted", weighted, normal("loss", z.B, z.K), normal("prob", z.B, z.K), constant("weight", z.B))
		check(t, "Weighted", func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return losses.Weighted(in[0], in[1]) },
			normal("loss", z.B, 1), constant("weight", z.B))
	}
	for _, z := range []struct{ N, K, D int }{{5, 4, 3}, {1, 2, 2}, {1, 1, 1}, {3, 1, 4}} {
		for name, reg := range losses.Regularizers {
			for _, epsilon := range []float64{0, 0.3, 0.9} { // no |cosine| of these inputs is within 1e-5 of a bound
				check(t, name, penalty(reg, epsilon), normal("aspects", z.N, z.K, z.D))
			}
		}
	}
}

// TestPairsFallWithTheScore: every loss of pairs is positive, falls as the observed context scores higher, and rises as
// the negatives do.
func TestPairsFallWithTheScore(t *testing.T) {
	for name, loss := range losses.Pairs {
		r := run(t, tensor.Float64, pair(loss), normal("pos", 10, 3), normal("neg", 10, 2, 3))
		for _, v := range r.Value {
			if !(v > 0) {
				t.Errorf("%s: loss %g", name, v)
			}
		}
		for _, d := range r.Grads[0] {
			if !(d < 0) {
				t.Errorf("%s: derivative %g in pos, want < 0", name, d)
			}
		}
		for _, d := range r.Grads[1] {
			if !(d > 0) {
				t.Errorf("%s: derivative %g in neg, want > 0", name, d)
			}
		}
	}
}

// TestPairsLearn: ten steps down the gradient move observed contexts above negatives.
func TestPairsLearn(t *testing.T) {
	for name, loss := range losses.Pairs {
		pos, neg := normal("pos", 6, 2), normal("neg", 6, 1, 2)
		for range 10 {
			r := run(t, tensor.Float64, pair(loss), pos, neg)
			for i := range pos.Floats {
				pos.Floats[i] -= r.Grads[0][i]
				neg.Floats[i] -= r.Grads[1][i]
			}
		}
		for i, p := range pos.Floats {
			if p <= neg.Floats[i] {
				t.Errorf("%s: element %d: pos %.3f, neg %.3f after ten steps", name, i, p, neg.Floats[i])
			}
		}
	}
}

// TestSkipGramStaysFinite: for scores of 1e4 either way the loss is the score itself or 0, in float32.
func TestSkipGramStaysFinite(t *testing.T) {
	pos := gradcheck.Input{Name: "pos", Shape: []int{4, 1}, Floats: []float64{1e4, -1e4, 1e4, 0}, Diff: true}
	neg := gradcheck.Input{Name: "neg", Shape: []int{4, 1, 1}, Floats: []float64{-1e4, -1e4, 1e4, 0}, Diff: true}
	r := run(t, tensor.Float32, pair(losses.SkipGram), pos, neg)
	if err := gradcheck.Compare("loss", r.Value, []float64{0, 1e4, 1e4, 2 * math.Ln2}, 1e-7); err != nil {
		t.Error(err)
	}
	for _, d := range append(r.Grads[0], r.Grads[1]...) {
		if math.IsNaN(d) || math.IsInf(d, 0) {
			t.Errorf("gradient %g", d)
		}
	}
}

// permuted moves the last axis, or the aspects, of an input.
func permuted(in gradcheck.Input, width int, order []int) gradcheck.Input {
	k := len(order)
	x := make([]float64, len(in.Floats))
	for i := range x {
		row, s, d := i/(k*width), i/width%k, i%width
		x[i] = in.Floats[(row*k+order[s])*width+d]
	}
	in.Floats = x
	return in
}

// TestLossesDoNotKnowTheAspects: renaming the aspects changes no loss and no penalty but for the order of summation.
func TestLossesDoNotKnowTheAspects(t *testing.T) {
	order := []int{2, 0, 3, 1}
	same := func(name string, build gradcheck.Build, width int, in, fixed []gradcheck.Input) {
		before := run(t, tensor.Float64, build, append(append([]gradcheck.Input{}, in...), fixed...)...)
		moved := make([]gradcheck.Input, len(in))
		for i := range in {
			moved[i] = permuted(in[i], width, order)
		}
		after := run(t, tensor.Float64, build, append(moved, fixed...)...)
		want := before.Value
		if len(want) > 1 { // a value for each aspect moves with it
			want = permuted(gradcheck.Input{Floats: want}, 1, order).Floats
		}
		if err := gradcheck.Compare(name, after.Value, want, 1e-13); err != nil {
			t.Error(err)
		}
	}
	for name, loss := range losses.Pairs {
		same(name, pair(loss), 1, []gradcheck.Input{normal("pos", 5, 4), normal("neg", 5, 2, 4)}, nil)
	}
	same("AspectWeighted", weighted, 1, []gradcheck.Input{normal("loss", 5, 4), normal("prob", 5, 4)},
		[]gradcheck.Input{constant("weight", 5)})
	for name, reg := range losses.Regularizers {
		same(name, penalty(reg, 0.3), 3, []gradcheck.Input{normal("aspects", 5, 4, 3)}, nil)
	}
}

// TestOneAspectIsDeepWalk: with K = 1 and probability 1, asp2vec's loss is DeepWalk's to the last bit.
func TestOneAspectIsDeepWalk(t *testing.T) {
	loss, weight := normal("loss", 7, 1), constant("weight", 7)
	one := gradcheck.Input{Name: "prob", Shape: []int{7, 1}, Floats: []float64{1, 1, 1, 1, 1, 1, 1}}
	for dt := range precisions {
		asp2vec := run(t, dt, weighted, loss, one, weight)
		deepwalk := run(t, dt, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return losses.Weighted(in[0], in[1]) }, loss, weight)
		if asp2vec.Value[0] != deepwalk.Value[0] {
			t.Errorf("%v: asp2vec %.17g, DeepWalk %.17g", dt, asp2vec.Value[0], deepwalk.Value[0])
		}
	}
}

// TestPaddingCostsNothing: pairs of weight 0 change neither loss nor gradient, whatever they hold.
func TestPaddingCostsNothing(t *testing.T) {
	loss, prob := normal("loss", 3, 2), normal("prob", 3, 2)
	weight := gradcheck.Input{Name: "weight", Shape: []int{3}, Floats: []float64{.5, .5, 0}}
	before := run(t, tensor.Float32, weighted, loss, prob, weight)
	loss.Floats[4], loss.Floats[5] = 1e30, -1e30
	after := run(t, tensor.Float32, weighted, loss, prob, weight)
	if before.Value[0] != after.Value[0] {
		t.Errorf("loss %g with other padding, was %g", after.Value[0], before.Value[0])
	}
	for _, grad := range after.Grads[:2] {
		if grad[4] != 0 || grad[5] != 0 {
			t.Errorf("gradient %v of padding", grad[4:])
		}
	}
}

// TestRegularizersVanish: nothing is penalized with epsilon = 1, even identical aspects, nor with one aspect.
func TestRegularizersVanish(t *testing.T) {
	equal := normal("aspects", 50, 4, 20)
	for i := range equal.Floats {
		equal.Floats[i] = equal.Floats[i/80*80+i%20]
	}
	for name, reg := range losses.Regularizers {
		for dt := range precisions {
			for what, r := range map[string]gradcheck.Result{
				"epsilon = 1": run(t, dt, penalty(reg, 1), equal),
				"one aspect":  run(t, dt, penalty(reg, 0), normal("one", 5, 1, 3)),
			} {
				if r.Value[0] != 0 {
					t.Errorf("%s, %s, %v: %g, want 0", name, what, dt, r.Value[0])
				}
				for _, d := range r.Grads[0] {
					if d != 0 {
						t.Fatalf("%s, %s, %v: gradient %g, want 0", name, what, dt, d)
					}
				}
			}
			// Six pairs of equal aspects for each of fifty vertices, each of cosine 1.
			if r := run(t, dt, penalty(reg, 0.9), equal); math.Abs(r.Value[0]-300) > 1e-3 {
				t.Errorf("%s, %v: equal aspects cost %g, want 300", name, dt, r.Value[0])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	g := G.NewGraph()
	x := func(name string, shape ...int) *G.Node {
		return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithShape(shape...))
	}
	m, c, v := x("m", 6, 4), x("c", 6, 4, 2), x("v", 6)
	for name, fs := range map[string][]func() (*G.Node, error){
		"SkipGram": {
			func() (*G.Node, error) { return losses.SkipGram(m, c) },
			func() (*G.Node, error) { return losses.SkipGram(m, m) },
			func() (*G.Node, error) { return losses.SkipGram(v, c) },
		},
		"AspectWeighted": {
			func() (*G.Node, error) { return losses.AspectWeighted(m, x("p", 6, 3), v) },
			func() (*G.Node, error) { return losses.AspectWeighted(m, m, x("w", 5)) },
			func() (*G.Node, error) { return losses.AspectWeighted(c, c, v) },
		},
		"Weighted": {
			func() (*G.Node, error) { return losses.Weighted(m, v) },
			func() (*G.Node, error) { return losses.Weighted(x("l", 6, 1), x("u", 1)) },
		},
		"AspectRegularizer": {
			func() (*G.Node, error) { return losses.AspectRegularizer(m, 0.5) },
			func() (*G.Node, error) { return losses.AspectRegularizer(c, -0.1) },
			func() (*G.Node, error) { return losses.AspectRegularizer(c, 1.1) },
			func() (*G.Node, error) { return losses.AspectRegularizer(c, math.NaN()) },
		},
	} {
		for i, f := range fs {
			if _, err := f(); err == nil || !strings.HasPrefix(err.Error(), "losses: "+name+": ") {
				t.Errorf("%s %d: error %v, want one that names it", name, i, err)
			}
		}
	}
	if _, err := losses.FindPair("no-such-loss"); err == nil || !strings.Contains(err.Error(), "skipgram") {
		t.Errorf("FindPair: error %v, want the known names", err)
	}
	if _, err := losses.FindRegularizer("l2"); err == nil || !strings.Contains(err.Error(), "cosine") {
		t.Errorf("FindRegularizer: error %v, want the known names", err)
	}
}
