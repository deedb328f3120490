package graphs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
)

// A loss may be negative, but not without a bound.
func TestFinite(t *testing.T) {
	m := call.Of(NewSkipGram(defaults(MethodDeepWalk, Standard), 4, 1))(t)
	for _, c := range []struct {
		loss engine.Loss
		want string
	}{
		{engine.Loss{Pairs: 3}, ""},
		{engine.Loss{Pairs: -300, Penalty: 1e9}, ""},
		{engine.Loss{Pairs: -1e6}, "graphs: the loss fell to -1e+06: expected pair-loss skipgram to have a lower bound"},
		{engine.Loss{Pairs: 1e6}, "graphs: the loss became 1e+06"},
	} {
		err := m.bounded(c.loss)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%+v: %v, expected %q", c.loss, err, c.want)
		}
	}
}

// A training whose loss, or its gradient, is not finite ends with the op that made it so, as check has it. A smaller learning rate is asked for where parameters or
// scores have grown.
func TestNotFinite(t *testing.T) {
	log := func(x *G.Node) (*G.Node, error) {
		return G.Log(G.Must(op.Scale(G.Must(op.Softplus(x)), -1)))
	}
	tried(t, map[string]func(s losses.State) (*G.Node, error){
		"far": func(s losses.State) (*G.Node, error) {
			return op.ScaleRows(s.Pos, G.Must(G.Inverse(G.Must(op.Shift(G.Must(G.Abs(s.Offset)), -3)))))
		},
		"root": func(s losses.State) (*G.Node, error) { // whose slope at 0 has no bound
			return G.Sqrt(G.Must(op.Scale(s.Pos, 0)))
		},
	}, map[string]func(s losses.State) (*G.Node, error){
		"log": func(s losses.State) (*G.Node, error) {
			return op.WeightedTotal(G.Must(op.SumAxis1(G.Must(op.Reshape(G.Must(log(s.Pos)), s.Pos.Shape()[0], s.Pos.Shape()[1], 1)))), s.Weight)
		},
	})
	add(t, losses.Regularizers, "table", losses.Regularizer{Table: func(a losses.Aspects, _ losses.Values) (*G.Node, error) { return op.Total(G.Must(log(a.Rows))) }})
	for _, c := range []struct {
		loss, regularizer string
		p, q              float32 // of one number of these tables, unless 0
		want              string
	}{
		{"far", "none", 0, 0, `Inverse in losses: pair loss "far": element (`},
		{"skipgram", "log", 0, 0, `Log in losses: regularizer "log": element (0,0) is NaN, of -0.`},
		{"skipgram", "table", 0, 0, `Log in losses: regularizer "table": element (0,0,0) is NaN, of -0.`},
		{"root", "none", 0, 0, `gradient of P: that of Sqrt in losses: pair loss "root" makes it: `},
		{"skipgram", "none", float32(math.NaN()), 0, "P: element (0,0) is NaN: expected a finite number; try a smaller learning-rate"},
		{"skipgram", "none", 1e30, 1e30, "RowDots in layers.Scores, called by graphs."},
	} {
		o := optionsOf(MethodAsp2vec, values{"pair-loss": c.loss})
		if o.Lambda = 0; c.regularizer != "none" {
			o.Regularizer, o.Lambda = c.regularizer, 1
		}
		b := call.Of(sampleBatch(o, sampleVertices))(t)
		m := call.Of(newSkipGram(o, sampleVertices, nil, 2))(t)
		if m.terms.Facts = sampleFacts; c.p != 0 {
			m.P.X[0] = c.p
		}
		for v := range sampleVertices {
			if c.q != 0 {
				m.Q.Row(v)[0] = c.q
			}
		}
		_, err := m.Step(b)
		if said := fmt.Sprint(err); !strings.HasPrefix(said, "engine: the ") || !strings.Contains(said, ": "+c.want) ||
			strings.Contains(said, "learning-rate") != (c.p != 0) {
			t.Errorf("%s, %s: %s\nwant %s", c.loss, c.regularizer, said, c.want)
		}
	}
}
