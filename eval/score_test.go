package eval

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Scores, areas and precisions that testdata/scores.py computed.
func TestScoresGolden(t *testing.T) {
	b := call.Of(os.ReadFile("testdata/scores.json"))(t)
	var g struct {
		Vectors  [][]float32
		Train    [][2]int32
		TrainNeg [][2]int32 `json:"train_neg"`
		Test     [][2]int32
		TestNeg  [][2]int32 `json:"test_neg"`
		Cases    []struct {
			Score   string
			C       float64
			Test    []float64
			AUC, AP float64
		}
	}
	call.OK(t, json.Unmarshal(b, &g))
	e := Embedding{N: len(g.Vectors), D: len(g.Vectors[0])}
	for _, u := range g.Vectors {
		e.Data = append(e.Data, u...)
	}
	s := &network.Split{Names: make([]string, e.N), Train: links(g.Train), TrainNeg: links(g.TrainNeg), Test: links(g.Test), TestNeg: links(g.TestNeg)}
	back := slices.Clone(e.Data)
	for v := range e.N {
		copy(back[v*e.D:][:e.D], e.Row(e.N-1-v))
	}
	seen := map[string]bool{}
	for _, c := range g.Cases {
		seen[c.Score] = true
		o := ScoreOptions{}
		if Scorers.Get(c.Score).Classifier {
			o.Values = option.Values{"score-c": c.C}
		}
		scorer := call.Of(Fit(t.Context(), c.Score, Vectors{One: e, Sides: sidesOf(e, back)}, s, o))(t)
		got := call.Of(scorer.Score(s.Test))(t)
		for i, want := range c.Test {
			near(t, c.Score, got[i], want, 2e-6) // float32 features, and the solver's tolerance
		}
		all := call.Of(scorer.Measure(t.Context(), s, Measurement{Metrics: []string{"auc", "ap"}}))(t)
		near(t, c.Score+" auc", all["auc"], c.AUC, 1e-12)
		near(t, c.Score+" ap", all["ap"], c.AP, 1e-12)
	}
	for name, scorer := range Scorers.All() {
		if !scorer.Several && !scorer.Untrained && !seen[name] && name != "fitted" { // which TestFittedGolden has
			t.Errorf("score %s: no value computed elsewhere in testdata/scores.py", name)
		}
		if scorer.Help == "" || scorer.Fit == nil {
			t.Errorf("score %s: no help, or no function", name)
		}
		for _, p := range scorer.Parameters {
			if !strings.HasPrefix(p.Key, "score-") || p.Help == "" || p.Check(p.Default) != nil {
				t.Errorf("score %s: parameter %+v: expected a key that starts with score-, help, and a default in its range", name, p)
			}
		}
	}
}

// heldOut makes vectors of a training with a tenth of the links held out of some that know all.
func heldOut(e Embedding, s *network.Split) *Held {
	n := len(s.Train) / 10
	other := Embedding{N: e.N, D: e.D, Data: slices.Clone(e.Data)}
	for i := range other.Data {
		other.Data[i] *= 1.5
	}
	return &Held{Vectors: Vectors{One: other, Sides: sidesOf(other, other.Data)}, Split: &network.Split{Names: s.Names, Directed: s.Directed, Train: s.Train[n:], TrainNeg: s.TrainNeg, Test: s.Train[:n], TestNeg: s.TrainNeg[:n]}}
}

// sidesOf are the vectors of sources, and those of targets.
func sidesOf(e Embedding, target []float32) *Sides {
	first := make([]int32, e.N+1)
	for v := range first {
		first[v] = int32(v)
	}
	return &Sides{e, MultiEmbedding{First: first, D: e.D, Data: target}}
}

// A link and its reverse tie, and the row of a vertex says what its links do.
func TestScorersAreSymmetric(t *testing.T) {
	e, s := twoBlocks(60, 5, 200, 2)
	s.Names = make([]string, 60)
	several, _ := manyFaced(60, 5, 1, 2)
	for name := range Scorers.All() {
		var want []float64
		for _, threads := range []int{1, 3} {
			scorer := call.Of(Fit(t.Context(), name, Vectors{One: e, Several: several, Sides: sidesOf(e, slices.Repeat(e.Data[e.D:2*e.D], e.N)), Held: []Held{*heldOut(e, s)}}, s, ScoreOptions{Threads: threads}))(t)
			got := call.Of(scorer.Score(s.Test))(t)
			reversed := make([]network.Link, len(s.Test))
			for i, l := range s.Test {
				reversed[i] = network.Link{From: l.To, To: l.From}
			}
			back := call.Of(scorer.Score(reversed))(t)
			for i := range got {
				if got[i] != back[i] || want != nil && got[i] != want[i] {
					t.Fatalf("%s, %d threads: %v has %v, its reverse %v: expected one number, whatever the threads", name, threads, s.Test[i], got[i], back[i])
				}
			}
			want = got
			if scorer.Rows == nil {
				continue
			}
			row := make([]float64, 60)
			for i, l := range s.Test[:50] {
				scorer.Rows([]int32{l.From}, 0, row)
				tolerance := 1e-9
				if Scorers.Get(name).Untrained || name == "dot" || strings.HasPrefix(name, "cosine") || name == "lr" {
					tolerance = 1e-5 // sums of float32
				}
				near(t, name+" by rows", row[l.To], got[i], tolerance*(1+math.Abs(got[i])))
				if scorer.Near != nil {
					sparse := make([]float64, 60)
					scorer.Near()(l.From, func(v int32, x float64) { sparse[v] = x })
					near(t, name+" of those near", sparse[l.To], got[i], tolerance*(1+math.Abs(got[i])))
				}
			}
		}
	}
}
