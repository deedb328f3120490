package losses_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/golden"
	"github.com/asp2vec/asp2vec/internal/gradcheck"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func readGolden(t testing.TB) *golden.Asp2vec {
	t.Helper()
	g, err := golden.Load()
	if err != nil {
		t.Fatal(err)
	}
	return g
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
		r, err := gradcheck.Run(build, dt, inputs)
		if err != nil {
			t.Fatal(err)
		}
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

// goldenPairs are the values of the file for each loss of pairs: under two aspects, and under one.
func goldenPairs(g *golden.Asp2vec) map[string][2][]float64 {
	return map[string][2][]float64{"skipgram": {flat(g.Cases["softmax"].PerPair), g.DeepWalk.PerPair}}
}

func TestGoldenPairs(t *testing.T) {
	g := readGolden(t)
	for name, loss := range losses.Pairs {
		t.Run(name, func(t *testing.T) {
			want, ok := goldenPairs(g)[name]
			if !ok {
				t.Fatal("no golden value: compute one outside of this program, and add it to goldenPairs")
			}
			build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return loss(in[0], in[1]) }
			for i, k := range []int{2, 1} {
				pos, neg := scores(g, k)
				expect(t, build, []gradcheck.Input{pos, neg}, want[i], nil)
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

// goldenRegularizers says how each regularizer compares with epsilon, as the cases of the file do.
var goldenRegularizers = map[string]string{"cosine": ">"}

func TestGoldenRegularizers(t *testing.T) {
	g := readGolden(t).Regularizer
	for name, reg := range losses.Regularizers {
		t.Run(name, func(t *testing.T) {
			tested := 0
			for _, c := range g.Cases {
				if c.Comparison != goldenRegularizers[name] {
					continue
				}
				tested++
				expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return reg(in[0], c.Epsilon) },
					[]gradcheck.Input{{Name: "Q", Shape: []int{g.N, g.K, g.D}, Floats: vertexMajor(g.Q), Diff: true}},
					[]float64{c.Value}, vertexMajor(c.GradQ))
			}
			if tested == 0 {
				t.Error("no golden value: compute one outside of this program, and add it here and to goldenRegularizers")
			}
		})
	}
}
