package layers_test

import (
	"math"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
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

// sizes are small, odd, and the edges: one window, one pair, one aspect, one dimension.
var sizes = []struct{ W, C, K, D int }{{2, 3, 4, 5}, {1, 1, 1, 1}, {3, 1, 2, 4}, {1, 4, 1, 3}}

// softOf are what the straight-through selections have the gradients of.
var softOf = map[string]func(logits, noise *G.Node, tau float64) (*G.Node, error){
	"hard":             layers.Gumbel,
	"straight-through": func(logits, _ *G.Node, _ float64) (*G.Node, error) { return layers.Softmax(logits) },
}

// bagWeights are those of windows of which each leaves out its last slot, where it has another one.
func bagWeights(w, c int) gradcheck.Input {
	in := gradcheck.Input{Name: "weight", Shape: []int{w, c}}
	for i := range w * c {
		switch {
		case c == 1:
			in.Floats = append(in.Floats, 1)
		case i%c == c-1:
			in.Floats = append(in.Floats, 0)
		default:
			in.Floats = append(in.Floats, 1/float64(c-1))
		}
	}
	return in
}

// learned returns n rows of the tables that an entry declares, for k aspects of d numbers: all alike, so that
// aspects can change places.
func learned(like *G.Node, declared []layers.Learned, n, k, d int) map[string]*G.Node {
	rows := map[string]*G.Node{}
	for _, l := range declared {
		columns := l.Width
		switch columns {
		case layers.PerAspect:
			columns = k
		case 0:
			columns = d
		}
		rows[l.Key] = G.NewTensor(like.Graph(), like.Dtype(), 2, G.WithName(l.Key), G.WithShape(n, columns), G.WithInit(G.Ones()))
	}
	return rows
}

// contexts returns all of Contexts for rows and weights, half of the slots before the centre, and tables that
// are learned: a readout may read any of it.
func contexts(rows, weight *G.Node, declared ...layers.Learned) layers.Contexts {
	slots := weight.Shape()[1]
	offset := G.NewTensor(weight.Graph(), weight.Dtype(), 2, G.WithName("offset"), G.WithShape(weight.Shape()...), G.WithInit(func(dt tensor.Dtype, shape ...int) any {
		x := make([]float64, tensor.Shape(shape).TotalSize())
		single := make([]float32, len(x))
		for i := range x {
			if x[i] = float64(i%slots - slots/2); x[i] >= 0 {
				x[i]++
			}
			single[i] = float32(x[i])
		}
		if dt == tensor.Float32 {
			return single
		}
		return x
	}))
	n := rows.Shape()
	return layers.Contexts{Rows: rows, Weight: weight, Offset: offset, Learned: learned(rows, declared, weight.Shape()[0], n[1], n[2])}
}

// chosen is what a selection makes of logits and noise (B,K), amid the training, of contexts that are two steps behind.
func chosen(s layers.Selection, logits, noise *G.Node, h layers.Values) (*G.Node, error) {
	each := func(name string, x float64) *G.Node {
		b := logits.Shape()[0]
		single, double := make([]float32, b), make([]float64, b)
		for i := range b {
			single[i], double[i] = float32(x), x
		}
		var backing any = double
		if logits.Dtype() == tensor.Float32 {
			backing = single
		}
		return G.NewVector(logits.Graph(), logits.Dtype(), G.WithName(name), G.WithShape(b), G.WithValue(tensor.New(tensor.WithShape(b), tensor.WithBacking(backing))))
	}
	return s.Prob(layers.Choice{Logits: logits, Noise: noise, Step: each("step", 0.5), Offset: each("offset", -2), Learned: learned(logits, s.Learned, logits.Shape()[0], logits.Shape()[1], 3)}, h)
}

func TestGradients(t *testing.T) {
	for _, z := range sizes {
		b := z.W * z.C
		for name, readout := range layers.Readouts.All() {
			check(t, name, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
				return readout.Read(contexts(in[0], in[1], readout.Learned...), option.Usual(readout.Parameters))
			},
				[]gradcheck.Input{normal("rows", b, z.K, z.D), bagWeights(z.W, z.C)})
		}
		for name, s := range layers.Selections.All() {
			prob := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
				h := option.Usual(s.Parameters)
				h["tau"] = 0.7
				return chosen(s, in[0], in[1], h)
			}
			var options []gradcheck.Option
			if s.StraightThrough {
				soft, ok := softOf[name]
				if !ok {
					t.Errorf("%s: expected what its gradient is of in softOf", name)
					continue
				}
				options = append(options, gradcheck.GradientOf(func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return soft(in[0], in[1], 0.7) }))
			}
			check(t, name, prob, []gradcheck.Input{normal("logits", b, z.K), constant("noise", b, z.K)}, options...)
		}
		check(t, "Scores", func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Scores(in[0], in[1]) },
			[]gradcheck.Input{normal("center", z.W, z.D), normal("rows", b, z.K, z.D)})
		check(t, "Expand", func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Expand(in[0], z.C) },
			[]gradcheck.Input{normal("x", z.W, z.K)})
		check(t, "Lookup", func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Lookup(in[0], in[1]) },
			[]gradcheck.Input{normal("table", 6, z.K, z.D), {Name: "index", Shape: []int{4}, Ints: []int{5, 0, 5, 2}}})
	}
}

func check(t *testing.T, name string, build gradcheck.Build, in []gradcheck.Input, options ...gradcheck.Option) {
	t.Helper()
	if err := gradcheck.Check(build, in, options...); err != nil {
		t.Errorf("%s %v: %v", name, in[0].Shape, err)
	}
}

func run(t *testing.T, dt tensor.Dtype, build gradcheck.Build, in ...gradcheck.Input) gradcheck.Result {
	t.Helper()
	return call.Of(gradcheck.Run(build, dt, in))(t)
}

// TestSelectionsStayProbabilities: rows sum to 1 and have no NaN for scores of 1e4 and a temperature of 0.01, in float32.
func TestSelectionsStayProbabilities(t *testing.T) {
	const rows, k = 40, 5
	for name, s := range layers.Selections.All() {
		for _, scale := range []float64{0, 1e-4, 1, 1e4} {
			for _, tau := range []float64{0.01, 0.5, 100} {
				logits, noise := normal("logits", rows, k), constant("noise", rows, k)
				for i := range logits.Floats {
					logits.Floats[i] *= scale
				}
				r := run(t, tensor.Float32, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
					h := option.Usual(s.Parameters)
					h["tau"] = tau
					return chosen(s, in[0], in[1], h)
				}, logits, noise)
				for b := range rows {
					sum := 0.0
					for _, p := range r.Value[b*k : (b+1)*k] {
						sum += p
						if !(p >= 0 && p <= 1) {
							t.Fatalf("%s: scale %g, tau %g: probability %g", name, scale, tau, p)
						}
					}
					if math.Abs(sum-1) > 1e-6 {
						t.Fatalf("%s: scale %g, tau %g: row %d sums to %.9g", name, scale, tau, b, sum)
					}
				}
				for _, d := range r.Grads[0] {
					if math.IsNaN(d) || math.IsInf(d, 0) {
						t.Fatalf("%s: scale %g, tau %g: gradient %g", name, scale, tau, d)
					}
				}
			}
		}
	}
}

// TestSelectionsFollowTheAspects: renaming the aspects renames the probabilities.
func TestSelectionsFollowTheAspects(t *testing.T) {
	order := []int{2, 0, 3, 1}
	permute := func(in gradcheck.Input) gradcheck.Input {
		x := make([]float64, len(in.Floats))
		for i := range x {
			x[i] = in.Floats[i/4*4+order[i%4]]
		}
		in.Floats = x
		return in
	}
	logits, noise := normal("logits", 6, 4), constant("noise", 6, 4)
	for name, s := range layers.Selections.All() {
		prob := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
			return chosen(s, in[0], in[1], option.Usual(s.Parameters))
		}
		before := run(t, tensor.Float64, prob, logits, noise)
		after := run(t, tensor.Float64, prob, permute(logits), permute(noise))
		want := permute(gradcheck.Input{Floats: before.Value}).Floats
		if err := gradcheck.Compare(name, after.Value, want, 1e-14); err != nil {
			t.Error(err)
		}
	}
}

// TestSelectionsSayWhatTheyUse: Noise of a selection is true exactly if its result depends on it; its value, or its gradient,
// depends on each hyperparameter that it declares, and on no other.
func TestSelectionsSayWhatTheyUse(t *testing.T) {
	logits, noise, other := normal("logits", 20, 3), constant("noise", 20, 3), constant("other", 20, 3)
	for name, s := range layers.Selections.All() {
		at := func(z gradcheck.Input, h layers.Values) []float64 {
			r := run(t, tensor.Float64, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return chosen(s, in[0], in[1], h) }, logits, z)
			return slices.Concat(r.Value, r.Grads[0])
		}
		h := option.Usual(s.Parameters)
		base := at(noise, h)
		if changed := !slices.Equal(base, at(other, h)); changed != s.Noise {
			t.Errorf("%s: Noise is %v, but another noise changes the result: %v", name, s.Noise, changed)
		}
		g := G.NewGraph()
		x := G.NewMatrix(g, tensor.Float32, G.WithName("x"), G.WithShape(2, 3))
		z := G.NewMatrix(g, tensor.Float32, G.WithName("z"), G.WithShape(2, 3))
		if !s.Noise {
			if _, err := chosen(s, x, nil, h); err != nil {
				t.Errorf("%s without noise: error %v", name, err)
			}
		}
		for _, p := range option.Numbers(s.Parameters) {
			h[p.Key] = p.Default.(float64) + .3
			if slices.Equal(base, at(noise, h)) {
				t.Errorf("%s: another %s changes nothing", name, p.Key)
			}
			bad := []float64{math.NaN()}
			if _, own := goldenSelections[name]; own { // others leave it to the ranges that they declare
				bad = append(bad, p.Min-1)
			}
			for i := range len(bad) + 1 {
				if delete(h, p.Key); i > 0 {
					h[p.Key] = bad[i-1]
				}
				if _, err := chosen(s, x, z, h); err == nil && !slices.ContainsFunc(at(noise, h), math.IsNaN) {
					t.Errorf("%s with %v: a number: expected an error, or NaN", name, h)
				}
			}
			h[p.Key] = p.Default.(float64)
		}
		h["no-such-key"] = 5
		if !slices.Equal(base, at(noise, h)) {
			t.Errorf("%s reads what it does not declare", name)
		}
	}
}

// TestStraightThrough: the probabilities are 0 and 1, whatever selection says that its gradient is another's.
func TestStraightThrough(t *testing.T) {
	for name, s := range layers.Selections.All() {
		r := run(t, tensor.Float32, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
			return chosen(s, in[0], in[1], option.Usual(s.Parameters))
		}, normal("logits", 20, 3), constant("noise", 20, 3))
		whole := !slices.ContainsFunc(r.Value, func(p float64) bool { return p != 0 && p != 1 })
		if whole != s.StraightThrough {
			t.Errorf("%s: StraightThrough is %v, probabilities are all 0 or 1: %v", name, s.StraightThrough, whole)
		}
	}
}

// TestEntmaxIsSparse: an aspect 2 or more below the best has no probability, and one aspect near the best has some.
func TestEntmaxIsSparse(t *testing.T) {
	logits := gradcheck.Input{Name: "logits", Shape: []int{1, 4}, Floats: []float64{.5, 2.5, 2.4, -30}, Diff: true}
	r := run(t, tensor.Float32, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Entmax15(in[0]) }, logits)
	if p := r.Value; p[0] != 0 || p[3] != 0 || !(p[1] > p[2] && p[2] > .4) {
		t.Errorf("probabilities %v", p)
	}
}

// TestReadoutsLeavePaddingOut: what slots of weight 0 hold changes nothing and gets no gradient, and a window of padding is 0.
func TestReadoutsLeavePaddingOut(t *testing.T) {
	rows := normal("rows", 6, 2, 2)
	weight := gradcheck.Input{Name: "weight", Shape: []int{2, 3}, Floats: []float64{.5, 0, .5, 0, 0, 0}}
	for name, readout := range layers.Readouts.All() {
		build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
			return readout.Read(contexts(in[0], in[1], readout.Learned...), option.Usual(readout.Parameters))
		}
		before := run(t, tensor.Float32, build, rows, weight)
		changed := rows
		changed.Floats = slices.Clone(rows.Floats)
		for i := 4; i < 8; i++ {
			changed.Floats[i] = 1e30
		}
		after := run(t, tensor.Float32, build, changed, weight)
		if !slices.Equal(before.Value, after.Value) || slices.Max(after.Value[4:]) != 0 || slices.Min(after.Value[4:]) != 0 {
			t.Errorf("%s: %v, with other padding %v", name, before.Value, after.Value)
		}
		for i, d := range after.Grads[0] {
			if padding := i >= 4 && i < 8 || i >= 12; padding && d != 0 {
				t.Errorf("%s: gradient %v of padding", name, d)
			}
		}
	}
}

// TestGumbelPicksByProbability: with small tau, how often an aspect is picked is softmax(logits), the identity that the
// method rests on. With 20000 draws the standard error is at most 0.0035; five of them are allowed.
func TestGumbelPicksByProbability(t *testing.T) {
	const draws = 20000
	logits := []float64{0.3, -0.5, 1.1}
	s := rng.New(7, "gumbel")
	z := constant("noise", draws, 3)
	x := gradcheck.Input{Name: "logits", Shape: []int{draws, 3}}
	for i := range z.Floats {
		z.Floats[i] = -math.Log(-math.Log(s.Float64()))
		x.Floats = append(x.Floats, logits[i%3])
	}
	r := run(t, tensor.Float64, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Hard(in[0], in[1], 0.5) }, x, z)
	total := math.Exp(logits[0]) + math.Exp(logits[1]) + math.Exp(logits[2])
	for k, l := range logits {
		picked := 0.0
		for b := range draws {
			picked += r.Value[b*3+k]
		}
		if got, want := picked/draws, math.Exp(l)/total; math.Abs(got-want) > 5*0.0035 {
			t.Errorf("aspect %d: picked in %.4f of the draws, expected %.4f", k, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	g := G.NewGraph()
	x := func(name string, shape ...int) *G.Node {
		return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithShape(shape...))
	}
	m, c, v := x("m", 6, 4), x("c", 6, 4, 2), x("v", 6)
	refused := func(name string) func(...any) { return call.Refused(t, "layers: "+name+": ") }
	refused("Lookup")(layers.Lookup(m, v))
	refused("MeanReadout")(layers.MeanReadout(c, m))
	refused("Scores")(layers.Scores(m, c))
	refused("Expand")(layers.Expand(c, 2))
	refused("Gumbel")(layers.Gumbel(m, x("z", 6, 3), 1))
	refused("Hard")(layers.Hard(v, v, 1))
	refused("Softmax")(layers.Softmax(c))
	refused("StraightThrough")(layers.StraightThrough(c))
	refused("Entmax15")(layers.Entmax15(v))
	refused("SumReadout")(layers.SumReadout(c, m))
	refused("MaxReadout")(layers.MaxReadout(c, m))
	refused("None")(layers.None(v))
	call.Refused(t, "entmax15, gumbel, hard", "straight-through")(layers.Selections.Find("best"))
	call.Refused(t, "mean")(layers.Readouts.Find("no-such-readout"))
}
