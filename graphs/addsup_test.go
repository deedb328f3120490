package graphs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

// What mixes the pairs of a batch, or the vertices of a table, is refused, by name: it is trained in blocks.
func TestAddsUp(t *testing.T) {
	t.Cleanup(func() {
		losses.Pairs.Remove("mixed")
		losses.Regularizers.Remove("mixed")
		losses.Regularizers.Remove("degrees")
		layers.Selections.Remove("mixed")
		layers.Readouts.Remove("mixed")
	})
	// times multiplies x by the total of another node: every pair's value then depends on all the others.
	times := func(x, of *G.Node) (*G.Node, error) {
		return G.HadamardProd(x, G.Must(op.Total(of)))
	}
	losses.Pairs.Add("mixed", losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) {
		return times(G.Must(losses.SkipGram(s.Pos, s.Neg)), s.Pos)
	}})
	losses.Regularizers.Add("mixed", losses.Regularizer{Table: func(aspects *G.Node, _ losses.Values) (*G.Node, error) {
		return G.Square(G.Must(op.Total(aspects)))
	}})
	losses.Regularizers.Add("degrees", losses.Regularizer{Batch: func(s losses.State, _ losses.Values) (*G.Node, error) { // of what only the penalty reads
		return op.WeightedTotal(G.Must(op.ScaleRows(s.Prob, s.Center.Degree)), s.Weight)
	}})
	layers.Selections.Add("mixed", layers.Selection{Prob: func(logits, _ *G.Node, _ layers.Values) (*G.Node, error) {
		return op.Softmax(G.Must(times(logits, logits)))
	}})
	layers.Readouts.Add("mixed", layers.Readout{Read: func(c layers.Contexts, _ layers.Values) (*G.Node, error) {
		return times(G.Must(layers.MeanReadout(c.Rows, c.Weight)), c.Rows)
	}})
	for option, want := range map[string]string{
		"pair-loss mixed": `pair loss "mixed" is`, "regularizer mixed": `regularizer "mixed" is`, "selection mixed": `selection "mixed" is`, "readout mixed": `readout "mixed" is`,
		"pair-loss skipgram": "<nil>", "regularizer entropy": "<nil>", "regularizer degrees": "<nil>", "readout max": "<nil>",
	} {
		o := Default()
		key, name, _ := strings.Cut(option, " ")
		if err := o.Set(key, name); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(AddsUp(o.Complete())); !strings.Contains(got, want) {
			t.Errorf("%s: %s, expected %s", option, got, want)
		}
		models, err := GuardModels(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := guard.Check(models[0]).Err(); (err == nil) != (want == "<nil>") {
			t.Errorf("%s: check says %v", option, err)
		}
	}
}
