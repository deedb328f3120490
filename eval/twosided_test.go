package eval

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Values that numpy and scipy's logsumexp have for four vertices.
func TestScoresOfSides(t *testing.T) {
	one := Embedding{4, 2, []float32{1, 2, 0, 1, -1, 0.5, 2, -1}}
	sides := &Sides{one, MultiEmbedding{First: []int32{0, 2, 4, 6, 8}, D: 2, Data: []float32{1, 0, 0, 1, 0.5, -0.5, 2, 1, 0, 0, 1, -1, -1, 1, 0.3, 0.2}}}
	for _, c := range []struct {
		score        string
		directed     bool
		links, pairs [][2]int32
		want         []float64
	}{
		{"two-sided", false, [][2]int32{{0, 1}, {1, 2}, {2, 3}, {1, 3}}, [][2]int32{{0, 1}, {0, 2}, {2, 3}}, []float64{2.6621547161834083, 0.5073374827504876, 2.3581866904800037}},
		{"two-sided", true, [][2]int32{{0, 1}, {1, 2}, {2, 3}, {1, 3}}, [][2]int32{{0, 1}, {1, 0}, {2, 3}}, []float64{4.357621335128567, 1.5879147596852503, 2.1157258966932795}},
	} {
		s := &network.Split{Names: make([]string, 4), Directed: c.directed, Train: links(c.links)}
		o := ScoreOptions{Threads: 2}
		if c.directed {
			o.Values = option.Values{"score-degrees": .25}
		}
		fit := call.Of(Fit(t.Context(), c.score, Vectors{One: one, Sides: sides}, s, o))(t)
		got := call.Of(fit.Score(links(c.pairs)))(t)
		for i, want := range c.want {
			near(t, c.score, got[i], want, 1e-6)
		}
		if fit.Directed != c.directed {
			t.Errorf("%s: tells directions: %v", c.score, fit.Directed)
		}
		rows := make([]float64, 8)
		fit.Rows([]int32{0, 1}, 0, rows)
		back, err := fit.Score([]network.Link{{From: 1, To: 0}, {From: 1, To: 3}})
		if err != nil || math.Abs(rows[4]-back[0]) > 1e-6 || math.Abs(rows[7]-back[1]) > 1e-6 {
			t.Errorf("%s: rows %v, links %v, %v", c.score, rows, back, err)
		}
	}
	s := &network.Split{Names: make([]string, 4), Train: links([][2]int32{{0, 1}})}
	call.Refused(t, "of one side")(Fit(t.Context(), "two-sided", Vectors{One: one}, s, ScoreOptions{}))
	several := *sides
	several.Target.First = []int32{0, 2, 4, 8}
	call.Refused(t, "expected the same")(Fit(t.Context(), "two-sided", Vectors{One: one, Sides: &several}, s, ScoreOptions{}))
}

// hubs returns a split of a network whose hubs are nearly all linked with one another, and whose links say nothing but degrees.
func hubs(directed bool) *network.Split {
	const n = 300
	r := rng.New(4, "hubs")
	s := &network.Split{Names: make([]string, n), Directed: directed}
	for u := range int32(n) {
		for v := range int32(n) {
			if u != v && (directed || u < v) && r.Float64() < min(1, 300/float64((u+8)*(v+8))) {
				if l := (network.Link{From: u, To: v}); r.Intn(2) == 0 {
					s.Test = append(s.Test, l)
				} else {
					s.Train = append(s.Train, l)
				}
			}
		}
	}
	s.TestNeg, s.TestNegDirected = s.Test, s.Test // which are not looked at
	return s
}

// Against matched negatives the product of degrees tells nothing, also where most pairs of hubs are links, so that ends drawn one by one leave it a lot. Each is a
// test link but for one end, no link, and other draws are others.
func TestMatchedNegatives(t *testing.T) {
	for _, directed := range []bool{false, true} {
		s := hubs(directed)
		got := call.Of(Measure(t.Context(), "degrees", Vectors{}, s, ScoreOptions{}, Measurement{Metrics: []string{"auc", "mrr"}, Negatives: []string{"degree", "matched"}}))(t)
		if x := got["auc_matched"]; math.Abs(x-0.5) > 0.04 || got["auc_degree"] < x+0.05 {
			t.Errorf("directed %v: %.3f against matched negatives, %.3f against those by degree: expected about .5, and clearly more", directed, x, got["auc_degree"])
		}
		if sd, there := got["mrr_matched"+SpreadSuffix]; !there || sd <= 0 || len(got) != 7 { // with the AUC among joined pairs
			t.Errorf("%v: expected a spread of the MRR over draws", got)
		}
		linked := linkedPairs(s)
		first := matchedNegatives(s, 0)
		if slices.Equal(first, matchedNegatives(s, 1)) || len(first) < len(s.Test)*9/10 {
			t.Errorf("%d of %d negatives, the same in another draw", len(first), len(s.Test))
		}
		i := 0
		for at, l := range s.Test {
			if i == len(first) {
				break
			}
			pair := first[i]
			if kept := at%2 == 0 && pair.To == l.To || at%2 == 1 && pair.From == l.From; !kept {
				continue // of a test link that has none
			}
			i++
			if linked(pair) || pair.From == pair.To {
				t.Fatalf("%v is a link", pair)
			}
		}
		if i != len(first) {
			t.Errorf("only %d of %d negatives keep an end of their test links in turn", i, len(first))
		}
	}
}

// A classifier that is measured against matched negatives is fitted against such, and no more learns degrees.
func TestFittedAgainstMatched(t *testing.T) {
	s := hubs(false)
	n := len(s.Names)
	degrees := newTopology(n, s.Train, false).degree
	r := rng.New(5, "uniform")
	s.TestNeg = nil
	taken := linkedPairs(s)
	for len(s.TestNeg) < len(s.Test) || len(s.TrainNeg) < len(s.Train) {
		if l := (network.Link{From: int32(r.Intn(n)), To: int32(r.Intn(n))}); l.From != l.To && !taken(l) {
			if len(s.TestNeg) < len(s.Test) {
				s.TestNeg = append(s.TestNeg, l)
			} else {
				s.TrainNeg = append(s.TrainNeg, l)
			}
		}
	}
	one := Embedding{n, 1, make([]float32, n)}
	for v, k := range degrees {
		one.Data[v] = float32(math.Log1p(k))
	}
	v := Vectors{One: one}
	for _, name := range []string{"lr"} {
		weight := func(against func(*network.Split) []network.Link) float64 {
			fit := call.Of(Fit(context.Background(), name, v, s, ScoreOptions{Against: against}))(t)
			return fit.Weights[0]
		}
		uniform, matched := weight(nil), weight(NegativesKinds.Get("matched").fitting())
		if !(math.Abs(matched) < uniform/2) {
			t.Errorf("%s: weight of degrees %.3f against matched negatives, %.3f against random ones", name, matched, uniform)
		}
		got, err := Measure(t.Context(), name, v, s, ScoreOptions{}, Measurement{})
		if err != nil || got["auc"] < 0.7 || got["auc_matched"] > 0.56 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
