package gru_test

import (
	"fmt"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/internal/gru"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
)

// The cells composed of ops: formulae that the op does not share, to compare it with. Weights are in the order of gru.Weights.

// columns returns columns lo to hi-1 of a matrix.
func columns(x *G.Node, lo, hi int) (*G.Node, error) { return G.Slice(x, nil, G.S(lo, hi)) }

// resetAfter is PyTorch's cell.
func resetAfter(x, h *G.Node, w []*G.Node) *G.Node {
	d := h.Shape()[1]
	in, hidden := G.Must(op.Linear(x, w[0], w[2])), G.Must(op.Linear(h, w[1], w[3])) // (B,3D)
	gates := G.Must(G.Sigmoid(G.Must(G.Add(G.Must(columns(in, 0, 2*d)), G.Must(columns(hidden, 0, 2*d))))))
	reset, update := G.Must(columns(gates, 0, d)), G.Must(columns(gates, d, 2*d))
	kept := G.Must(G.HadamardProd(reset, G.Must(columns(hidden, 2*d, 3*d))))
	candidate := G.Must(G.Tanh(G.Must(G.Add(G.Must(columns(in, 2*d, 3*d)), kept))))
	return mixed(candidate, h, update)
}

// resetBefore is TensorFlow's cell.
func resetBefore(x, h *G.Node, w []*G.Node) *G.Node {
	d := h.Shape()[1]
	in := G.Must(op.Linear(x, w[0], w[2]))                            // (B,3D)
	gates := G.Must(op.Linear(h, G.Must(op.Rows(w[1], 0, 2*d)), nil)) // (B,2D)
	gates = G.Must(G.Sigmoid(G.Must(G.Add(G.Must(columns(in, 0, 2*d)), gates))))
	reset, update := G.Must(columns(gates, 0, d)), G.Must(columns(gates, d, 2*d))
	kept := G.Must(op.Linear(G.Must(G.HadamardProd(reset, h)), G.Must(op.Rows(w[1], 2*d, 3*d)), nil))
	candidate := G.Must(G.Tanh(G.Must(G.Add(G.Must(columns(in, 2*d, 3*d)), kept))))
	return mixed(candidate, h, update)
}

// mixed is (1-z)∘n + z∘h.
func mixed(n, h, z *G.Node) *G.Node {
	return G.Must(G.Add(G.Must(G.Sub(n, G.Must(G.HadamardProd(z, n)))), G.Must(G.HadamardProd(z, h))))
}

// variants are the cells, with their composed forms.
var variants = []struct {
	name     string
	cell     gru.Cell
	weights  int
	composed func(x, h *G.Node, w []*G.Node) *G.Node
}{{"reset-after", gru.ResetAfter, 4, resetAfter}, {"reset-before", gru.ResetBefore, 3, resetBefore}}

func normal(name string, shape ...int) gradcheck.Input {
	in := gradcheck.Input{Name: name, Shape: shape, Diff: true}
	s := rng.New(1, name)
	for range tensor.Shape(shape).TotalSize() {
		in.Floats = append(in.Floats, s.Normal())
	}
	return in
}

func fixed(in gradcheck.Input) gradcheck.Input {
	in.Diff = false
	return in
}

const width, dim, vocabulary = 5, 4, 10

func weights(n int) []gradcheck.Input {
	return []gradcheck.Input{normal("weight_ih", 3*dim, width), normal("weight_hh", 3*dim, dim), normal("bias_ih", 3*dim), normal("bias_hh", 3*dim)}[:n]
}

// steps returns inputs for steps of rows.
func steps(n, rows int) (in []gradcheck.Input) {
	for t := range n {
		in = append(in, normal(fmt.Sprint("x", t), rows, width))
	}
	return in
}

// states is the op over steps; in holds the weights and then the steps.
func states(cell gru.Cell, weights int) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		return gru.States(cell, in[weights:], in[:weights]...)
	}
}

// means is the op over texts; in holds the weights and then the words.
func means(cell gru.Cell, weights int, texts [][]int32) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		return gru.Means(cell, in[weights], len(texts), func() ([][]int32, error) { return texts, nil }, 2, in[:weights]...)
	}
}

// chain returns the states of a composed cell over steps.
func chain(cell func(x, h *G.Node, w []*G.Node) *G.Node, xs, w []*G.Node) (all []*G.Node) {
	h := G.Must(op.Scale(G.Must(columns(G.Must(op.Linear(xs[0], w[0], nil)), 0, dim)), 0))
	for _, x := range xs {
		h = cell(x, h, w)
		all = append(all, h)
	}
	return all
}

// randomTexts returns n texts of up to longest words.
func randomTexts(n, longest int) [][]int32 {
	s := rng.New(1, "texts", uint64(n), uint64(longest))
	texts := make([][]int32, n)
	for i := range texts {
		for range s.Intn(longest + 1) {
			texts[i] = append(texts[i], int32(s.Intn(vocabulary)))
		}
	}
	return texts
}

// batches are texts that differ in what is special about their lengths.
var batches = map[string][][]int32{
	"random":       randomTexts(150, 12),
	"empty":        {{}, nil, {1}},
	"one word":     {{3}},
	"all equal":    {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
	"one repeated": {{7, 7, 7, 7, 7}, {7}, {7, 7}, {}},
	"a block more": randomTexts(65, 1),
	"long":         append(randomTexts(3, 60), slices.Repeat([]int32{1, 2, 3}, 11)),
}

// compare runs two functions, whose first inputs are the same, in both float types: values and the gradients of those inputs.
func compare(t *testing.T, build, composed gradcheck.Build, inputs, others []gradcheck.Input, same int) {
	t.Helper()
	for dt, tolerance := range map[tensor.Dtype]float64{tensor.Float64: 1e-11, tensor.Float32: 2e-4} {
		got := call.Of(gradcheck.Run(build, dt, inputs))(t)
		want := call.Of(gradcheck.Run(composed, dt, others))(t)
		call.OK(t, gradcheck.Compare(dt.String()+" values", got.Value, want.Value, min(tolerance, 2e-6)))
		for i, in := range inputs[:same] {
			call.OK(t, gradcheck.Compare(dt.String()+" gradient of "+in.Name, got.Grads[i], want.Grads[i], tolerance))
		}
	}
}

// TestComposed: values and all gradients are those of the composed cells, of steps and of texts of all kinds of lengths.
func TestComposed(t *testing.T) {
	for _, v := range variants {
		for _, size := range [][2]int{{1, 1}, {3, 2}, {4, 70}} {
			inputs := append(weights(v.weights), steps(size[0], size[1])...)
			t.Run(fmt.Sprint(v.name, "/steps ", size), func(t *testing.T) {
				compare(t, states(v.cell, v.weights), func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
					all := chain(v.composed, in[v.weights:], in[:v.weights])
					for len(all) > 1 {
						all = append([]*G.Node{G.Must(op.Stack(all[0], all[1]))}, all[2:]...)
					}
					return all[0], nil
				}, inputs, inputs, len(inputs))
			})
		}
		for name, texts := range batches {
			t.Run(v.name+"/"+name, func(t *testing.T) {
				words := fixed(normal("words", vocabulary, width))
				others := append(weights(v.weights), padded(words, texts)...)
				compare(t, means(v.cell, v.weights, texts), func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
					return op.WeightedSteps(in[v.weights], chain(v.composed, in[v.weights+1:], in[:v.weights])...)
				}, append(weights(v.weights), words), others, v.weights)
			})
		}
	}
}

// padded returns the weights (B,S) of the states of texts in their mean, and S steps (B,W) of their words, 0 after the end.
func padded(words gradcheck.Input, texts [][]int32) []gradcheck.Input {
	longest := 0
	for _, text := range texts {
		longest = max(longest, len(text))
	}
	average := gradcheck.Input{Name: "mean", Shape: []int{len(texts), longest}, Floats: make([]float64, len(texts)*longest)}
	all := []gradcheck.Input{average}
	for s := range longest {
		x := gradcheck.Input{Name: fmt.Sprint("step ", s), Shape: []int{len(texts), width}, Floats: make([]float64, len(texts)*width)}
		for b, text := range texts {
			if s < len(text) {
				copy(x.Floats[b*width:], words.Floats[int(text[s])*width:][:width])
				average.Floats[b*longest+s] = 1 / float64(len(text))
			}
		}
		all = append(all, x)
	}
	return all
}

// TestGradients: what the op says of its gradients is what its values say, by finite differences in float64, and float32 agrees.
func TestGradients(t *testing.T) {
	for _, v := range variants {
		for _, size := range [][2]int{{1, 2}, {3, 2}} {
			if err := gradcheck.Check(states(v.cell, v.weights), append(weights(v.weights), steps(size[0], size[1])...)); err != nil {
				t.Errorf("%s, steps %v: %v", v.name, size, err)
			}
		}
		for _, name := range []string{"all equal", "one repeated"} {
			inputs := append(weights(v.weights), fixed(normal("words", vocabulary, width)))
			if err := gradcheck.Check(means(v.cell, v.weights, batches[name]), inputs); err != nil {
				t.Errorf("%s, texts %s: %v", v.name, name, err)
			}
		}
	}
}

// The values of the cell of TensorFlow are numpy's (1.24), with S = lambda a: 1/(1+np.exp(-a)):
//
//	x=np.array([[.5,-1.]]); h=np.array([[.3,-.2]]); W=np.arange(12).reshape(6,2)*.1-.5; U=np.arange(12).reshape(6,2)*-.2+1; b=np.arange(6)*.1
//	r=S(x@W[:2].T+h@U[:2].T+b[:2]); z=S(x@W[2:4].T+h@U[2:4].T+b[2:4]); n=np.tanh(x@W[4:].T+(r*h)@U[4:].T+b[4:]); (1-z)*n+z*h
func TestGoldenResetBefore(t *testing.T) {
	floats := func(name string, shape []int, x ...float64) gradcheck.Input {
		return gradcheck.Input{Name: name, Shape: shape, Floats: x}
	}
	r, err := gradcheck.Run(func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return resetBefore(in[0], in[1], in[2:]), nil }, tensor.Float64, []gradcheck.Input{
		floats("x", []int{1, 2}, .5, -1), floats("h", []int{1, 2}, .3, -.2),
		floats("weight_ih", []int{6, 2}, -.5, -.4, -.3, -.2, -.1, 0, .1, .2, .3, .4, .5, .6),
		floats("weight_hh", []int{6, 2}, 1, .8, .6, .4, .2, 0, -.2, -.4, -.6, -.8, -1, -1.2),
		floats("bias_ih", []int{6}, 0, .1, .2, .3, .4, .5),
	})
	if err != nil {
		t.Fatal(err)
	}
	call.OK(t, gradcheck.Compare("state", r.Value, []float64{0.22664046223068268, -0.056843364132964265}, 1e-12))
}
