package gru

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// States adds a unit that goes over S steps from a state of zeros, as one op with gradients by the steps and the weights.
//
// S >= 1 steps xs (B,W) and weights as in Weights, all of one float type -> the states (S·B,D), step by step, unitless, in [-1,1]. It
// returns an error if there is no step, a node is missing, or the shapes or types disagree.
func States(cell Cell, xs []*G.Node, weights ...*G.Node) (*G.Node, error) {
	if len(xs) == 0 {
		return nil, fmt.Errorf("gru: States of no steps: expected at least 1")
	}
	for t, x := range xs {
		if x == nil || x.Dims() != 2 || !x.Shape().Eq(xs[0].Shape()) {
			return nil, fmt.Errorf("gru: States: step %d is %v, step 0 %v: expected (B,W) for each", t, shapeOf(x), shapeOf(xs[0]))
		}
	}
	b, width := xs[0].Shape()[0], xs[0].Shape()[1]
	texts := make([][]int32, b) // each step of each row is a word of its own
	for i := range texts {
		for t := range xs {
			texts[i] = append(texts[i], int32(t*b+i))
		}
	}
	u := unit{cell: cell, words: len(xs), width: width, threads: 1, states: true, texts: func() ([][]int32, error) { return texts, nil }}
	return u.apply("GRU states", len(xs)*b, append(xs[:len(xs):len(xs)], weights...))
}

// Means adds a unit that goes over texts, as one op with gradients by the weights: the means of each text's states.
//
// words (V,W) without a gradient, and weights as in Weights, of one float type -> (batch,D), unitless; zeros for an empty text. Each run
// asks texts for as many texts as batch says, of words from 0 to V-1, and uses up to threads goroutines, whose number does not change
// the result. It returns an error if a node is missing, or the shapes or types disagree; other texts are an error of the run.
//
// Source: Zhang et al., WWW 2018 (Camel), section 3.1. Differs: none known.
func Means(cell Cell, words *G.Node, batch int, texts func() ([][]int32, error), threads int, weights ...*G.Node) (*G.Node, error) {
	if words == nil || words.Dims() != 2 || batch < 1 {
		return nil, fmt.Errorf("gru: Means of %d texts of words %v: expected at least 1 and (V,W)", batch, shapeOf(words))
	}
	u := unit{cell: cell, words: 1, width: words.Shape()[1], threads: threads, texts: texts}
	return u.apply("GRU means", batch, append([]*G.Node{words}, weights...))
}

// unit is what a node computes. Its first inputs are matrices of words, one below the other, and its last the weights.
type unit struct {
	cell                      Cell
	words                     int // matrices
	width, dim, rows, threads int
	states                    bool // of which words have gradients
	texts                     func() ([][]int32, error)
}

func (u unit) apply(name string, rows int, inputs []*G.Node) (*G.Node, error) {
	weights, biases := inputs[u.words:], 2
	if u.cell == ResetBefore {
		biases = 1
	}
	for _, w := range weights {
		if w == nil {
			return nil, fmt.Errorf("gru: %s: a weight is missing: expected %d", name, 2+biases)
		}
	}
	if len(weights) != 2+biases || weights[1].Dims() != 2 {
		return nil, fmt.Errorf("gru: %s: %d weights: expected weight_ih, weight_hh (3D,D) and %d biases", name, len(weights), biases)
	}
	d := weights[1].Shape()[1]
	for i, want := range []tensor.Shape{{3 * d, u.width}, {3 * d, d}, {3 * d}, {3 * d}}[:2+biases] {
		if !weights[i].Shape().Eq(want) {
			return nil, fmt.Errorf("gru: %s: %s is %v: expected %v", name, []string{"weight_ih", "weight_hh", "bias_ih", "bias_hh"}[i], weights[i].Shape(), want)
		}
	}
	u.dim, u.rows = d, rows
	all := make([]bool, len(inputs))
	for i := range all {
		all[i] = u.states || i >= u.words
	}
	return op.Apply(op.Spec{
		Name: name, Shape: tensor.Shape{rows, d}, Diff: all, Sets: all, F32: kernelOf[float32](u), F64: kernelOf[float64](u),
	}, inputs...)
}

func kernelOf[T op.Float](u unit) op.Kernel[T] {
	var g *GRU[T]
	var words []T
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) (err error) {
			if g == nil {
				if g, err = New(Config[T]{Cell: u.cell, Width: u.width, Dim: u.dim, Threads: u.threads, States: u.states}); err != nil {
					return err
				}
			}
			if words = in[0].F; u.words > 1 {
				words = g.c.Words[:0]
				for _, x := range in[:u.words] {
					words = append(words, x.F...)
				}
			}
			g.c.Words = words
			texts, err := u.texts()
			if err != nil {
				return err
			}
			if !u.states && len(texts) != u.rows {
				return fmt.Errorf("%d texts: expected %d", len(texts), u.rows)
			}
			if err := g.Bind(texts); err != nil {
				return err
			}
			g.Forward(weightsIn(in[u.words:]), out)
			return nil
		},
		Backward: func(in []op.Array[T], _, gout []T, din [][]T) error {
			w := weightsIn(in[u.words:])
			g.Backward(w, gout, WeightsOf(din[u.words:]))
			if u.states {
				rows := len(in[0].F) / u.width
				g.words(w, func(word int, gradient []T) { copy(din[word/rows][word%rows*u.width:], gradient) })
			}
			return nil
		},
	}
}

func weightsIn[T op.Float](in []op.Array[T]) Weights[T] {
	x := make([][]T, len(in))
	for i, a := range in {
		x[i] = a.F
	}
	return WeightsOf(x)
}

func shapeOf(n *G.Node) tensor.Shape {
	if n == nil {
		return nil
	}
	return n.Shape()
}
