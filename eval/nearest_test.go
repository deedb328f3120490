package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

func TestNearest(t *testing.T) {
	e := Embedding{N: 5, D: 2, Data: []float32{1, 0, 3, 4, 0, 0, 2, 0, -1, 0}}
	got := call.Of(Nearest(t.Context(), e, e.Row(0), 9, func(r int32) bool { return r == 0 }, 2))(t)
	if want := []Neighbor{{3, 1}, {1, .6}, {2, 0}, {4, -1}}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	near(t, "cosine", Cosine(e.Row(0), e.Row(1)), .6, 1e-15)
	if got, _ := Nearest(t.Context(), e, e.Row(0), 1, nil, 1); len(got) != 1 || got[0].Row != 0 {
		t.Errorf("with itself: %v", got)
	}
	nan := float32(math.NaN())
	for name, err := range map[string]error{
		"n":         second(Nearest(t.Context(), e, e.Row(0), 0, nil, 1)),
		"dimension": second(Nearest(t.Context(), e, []float32{1}, 1, nil, 1)),
		"query":     second(Nearest(t.Context(), e, []float32{1, nan}, 1, nil, 1)),
		"table":     second(Nearest(t.Context(), Embedding{N: 1, D: 1, Data: []float32{nan}}, []float32{1}, 1, nil, 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// randomSplit is a network of n vertices whose links were split at random.
func randomSplit(t *testing.T, n int) *network.Split {
	t.Helper()
	net := call.Of(network.PlantedOptions{Vertices: n, Communities: 3, Memberships: 2, MeanDegree: 8, Mixing: .1, Seed: 4}.Generate())(t).Network
	return call.Of(network.MakeSplit(t.Context(), net, network.SplitOptions{Rule: "ce1", Remove: .3, Seed: 1}))(t)
}

func randomMultiEmbedding(n, d int) MultiEmbedding {
	r := rng.New(8, "several")
	s := MultiEmbedding{First: []int32{0}, D: d}
	for v := range n {
		for range v % 3 {
			for range d {
				s.Data = append(s.Data, float32(r.Normal()))
			}
			s.Share = append(s.Share, float32(r.Float64()))
		}
		s.First = append(s.First, s.First[v]+int32(v%3))
	}
	return s
}

// The best new links are those that sorting the scores of all pairs gives, by any score.
func TestTopLinks(t *testing.T) {
	s := randomSplit(t, 60)
	n := len(s.Names)
	net := call.Of(s.TrainNetwork())(t)
	r := rng.New(9, "vectors")
	e := Embedding{N: n, D: 4}
	for range n * e.D {
		e.Data = append(e.Data, float32(r.Normal()))
	}
	v := Vectors{One: e, Several: randomMultiEmbedding(n, 3), Sides: sidesOf(e, e.Data), Held: []Held{*heldOut(e, s)}}
	var scorers []*LinkScorer
	for _, name := range Scorers.Names() {
		scorer := call.Of(Fit(t.Context(), name, v, s, ScoreOptions{Threads: 2}))(t)
		scorers = append(scorers, scorer)
	}
	classifier := scorers[slices.Index(Scorers.Names(), "lr")]
	for _, scorer := range scorers {
		for name, from := range map[string][]int32{"all": nil, "two": {7, 3}} {
			var every []ScoredLink
			for u := range int32(n) {
				for v := range int32(n) {
					if from == nil && u < v || from != nil && slices.Contains(from, u) && u != v {
						if !net.Has(u, v) {
							every = append(every, ScoredLink{Link: network.Link{From: u, To: v}})
						}
					}
				}
			}
			links := make([]network.Link, len(every))
			for i, l := range every {
				links[i] = l.Link
			}
			scores := call.Of(scorer.Score(links))(t)
			for i := range every {
				every[i].Score = scores[i]
			}
			slices.SortFunc(every, higher)
			for _, threads := range []int{1, 3} {
				for _, top := range []int{1, 20, 1 << 62} {
					got, err := TopLinks(t.Context(), scorer, from, net.Has, top, threads)
					want := every[:min(top, len(every))]
					same := slices.Equal(got, want)
					if Scorers.Get(scorer.Scorer).Untrained { // whose ties are broken by rounding
						same = slices.EqualFunc(got, want, func(a, b ScoredLink) bool { return math.Abs(a.Score-b.Score) <= 1e-5*math.Abs(b.Score) })
					}
					if err != nil || !same {
						t.Errorf("%s of %s, %d threads: %d links, %v, expected %d", scorer.Scorer, name, threads, len(got), err, min(top, len(every)))
					}
				}
			}
		}
	}
	call.Refused(t)(TopLinks(t.Context(), classifier, []int32{int32(n)}, nil, 1, 1))
	call.Refused(t)(TopLinks(t.Context(), classifier, nil, nil, 0, 1))
	call.Refused(t)(classifier.Score([]network.Link{{From: 0, To: int32(n)}}))
}

// On a star no path has three links: pairs of score 0 are not scored one by one.
func TestTopLinksOfAStar(t *testing.T) {
	const n = 1000
	s := &network.Split{Names: make([]string, n)}
	for v := range int32(n - 1) {
		s.Train = append(s.Train, network.Link{To: v + 1})
	}
	scorer := call.Of(Fit(t.Context(), "l3", Vectors{}, s, ScoreOptions{Threads: 2}))(t)
	scorer.Rows = func([]int32, int, []float64) { t.Error("scored") }
	got, err := TopLinks(t.Context(), scorer, nil, func(u, v int32) bool { return u == 0 || v == 0 }, 3, 2)
	if err != nil || len(got) != 3 || got[2] != (ScoredLink{Link: network.Link{From: 1, To: 4}}) {
		t.Errorf("%v, %v", got, err)
	}
}

// Of many queries at once, each has the neighbours that it has alone.
func TestNeighbors(t *testing.T) {
	r := rng.New(3, "neighbours")
	e := Embedding{N: 5000, D: 7, Data: make([]float32, 35000)}
	for i := range e.Data {
		e.Data[i] = float32(r.Normal())
	}
	clear(e.Row(9))
	queries := Embedding{N: 300, D: 7, Data: e.Data[:2100]}
	all := call.Of(Neighbors(t.Context(), queries, e, 12, func(q, row int32) bool { return q == row }, 2))(t)
	for q, got := range all {
		want := call.Of(Nearest(t.Context(), e, queries.Row(q), 12, func(row int32) bool { return row == int32(q) }, 1))(t)
		if q != 9 && !slices.Equal(got, want) { // the zero vector is as near to all
			t.Fatalf("query %d: %v, expected %v", q, got, want)
		}
	}
	if again, _ := Neighbors(t.Context(), queries, e, 12, func(q, row int32) bool { return q == row }, 1); !slices.EqualFunc(again, all, slices.Equal) {
		t.Error("another number of threads gives other neighbours")
	}
	if few, err := Neighbors(t.Context(), queries, Embedding{N: 2, D: 7, Data: e.Data[:14]}, 5, nil, 0); err != nil || len(few[0]) != 2 {
		t.Errorf("of two vectors %v, %v", few[0], err)
	}
	for name, err := range map[string]error{
		"n":         second(Neighbors(t.Context(), queries, e, 0, nil, 1)),
		"dimension": second(Neighbors(t.Context(), Embedding{N: 1, D: 1, Data: []float32{1}}, e, 1, nil, 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
