package losses_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
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

func pair(loss losses.Pair, h losses.Values) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return loss.Loss(stateOf(in[0], in[1]), h) }
}

// stateOf returns a whole State of pos (B,K) and neg (B,M,K): an entry may read any of it.
func stateOf(pos, neg *G.Node) losses.State {
	b, m, k := neg.Shape()[0], neg.Shape()[1], neg.Shape()[2]
	fixed := func(name string, first, step float64, shape ...int) *G.Node {
		x := make([]float64, tensor.Shape(shape).TotalSize())
		for i := range x {
			x[i] = first + step*float64(i%3)
		}
		var backing any = x
		if pos.Dtype() == tensor.Float32 {
			single := make([]float32, len(x))
			for i, v := range x {
				single[i] = float32(v)
			}
			backing = single
		}
		return G.NewTensor(pos.Graph(), pos.Dtype(), len(shape), G.WithName(name), G.WithShape(shape...),
			G.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(backing))))
	}
	of := func(name string, shape ...int) losses.Vertices {
		return losses.Vertices{Degree: fixed("degree of "+name, 1, 2, shape...), Type: fixed("type of "+name, 0, 1, shape...)}
	}
	return losses.State{
		Pos: pos, Neg: neg, Logits: fixed("logits", -1, 0.7, b, k), Prob: fixed("probabilities", 1/float64(k), 0, b, k), Weight: fixed("weights", 1/float64(b), 0, b), Step: amid(pos),
		Offset: fixed("offsets", -1, 1.5, b), Center: of("center", b), Context: of("context", b), Negative: of("negative", b, m),
	}
}

// amid says of each row that half of the training is done.
func amid(rows *G.Node) *G.Node {
	n := rows.Shape()[0]
	single, double := make([]float32, n), make([]float64, n)
	for i := range n {
		single[i], double[i] = 0.5, 0.5
	}
	var backing any = double
	if rows.Dtype() == tensor.Float32 {
		backing = single
	}
	return G.NewVector(rows.Graph(), rows.Dtype(), G.WithName("step"), G.WithShape(n), G.WithValue(tensor.New(tensor.WithShape(n), tensor.WithBacking(backing))))
}

// tablePenalty is of aspects, and batchPenalty of probabilities, which serve as logits and scores too, and the weights of pairs.
func tablePenalty(reg losses.Regularizer, h losses.Values) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		return reg.Table(losses.Aspects{Rows: in[0], Step: amid(in[0])}, h)
	}
}

func batchPenalty(reg losses.Regularizer, h losses.Values) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		prob := in[0]
		neg, err := op.Reshape(prob, prob.Shape()[0], 1, prob.Shape()[1])
		if err != nil {
			return nil, err
		}
		s := stateOf(prob, neg)
		s.Logits, s.Prob, s.Weight = prob, prob, in[1]
		return reg.Batch(s, h)
	}
}

// probabilities are those of b pairs, as positive as a softmax makes them.
func probabilities(b, k int) gradcheck.Input {
	in := normal("prob", b, k)
	for r := range b {
		row, sum := in.Floats[r*k:(r+1)*k], 0.0
		for i, x := range row {
			row[i] = math.Exp(x)
			sum += row[i]
		}
		for i := range row {
			row[i] /= sum
		}
	}
	return in
}

// settings returns the defaults of hyperparameters, and for each of them the same with other values of its range.
func settings(ps []losses.Parameter) (all []losses.Values) {
	all = append(all, option.Usual(ps))
	for _, p := range option.Numbers(ps) {
		for _, v := range []float64{p.Min, 0.3, 0.9, 1.7} {
			if h := option.Usual(ps); p.Check(v) == nil && v != p.Default && !(p.Min > 0 && v == p.Min) {
				h[p.Key] = v
				all = append(all, h)
			}
		}
	}
	return all
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
	r := call.Of(gradcheck.Run(build, dt, in))(t)
	return r
}

func TestGradients(t *testing.T) {
	for _, z := range []struct{ B, M, K int }{{4, 3, 5}, {1, 1, 1}, {3, 2, 1}, {2, 1, 3}} {
		for name, loss := range losses.Pairs.All() {
			for _, h := range settings(loss.Parameters) { // no difference of these scores is within 1e-5 of a margin
				check(t, name, pair(loss, h), normal("pos", z.B, z.K), normal("neg", z.B, z.M, z.K))
			}
		}
		check(t, "AspectWeighted", weighted, normal("loss", z.B, z.K), normal("prob", z.B, z.K), constant("weight", z.B))
		check(t, "Weighted", func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return losses.Weighted(in[0], in[1]) },
			normal("loss", z.B, 1), constant("weight", z.B))
	}
	for _, z := range []struct{ N, K, D int }{{5, 4, 3}, {1, 2, 2}, {1, 1, 1}, {3, 1, 4}} {
		for name, reg := range losses.Regularizers.All() {
			for _, h := range settings(reg.Parameters) { // no |cosine| of these inputs is within 1e-5 of a bound
				if reg.Table != nil {
					check(t, name, tablePenalty(reg, h), normal("aspects", z.N, z.K, z.D))
				}
				if reg.Batch != nil {
					check(t, name, batchPenalty(reg, h), probabilities(z.N, z.K), constant("weight", z.N))
				}
			}
		}
	}
}

// TestPairsFallWithTheScore: no loss of pairs is negative, rises with the score of the observed context, or
// falls with those of the negatives; it may be flat where it asks for no more, as a hinge is, but not in both
// scores where the context scores below a negative.
func TestPairsFallWithTheScore(t *testing.T) {
	pos, neg := normal("pos", 10, 3), normal("neg", 10, 2, 3)
	for name, loss := range losses.Pairs.All() {
		for _, h := range settings(loss.Parameters) {
			r := run(t, tensor.Float64, pair(loss, h), pos, neg)
			for i, v := range r.Value {
				b, k := i/3, i%3
				below := max(neg.Floats[b*6+k], neg.Floats[b*6+3+k]) > pos.Floats[i]
				if d := r.Grads[0][i]; !(v >= 0) || !(d <= 0) || below && (v == 0 || d == 0) {
					t.Errorf("%s %v: loss %g, derivative %g in pos, below a negative %v: expected a loss >= 0 that falls, and > 0 below", name, h, v, d, below)
				}
			}
			for i, d := range r.Grads[1] {
				at := i/6*3 + i%3
				if below := neg.Floats[i] > pos.Floats[at]; !(d >= 0) || below && d == 0 && r.Grads[0][at] == 0 {
					t.Errorf("%s %v: derivative %g in neg, above its context %v: expected >= 0, and > 0 above", name, h, d, below)
				}
			}
		}
	}
}

// TestHyperparameters: each that an entry declares changes its value, and one that it gets but did not declare does not; without
// those that it declares it answers with an error or with NaN, not with a number.
func TestHyperparameters(t *testing.T) {
	look := func(name string, ps []losses.Parameter, build func(losses.Values) gradcheck.Build, in ...gradcheck.Input) {
		all := settings(ps)
		plain := run(t, tensor.Float64, build(all[0]), in...).Value
		for _, h := range all[1:] {
			if slices.Equal(plain, run(t, tensor.Float64, build(h), in...).Value) {
				t.Errorf("%s: %v changes nothing", name, h)
			}
		}
		all[0]["no-such-key"] = 5
		if !slices.Equal(plain, run(t, tensor.Float64, build(all[0]), in...).Value) {
			t.Errorf("%s: it reads what it does not declare", name)
		}
		if r, err := gradcheck.Run(build(nil), tensor.Float64, in); len(ps) > 0 && err == nil && !slices.ContainsFunc(r.Value, math.IsNaN) {
			t.Errorf("%s: no error without %v", name, ps)
		}
	}
	for name, p := range losses.Pairs.All() {
		look(name, p.Parameters, func(h losses.Values) gradcheck.Build { return pair(p, h) }, normal("pos", 20, 3), normal("neg", 20, 2, 3))
	}
	for name, r := range losses.Regularizers.All() {
		if r.Table != nil {
			look(name, r.Parameters, func(h losses.Values) gradcheck.Build { return tablePenalty(r, h) }, normal("aspects", 20, 4, 3))
		} else {
			look(name, r.Parameters, func(h losses.Values) gradcheck.Build { return batchPenalty(r, h) }, probabilities(20, 4), constant("weight", 20))
		}
	}
}

// TestMarginIsFlat: what is above every negative by the margin costs nothing and moves nothing, to the last bit.
func TestMarginIsFlat(t *testing.T) {
	pos := gradcheck.Input{Name: "pos", Shape: []int{2, 1}, Floats: []float64{3, 1e30}, Diff: true}
	neg := gradcheck.Input{Name: "neg", Shape: []int{2, 2, 1}, Floats: []float64{1, -5, 0, -1e30}, Diff: true}
	for dt := range precisions {
		r := run(t, dt, pair(losses.Pairs.Get("margin"), losses.Values{"pair-loss-margin": 1.5}), pos, neg)
		for _, x := range slices.Concat(r.Value, r.Grads[0], r.Grads[1]) {
			if x != 0 {
				t.Errorf("%v: %v and gradients %v, expected zeros", dt, r.Value, r.Grads)
			}
		}
	}
}

// TestInfoNCE: with one negative it is the logistic loss of the difference.
func TestInfoNCE(t *testing.T) {
	loss := losses.Pairs.Get("infonce")
	pos, neg := normal("pos", 5, 2), normal("neg", 5, 1, 2)
	var want []float64
	for i, p := range pos.Floats {
		want = append(want, math.Log1p(math.Exp((neg.Floats[i]-p)/.5)))
	}
	if err := gradcheck.Compare("one negative", run(t, tensor.Float64, pair(loss, losses.Values{"pair-loss-temperature": .5}), pos, neg).Value, want, 1e-14); err != nil {
		t.Error(err)
	}
}

// TestFarScores: for scores of 1e4 either way a loss is the score itself or its limit, and nothing is NaN, in float32. Negatives of BPR count each on its
// own, so that equal scores of M negatives come to M·ln 2.
func TestFarScores(t *testing.T) {
	golden.StillPaper(t)
	for name, c := range map[string]struct {
		h         losses.Values
		pos, neg  []float64
		want      []float64
		tolerance float64
	}{
		"skipgram": {nil, []float64{1e4, -1e4, 1e4, 0}, []float64{-1e4, -1e4, 1e4, 0}, []float64{0, 1e4, 1e4, 2 * math.Ln2}, 1e-7},
		"infonce":  {losses.Values{"pair-loss-temperature": 1}, []float64{1e4, -1e4, 0}, []float64{-1e4, 1e4, 1e4, -1e4, 0, 0}, []float64{math.Ln2, 2e4, math.Log(3)}, 1e-6},
		"bpr":      {nil, []float64{0, 1e4, -1e4}, []float64{0, 0, 0, -1e4, 0, 1e4, 1e4, 1e4, 1e4}, []float64{3 * math.Ln2, math.Ln2, 6e4}, 1e-6},
	} {
		n, m := len(c.pos), len(c.neg)/len(c.pos)
		r := run(t, tensor.Float32, pair(losses.Pairs.Get(name), c.h), gradcheck.Input{Name: "pos", Shape: []int{n, 1}, Floats: c.pos, Diff: true},
			gradcheck.Input{Name: "neg", Shape: []int{n, m, 1}, Floats: c.neg, Diff: true})
		if err := gradcheck.Compare(name, r.Value, c.want, c.tolerance); err != nil {
			t.Error(err)
		}
		for _, d := range slices.Concat(r.Grads[0], r.Grads[1]) {
			if !(math.Abs(d) <= 1.25*float64(m)) { // gradcheck weighs values by less than 1.25
				t.Errorf("%s: gradient %g", name, d)
			}
		}
	}
}

// TestPairsLearn: ten steps down the gradient move observed contexts above negatives.
func TestPairsLearn(t *testing.T) {
	for name, loss := range losses.Pairs.All() {
		pos, neg := normal("pos", 6, 2), normal("neg", 6, 1, 2)
		for range 10 {
			r := run(t, tensor.Float64, pair(loss, option.Usual(loss.Parameters)), pos, neg)
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
	for name, loss := range losses.Pairs.All() {
		same(name, pair(loss, option.Usual(loss.Parameters)), 1, []gradcheck.Input{normal("pos", 5, 4), normal("neg", 5, 2, 4)}, nil)
	}
	same("AspectWeighted", weighted, 1, []gradcheck.Input{normal("loss", 5, 4), normal("prob", 5, 4)},
		[]gradcheck.Input{constant("weight", 5)})
	for name, reg := range losses.Regularizers.All() {
		if reg.Table != nil {
			same(name, tablePenalty(reg, option.Usual(reg.Parameters)), 3, []gradcheck.Input{normal("aspects", 5, 4, 3)}, nil)
		}
		if reg.Batch != nil {
			same(name, batchPenalty(reg, option.Usual(reg.Parameters)), 1, []gradcheck.Input{probabilities(5, 4)}, []gradcheck.Input{constant("weight", 5)})
		}
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

// equalAspects are four of each of fifty vertices: six pairs a vertex, each of cosine 1.
func equalAspects() gradcheck.Input {
	equal := normal("aspects", 50, 4, 20)
	for i := range equal.Floats {
		equal.Floats[i] = equal.Floats[i/80*80+i%20]
	}
	return equal
}

// free fails unless a penalty is 0, with no gradient.
func free(t *testing.T, what string, r gradcheck.Result) {
	t.Helper()
	if r.Value[0] != 0 {
		t.Errorf("%s: %g, expected 0", what, r.Value[0])
	}
	for _, d := range r.Grads[0] {
		if d != 0 {
			t.Fatalf("%s: gradient %g, expected 0", what, d)
		}
	}
}

// TestRegularizersOfOneAspect: one aspect has nothing to be compared with, and no choice.
func TestRegularizersOfOneAspect(t *testing.T) {
	for name, reg := range losses.Regularizers.All() {
		for dt := range precisions {
			if reg.Table != nil {
				free(t, name, run(t, dt, tablePenalty(reg, option.Usual(reg.Parameters)), normal("one", 5, 1, 3)))
			}
		}
	}
}

// TestCosineHasABound: nothing is penalised with epsilon = 1, even identical aspects; below it each pair of those costs 1.
func TestCosineHasABound(t *testing.T) {
	cosine := func(epsilon float64) gradcheck.Build {
		return tablePenalty(losses.Regularizers.Get("cosine"), losses.Values{"epsilon": epsilon})
	}
	for dt := range precisions {
		free(t, dt.String(), run(t, dt, cosine(1), equalAspects()))
		if r := run(t, dt, cosine(0.9), equalAspects()); math.Abs(r.Value[0]-300) > 1e-3 {
			t.Errorf("%v: equal aspects cost %g, expected 300", dt, r.Value[0])
		}
	}
}

// TestSquaredCosineIsAMean: equal aspects cost 1 a vertex, whatever K, and those at right angles nothing.
func TestSquaredCosineIsAMean(t *testing.T) {
	square := tablePenalty(losses.Regularizers.Get("cosine2"), nil)
	right := gradcheck.Input{Name: "right", Shape: []int{1, 3, 3}, Floats: []float64{2, 0, 0, 0, -3, 0, 0, 0, .5}, Diff: true}
	for dt := range precisions {
		if r := run(t, dt, square, equalAspects()); math.Abs(r.Value[0]-50) > 1e-4 {
			t.Errorf("%v: equal aspects cost %g, expected 50", dt, r.Value[0])
		}
		free(t, dt.String(), run(t, dt, square, right))
	}
}

// TestEntropyIsOfTheChoice: log K for even probabilities, nothing for one aspect, and finite gradients there.
func TestEntropyIsOfTheChoice(t *testing.T) {
	prob := gradcheck.Input{Name: "prob", Shape: []int{3, 4}, Floats: []float64{.25, .25, .25, .25, 0, 1, 0, 0, 0, .5, .5, 0}, Diff: true}
	weight := gradcheck.Input{Name: "weight", Shape: []int{3}, Floats: []float64{.5, .25, .25}}
	for dt := range precisions {
		r := run(t, dt, batchPenalty(losses.Regularizers.Get("entropy"), nil), prob, weight)
		if err := gradcheck.Compare("entropy", r.Value, []float64{.5*math.Log(4) + .25*math.Ln2}, 1e-7); err != nil {
			t.Error(err)
		}
		for _, d := range r.Grads[0] {
			if math.IsNaN(d) || math.IsInf(d, 0) {
				t.Errorf("gradient %g", d)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	g := G.NewGraph()
	x := func(name string, shape ...int) *G.Node {
		return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithShape(shape...))
	}
	m, c, v, n := x("m", 6, 4), x("c", 6, 4, 2), x("v", 6), x("n", 6, 2, 4)
	refused := func(name string) func(...any) { return call.Refused(t, "losses: "+name+": ") }
	refused("SkipGram")(losses.SkipGram(m, c))
	refused("SkipGram")(losses.SkipGram(m, m))
	refused("SkipGram")(losses.SkipGram(v, c))
	refused("ScoreMargin")(losses.ScoreMargin(m, m, 1))
	refused("ScoreMargin")(losses.ScoreMargin(v, n, 1))
	refused("ScoreMargin")(losses.ScoreMargin(m, n, -1))
	refused("ScoreMargin")(losses.ScoreMargin(m, n, math.NaN()))
	refused("InfoNCE")(losses.InfoNCE(m, c, 1))
	refused("InfoNCE")(losses.InfoNCE(m, n, 0))
	refused("InfoNCE")(losses.InfoNCE(m, n, math.NaN()))
	refused("SquaredCosine")(losses.SquaredCosine(m))
	refused("AspectEntropy")(losses.AspectEntropy(m, x("w", 5)))
	refused("AspectEntropy")(losses.AspectEntropy(c, v))
	refused("AspectWeighted")(losses.AspectWeighted(m, x("p", 6, 3), v))
	refused("AspectWeighted")(losses.AspectWeighted(m, m, x("w", 5)))
	refused("AspectWeighted")(losses.AspectWeighted(c, c, v))
	refused("Weighted")(losses.Weighted(m, v))
	refused("Weighted")(losses.Weighted(x("l", 6, 1), x("u", 1)))
	refused("AspectRegularizer")(losses.AspectRegularizer(m, 0.5))
	refused("AspectRegularizer")(losses.AspectRegularizer(c, -0.1))
	refused("AspectRegularizer")(losses.AspectRegularizer(c, 1.1))
	refused("AspectRegularizer")(losses.AspectRegularizer(c, math.NaN()))
	call.Refused(t, "skipgram")(losses.Pairs.Find("no-such-loss"))
	call.Refused(t, "cosine")(losses.Regularizers.Find("no-such-penalty"))
}
