package hetnet

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

// Engine auto takes the graph where a loss or a layer that a fast pass stands for is another.
func TestEngineFindsEdits(t *testing.T) {
	golden.StillPaper(t)
	pair, cell := losses.Pairs["skipgram"], layers.GRUCells[CellResetAfter]
	engines := func() string {
		var all []string
		for _, method := range []string{MethodM2V, MethodAsp2vecHet, MethodCamel, MethodTaPEm} {
			o := walkedOptions(method)
			o.WarmUp = false
			found, err := graphs.Engines(o)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, found[0])
		}
		return strings.Join(all, "; ")
	}
	if got, want := engines(), "fused; fused; fused; fused"; got != want {
		t.Errorf("engines %s, want %s", got, want)
	}
	losses.Pairs["skipgram"] = losses.Pair{Loss: func(pos, neg *G.Node, h losses.Values) (*G.Node, error) {
		return op.Scale(G.Must(pair.Loss(pos, neg, h)), 1.01)
	}}
	got := engines()
	losses.Pairs["skipgram"] = pair
	if want := "graph, encoder fused; graph, encoder fused; fused; fused"; got != want {
		t.Errorf("another loss of pairs: engines %s, want %s", got, want)
	}
	layers.GRUCells[CellResetAfter] = func(x, h *G.Node, w layers.GRUWeights) (*G.Node, error) {
		return op.Scale(G.Must(cell(x, h, w)), 1.01)
	}
	got = engines()
	layers.GRUCells[CellResetAfter] = cell
	if want := "fused, encoder graph; fused, encoder graph; graph; graph, scorer fused"; got != want {
		t.Errorf("another cell: engines %s, want %s", got, want)
	}
}

// TaPEm's scores are those of its graph, of any number of authors.
func TestScorersAgree(t *testing.T) {
	in := topical(t, 40)
	authors := make([]int32, 700)
	for i := range authors {
		authors[i] = int32(i * i % 60)
	}
	var found [][]float32
	for _, engine := range []string{graphs.EngineFused, graphs.EngineGraph} {
		o := walkedOptions(MethodTaPEm)
		o.Engine = engine
		m, err := newTaPEm(in, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		m.authors.InitNormal(1, 1)
		scores, err := m.Scores(context.Background(), [][]int32{{1, 2}, {3}}, [][]int32{authors, authors[:3]}, 2)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, slices.Concat(scores...))
	}
	close32(t, "scores", found[0], found[1])
}
