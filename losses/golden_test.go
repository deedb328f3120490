package losses_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func readGolden(t testing.TB) *golden.Asp2vec {
	t.Helper()
	g := call.Of(golden.Load())(t)
	return g
}

func readEntries(t testing.TB) *golden.Entries {
	t.Helper()
	e := call.Of(golden.LoadEntries())(t)
	return e
}

func vertexMajor(q [][][]float64) []float64 { return golden.VertexMajor[float64](q) }

func flat(rows [][]float64) []float64 { return golden.Flat[float64](rows) }

// scores returns pos (B,K) and neg (B,M,K) of the golden pairs under the first k aspects.
func scores(g *golden.Asp2vec, k int) (pos, neg gradcheck.Input) {
	b, m := len(g.Pairs), len(g.Negatives[0])
	pos = gradcheck.Input{Name: "pos", Shape: []int{b, k}, Diff: true}
	neg = gradcheck.Input{Name: "neg", Shape: []int{b, m, k}, Diff: true}
	score := func(v, u int32, s int) (sum float64) {
		for d, x := range g.P[v] {
			sum += x * g.Q[s][u][d]
		}
		return sum
	}
	for i, p := range g.Pairs {
		for s := range k {
			pos.Floats = append(pos.Floats, score(p[0], p[1], s))
		}
		for _, u := range g.Negatives[i] {
			for s := range k {
				neg.Floats = append(neg.Floats, score(p[0], u, s))
			}
		}
	}
	return pos, neg
}

// precisions are the float types, with how far from the golden values they may be.
var precisions = map[tensor.Dtype]float64{tensor.Float64: 1e-7, tensor.Float32: 1e-5}

// expect runs a function in both precisions and compares its value and, if want has any, the gradient of its first input.
func expect(t *testing.T, build gradcheck.Build, inputs []gradcheck.Input, want []float64, grad []float64) {
	t.Helper()
	for dt, tol := range precisions {
		r := call.Of(gradcheck.Run(build, dt, inputs))(t)
		if err := gradcheck.Compare(dt.String(), r.Value, want, tol); err != nil {
			t.Error(err)
		}
		if grad != nil {
			if err := gradcheck.Compare(dt.String()+" gradient", r.Grads[0], grad, tol); err != nil {
				t.Error(err)
			}
		}
	}
}

// goldenPair is what a loss of pairs comes to under two aspects, and under one, with its hyperparameters.
type goldenPair struct {
	h        losses.Values
	two, one []float64
}

// goldenPairs are the values of the files for each loss of pairs.
func goldenPairs(g *golden.Asp2vec, e *golden.Entries) map[string]goldenPair {
	of := func(name, key string) goldenPair {
		c := e.Pairs[name]
		return goldenPair{losses.Values{key: c.Value}, flat(c.Two), c.One}
	}
	return map[string]goldenPair{
		"skipgram": {nil, flat(g.Cases["softmax"].PerPair), g.DeepWalk.PerPair},
		"margin":   of("margin", "pair-loss-margin"),
		"infonce":  of("infonce", "pair-loss-temperature"),
		"bpr":      {nil, flat(e.Pairs["bpr"].Two), e.Pairs["bpr"].One},
	}
}

func TestGoldenPairs(t *testing.T) {
	golden.StillPaper(t)
	g := readGolden(t)
	all := goldenPairs(g, readEntries(t))
	for name, loss := range losses.Pairs.All() {
		t.Run(name, func(t *testing.T) {
			want, ok := all[name]
			if !ok {
				t.Fatal("no golden value: compute one outside of this program, and add it to goldenPairs")
			}
			build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
				return loss.Loss(stateOf(in[0], in[1]), want.h)
			}
			for k, values := range map[int][]float64{2: want.two, 1: want.one} {
				pos, neg := scores(g, k)
				expect(t, build, []gradcheck.Input{pos, neg}, values, nil)
			}
		})
	}
}

func weights(b int) gradcheck.Input {
	in := gradcheck.Input{Name: "weight", Shape: []int{b}}
	for range b {
		in.Floats = append(in.Floats, 1/float64(b))
	}
	return in
}

func TestGoldenWeighted(t *testing.T) {
	g := readGolden(t)
	b := len(g.Pairs)
	for _, name := range []string{"gumbel_pair", "gumbel_window", "gumbel_hard", "softmax", "none"} {
		t.Run(name, func(t *testing.T) {
			c, ok := g.Cases[name]
			if !ok {
				t.Fatal("not in internal/golden/asp2vec.json")
			}
			expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
				return losses.AspectWeighted(in[0], in[1], in[2])
			}, []gradcheck.Input{
				{Name: "loss", Shape: []int{b, g.K}, Floats: flat(c.PerPair)},
				{Name: "prob", Shape: []int{b, g.K}, Floats: flat(c.Prob)},
				weights(b),
			}, []float64{c.Loss}, nil)
		})
	}
	expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return losses.Weighted(in[0], in[1]) },
		[]gradcheck.Input{{Name: "loss", Shape: []int{b, 1}, Floats: g.DeepWalk.PerPair}, weights(b)},
		[]float64{g.DeepWalk.Loss}, nil)
}

// goldenRegularizers are the values of the files for each regularizer, with its gradient by what it penalises.
func goldenRegularizers(g *golden.Asp2vec, e *golden.Entries) map[string][]func(*testing.T, losses.Regularizer) {
	r := g.Regularizer
	aspects := []gradcheck.Input{{Name: "Q", Shape: []int{r.N, r.K, r.D}, Floats: vertexMajor(r.Q), Diff: true}}
	table := func(h losses.Values, value float64, grad []float64) func(*testing.T, losses.Regularizer) {
		return func(t *testing.T, reg losses.Regularizer) {
			expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return reg.Table(losses.Aspects{Rows: in[0]}, h) }, aspects, []float64{value}, grad)
		}
	}
	all := map[string][]func(*testing.T, losses.Regularizer){}
	for _, c := range r.Cases {
		if c.Comparison == ">" { // the others are of another variant
			all["cosine"] = append(all["cosine"], table(losses.Values{"epsilon": c.Epsilon}, c.Value, vertexMajor(c.GradQ)))
		}
	}
	two := e.Regularizers.Cosine2
	all["cosine2"] = append(all["cosine2"], table(nil, two.Value, vertexMajor(two.GradQ)))
	all["entropy"] = append(all["entropy"], func(t *testing.T, reg losses.Regularizer) {
		prob := gradcheck.Input{Name: "prob", Shape: []int{len(g.Pairs), g.K}, Floats: flat(g.Cases["gumbel_pair"].Prob), Diff: true}
		expect(t, batchPenalty(reg, nil), []gradcheck.Input{prob, weights(len(g.Pairs))}, []float64{e.Regularizers.Entropy.Value}, flat(e.Regularizers.Entropy.GradProb))
	})
	return all
}

func TestGoldenRegularizers(t *testing.T) {
	all := goldenRegularizers(readGolden(t), readEntries(t))
	for name, reg := range losses.Regularizers.All() {
		t.Run(name, func(t *testing.T) {
			if len(all[name]) == 0 {
				t.Error("no golden value: compute one outside of this program, and add it to goldenRegularizers")
			}
			for _, test := range all[name] {
				test(t, reg)
			}
		})
	}
}
