package layers_test

import (
	"fmt"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/internal/gru"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
)

func readGRU(t *testing.T) *golden.GRU {
	t.Helper()
	return call.Of(golden.LoadGRU())(t)
}

// stepInputs returns one input (B,W) for each step of x (B,T,W).
func stepInputs(x [][][]float64) (in []gradcheck.Input) {
	for t := range x[0] {
		var rows [][]float64
		for _, row := range x {
			rows = append(rows, row[t])
		}
		in = append(in, input(fmt.Sprintf("x%d", t), []int{len(rows), len(rows[0])}, flat(rows)...))
	}
	return in
}

func matrixInput(name string, x [][]float64) gradcheck.Input {
	return input(name, []int{len(x), len(x[0])}, flat(x)...)
}

func vectorInput(name string, x []float64) gradcheck.Input { return input(name, []int{len(x)}, x...) }

func gruInputs(suffix string, ih, hh [][]float64, biasIH, biasHH []float64) []gradcheck.Input {
	return []gradcheck.Input{
		matrixInput("weight_ih"+suffix, ih), matrixInput("weight_hh"+suffix, hh),
		vectorInput("bias_ih"+suffix, biasIH), vectorInput("bias_hh"+suffix, biasHH),
	}
}

func gruWeights(in []*G.Node) layers.GRUWeights {
	return layers.GRUWeights{IH: in[0], HH: in[1], BiasIH: in[2], BiasHH: in[3]}
}

// encode is the mean of a GRU's states; in holds the four weights, those of the mean, and the steps.
func encode(cell string) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		w := gruWeights(in)
		if cell == "reset-before" {
			w.BiasHH = nil
		}
		states, err := layers.GRU(cell, in[5:], w)
		if err != nil {
			return nil, err
		}
		return op.WeightedSteps(in[4], states...)
	}
}

// contracted is the loss of the golden file: the sum of f, of the inputs but the last, times the last.
func contracted(f gradcheck.Build) gradcheck.Build {
	return func(g *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		last := len(in) - 1
		x, err := f(g, in[:last])
		if err != nil {
			return nil, err
		}
		return G.Sum(G.Must(G.HadamardProd(x, in[last])))
	}
}

// lengthWeights returns the weights (B,T) of the mean over the first steps.
func lengthWeights(lengths []int, steps int) gradcheck.Input {
	in := gradcheck.Input{Name: "mean", Shape: []int{len(lengths), steps}, Floats: make([]float64, len(lengths)*steps)}
	for b, n := range lengths {
		for t := range n {
			in.Floats[b*steps+t] = 1 / float64(n)
		}
	}
	return in
}

// values returns the inputs without gradients, for results that do not depend on all of them.
func values(inputs []gradcheck.Input) []gradcheck.Input {
	inputs = slices.Clone(inputs)
	for i := range inputs {
		inputs[i].Diff = false
	}
	return inputs
}

// expectGradients compares the gradients of inputs with the golden ones; nil where there is none.
func expectGradients(t *testing.T, build gradcheck.Build, inputs []gradcheck.Input, loss float64, want ...[]float64) {
	t.Helper()
	for dt, tol := range precisions {
		r := run(t, dt, build, inputs...)
		if err := gradcheck.Compare(fmt.Sprintf("%v loss", dt), r.Value, []float64{loss}, tol); err != nil {
			t.Error(err)
		}
		for i, w := range want {
			if w == nil {
				continue
			}
			if err := gradcheck.Compare(fmt.Sprintf("%v gradient of %s", dt, inputs[i].Name), r.Grads[i], w, tol); err != nil {
				t.Error(err)
			}
		}
	}
}

// PyTorch's values; see golden.GRU.
func TestGoldenGRU(t *testing.T) {
	file := readGRU(t)
	for name, c := range map[string]golden.GRUCase{"full": file.Full, "packed": file.Packed} {
		t.Run(name, func(t *testing.T) {
			inputs := gruInputs("", c.WeightIH, c.WeightHH, c.BiasIH, c.BiasHH)
			inputs = append(append(inputs, lengthWeights(c.Lengths, len(c.X[0]))), stepInputs(c.X)...)
			for s := range c.X[0] {
				var want []float64
				for b, n := range c.Lengths {
					if s >= n {
						continue
					}
					want = append(want, c.Outputs[b][s]...)
				}
				expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
					states, err := layers.GRU("reset-after", in[5:], gruWeights(in))
					if err != nil {
						return nil, err
					}
					if len(want) < len(c.Lengths)*c.Dim { // the first text is the longer one
						return G.Slice(states[s], G.S(0, 1))
					}
					return states[s], nil
				}, values(inputs), want)
			}
			expect(t, encode("reset-after"), inputs, flat(c.Mean))

			want := [][]float64{flat(c.GradWeightIH), flat(c.GradWeightHH), c.GradBiasIH, c.GradBiasHH, nil}
			for _, in := range stepInputs(c.GradX) {
				want = append(want, in.Floats)
			}
			weights := matrixInput("loss weights", c.LossWeights)
			weights.Diff = false
			expectGradients(t, contracted(encode("reset-after")), append(inputs, weights), c.Loss, want...)
		})
	}
}

func TestGRUGradients(t *testing.T) {
	for name := range gru.Cells {
		for _, lengths := range [][]int{{1}, {3, 0, 2}} {
			steps, width, d := lengths[0], 2, 3
			inputs := []gradcheck.Input{
				normal("weight_ih", 3*d, width), normal("weight_hh", 3*d, d), normal("bias_ih", 3*d), normal("bias_hh", 3*d),
				lengthWeights(lengths, steps),
			}
			inputs[3].Diff = name == "reset-after"
			for s := range steps {
				inputs = append(inputs, normal(fmt.Sprintf("x%d", s), len(lengths), width))
			}
			check(t, name, encode(name), inputs)
		}
	}
}

// TestGRUOfEmptyText: a text without words has a vector of zeros, whatever its steps hold.
func TestGRUOfEmptyText(t *testing.T) {
	for name := range gru.Cells {
		inputs := []gradcheck.Input{
			normal("weight_ih", 6, 2), normal("weight_hh", 6, 2), normal("bias_ih", 6), constant("bias_hh", 6),
			lengthWeights([]int{0, 1}, 1), normal("x", 2, 2),
		}
		r := run(t, tensor.Float64, encode(name), inputs...)
		if r.Value[0] != 0 || r.Value[1] != 0 || r.Value[2] == 0 {
			t.Errorf("%s: %v, expected zeros in the first row alone", name, r.Value)
		}
	}
}
