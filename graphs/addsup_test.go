package graphs

import (
	"fmt"
	"strings"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
)

// What mixes the pairs of a batch, or the vertices of a table, is refused, by name: it is trained in blocks.
func TestAddsUp(t *testing.T) {
	// times multiplies x by the total of another node: every pair's value then depends on all the others.
	times := func(x, of *G.Node) (*G.Node, error) {
		return G.HadamardProd(x, G.Must(op.Total(of)))
	}
	add(t, losses.Pairs, "mixed", losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) {
		return times(G.Must(losses.SkipGram(s.Pos, s.Neg)), s.Pos)
	}})
	add(t, losses.Pairs, "centred", losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) {
		loss := G.Must(losses.SkipGram(s.Pos, s.Neg))
		return G.Sub(loss, G.Must(op.Scale(G.Must(op.Total(loss)), 0.3/float64(loss.Shape().TotalSize()))))
	}})
	add(t, losses.Regularizers, "mixed", losses.Regularizer{Table: func(a losses.Aspects, _ losses.Values) (*G.Node, error) {
		return G.Square(G.Must(op.Total(a.Rows)))
	}})
	add(t, losses.Regularizers, "degrees", losses.Regularizer{Batch: func(s losses.State, _ losses.Values) (*G.Node, error) { // of what only the penalty reads
		return op.WeightedTotal(G.Must(op.ScaleRows(s.Prob, s.Center.Degree)), s.Weight)
	}})
	add(t, layers.Selections, "mixed", layers.Selection{Prob: func(c layers.Choice, _ layers.Values) (*G.Node, error) {
		return op.Softmax(G.Must(times(c.Logits, c.Logits)))
	}})
	add(t, layers.Readouts, "mixed", layers.Readout{Read: func(c layers.Contexts, _ layers.Values) (*G.Node, error) {
		return times(G.Must(layers.MeanReadout(c.Rows, c.Weight)), c.Rows)
	}})
	for option, want := range map[string]string{
		"pair-loss mixed": `pair loss "mixed" is`, "pair-loss centred": `pair loss "centred" is`, "regularizer mixed": `regularizer "mixed" is`, "selection mixed": `selection "mixed" is`, "readout mixed": `readout "mixed" is`,
		"pair-loss skipgram": "<nil>", "regularizer entropy": "<nil>", "regularizer degrees": "<nil>", "readout max": "<nil>",
	} {
		o := Default()
		key, name, _ := strings.Cut(option, " ")
		call.OK(t, o.Set(key, name))
		if got := fmt.Sprint(AddsUp(o.Complete())); !strings.Contains(got, want) {
			t.Errorf("%s: %s, expected %s", option, got, want)
		}
		models := call.Of(GuardModels(o))(t)
		if err := guard.Check(models[0]).Err(); (err == nil) != (want == "<nil>") {
			t.Errorf("%s: check says %v", option, err)
		}
	}
}

// check sees what only a part of real batches has: ties of negatives, vertices without neighbours, the farthest contexts. It compares gradients
// also beside a selection that passes another than its own.
func TestCheckSees(t *testing.T) {
	scaled := func(s losses.State, weight *G.Node) (*G.Node, error) {
		return op.ScaleRows(G.Must(losses.SkipGram(s.Pos, s.Neg)), G.Must(G.Inverse(weight)))
	}
	tried(t, map[string]func(s losses.State) (*G.Node, error){
		"half": func(s losses.State) (*G.Node, error) {
			return losses.SkipGram(G.Must(op.Apply(op.Spec{Name: "Half", Shape: s.Pos.Shape().Clone(), Diff: []bool{true}, F32: halfSlope[float32](), F64: halfSlope[float64]()}, s.Pos)), s.Neg)
		},
		"max": func(s losses.State) (*G.Node, error) {
			return op.Softplus(G.Must(G.Sub(G.Must(G.Max(s.Neg, 1)), s.Pos)))
		},
		"first-max": func(s losses.State) (*G.Node, error) {
			n, all := s.Neg.Shape(), G.Must(op.Positive(G.Must(op.Shift(s.Negative.Degree, 1)))) // (B,M) of 1
			return op.Softplus(G.Must(G.Sub(G.Must(op.BagMax(G.Must(op.Reshape(s.Neg, n[0]*n[1], n[2])), all)), s.Pos)))
		},
		"by-center":   func(s losses.State) (*G.Node, error) { return scaled(s, s.Center.Degree) },
		"by-distance": func(s losses.State) (*G.Node, error) { return scaled(s, G.Must(op.Shift(G.Must(G.Abs(s.Offset)), -3))) },
	}, nil)
	for options, want := range map[string]string{
		"half gumbel": "gradients are right: P: element", "half straight-through": ", with softmax in place of straight-through", "skipgram hard": "<nil>",
		"max gumbel": "gradients are right: ", "first-max gumbel": "<nil>",
		"by-center gumbel": `Inverse in losses: pair loss "by-center": element (0) is +Inf, of 0`, "by-distance softmax": `Inverse in losses: pair loss "by-distance"`,
	} {
		loss, selection, _ := strings.Cut(options, " ")
		window := 3
		if loss == "max" {
			window = 1 // of so few negatives none is drawn twice by chance
		}
		models := call.Of(GuardModels(optionsOf(MethodAsp2vec, values{"pair-loss": loss, "selection": selection, "warm-up": false, "negatives": 2, "window": window, "seed": 1})))(t)
		if got := fmt.Sprint(guard.Check(models[0]).Err()); !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwant %s", options, got, want)
		}
	}
}

// halfSlope returns its input, with half of its gradient.
func halfSlope[T op.Float]() op.Kernel[T] {
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) error {
			copy(out, in[0].F)
			return nil
		},
		Backward: func(_ []op.Array[T], _, gout []T, din [][]T) error {
			for i, g := range gout {
				din[0][i] += g / 2
			}
			return nil
		},
	}
}
