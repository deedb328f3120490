package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Scores of a network and the features of a pair are those that testdata/network.py works out from their definitions.
func TestNetworkScores(t *testing.T) {
	var g struct {
		N            int
		Train, Pairs [][2]int32
		Cases        []struct {
			Directed bool
			Scores   map[string][]float64
			Features [][]float64
		}
	}
	text := call.Of(os.ReadFile("testdata/network.json"))(t)
	call.OK(t, json.Unmarshal(text, &g))
	pairs := links(g.Pairs)
	for _, c := range g.Cases {
		s := &network.Split{Names: make([]string, g.N), Train: links(g.Train), Directed: c.Directed}
		for name, scorer := range Scorers.All() {
			if !scorer.Untrained || scorer.Fitted { // of which the features are looked at
				continue
			}
			fit := call.Of(Fit(t.Context(), name, Vectors{}, s, ScoreOptions{}))(t)
			got := call.Of(fit.Score(pairs))(t)
			if len(c.Scores[name]) != len(pairs) {
				t.Fatalf("score %s: no values computed elsewhere in testdata/network.py", name)
			}
			for i, want := range c.Scores[name] {
				near(t, name, got[i], want, 2e-6*max(1, want)) // probabilities are float32
			}
		}
		topology := newTopology(g.N, s.Train, c.Directed)
		got := call.Of(features(t.Context(), topology, pairs, 2))(t)
		for i, want := range slices.Concat(c.Features...) {
			near(t, "feature", float64(got[i]), want, 5e-5)
		}
	}
}

// Of two dense blocks, links inside are more likely than others, and the same whatever the threads and the list that a pair stands in.
func TestNeighborhood(t *testing.T) {
	_, s := twoBlocks(60, 5, 200, 2)
	s.Names = make([]string, 60)
	fit := call.Of(Fit(t.Context(), "neighbourhood", Vectors{}, s, ScoreOptions{Threads: 3, Seed: 4}))(t)
	all, err := fit.Measure(t.Context(), s, Measurement{})
	if err != nil || all["auc"] < 0.7 {
		t.Errorf("%v, %v: expected an AUC above .7", all, err)
	}
	scores := call.Of(fit.Score(s.Test))(t)
	alone, err := fit.Score(s.Test[5:6])
	if err != nil || alone[0] != scores[5] {
		t.Errorf("%v alone, %v among others, %v", alone, scores[5], err)
	}
	few := &network.Split{Names: []string{"a", "b", "c"}, Train: []network.Link{{From: 0, To: 1}, {From: 1, To: 2}}}
	call.Refused(t)(Fit(t.Context(), "neighbourhood", Vectors{}, few, ScoreOptions{}))
}

// Each kind of negatives has no link and no self-loop, is the same at each call, and has what it is named for.
func TestNegatives(t *testing.T) {
	_, s := twoBlocks(60, 5, 200, 2)
	s.Names = make([]string, 60)
	directed := *s
	directed.Directed = true
	for _, l := range s.Test {
		directed.TestNegDirected = append(directed.TestNegDirected, network.Link{From: l.To, To: l.From})
	}
	directed.TestNegDirected = append(directed.TestNegDirected, s.TestNeg...)
	for _, s := range []*network.Split{s, &directed} {
		linked := linkedPairs(s)
		for name, kind := range NegativesKinds.All() {
			draws, err := kind.lists(s)
			got := slices.Concat(draws...)
			if name == "reversed" {
				if (err != nil) == s.Directed || s.Directed && len(got) != len(s.Test) {
					t.Errorf("reversed, directed %v: %v, %v", s.Directed, got, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(name, err)
			}
			if again, _ := kind.lists(s); !slices.Equal(got, slices.Concat(again...)) {
				t.Errorf("%s: other pairs at another call", name)
			}
			for _, l := range got {
				if name != "published" && name != "uniform" && name != "simple" && (linked(l) || l.From == l.To) {
					t.Errorf("%s: %v is a link", name, l)
				}
			}
		}
	}
}

// A star: the centre is an end of every test link, so that it is one of every negative of the same degrees, where that is possible.
func TestDegreeNegatives(t *testing.T) {
	s := &network.Split{Names: make([]string, 50)}
	for v := int32(1); v < 50; v++ {
		l := network.Link{From: v % 2 * (v / 2), To: v}
		if v%5 == 0 {
			s.Test = append(s.Test, l)
		} else {
			s.Train = append(s.Train, l)
		}
	}
	ends := map[int32]int{}
	for _, l := range s.Test {
		ends[l.From]++
		ends[l.To]++
	}
	got, err := degreeNegatives(s)
	if err != nil || len(got) == 0 {
		t.Fatal(got, err)
	}
	for _, l := range got {
		if ends[l.From] == 0 || ends[l.To] == 0 {
			t.Errorf("%v: expected ends of test links", l)
		}
	}
}

// Values that are counted by hand: of the test links one is above all negatives, one ties with the best, one is below two of three.
func TestRankMetrics(t *testing.T) {
	pos, neg := []float64{1, 3, 5}, []float64{0, 2, 3}
	score := map[network.Link]float64{}
	s := &network.Split{Names: make([]string, 20)}
	for i, x := range pos {
		l := network.Link{From: int32(i), To: int32(i + 10)}
		s.Test, score[l] = append(s.Test, l), x
	}
	for i, x := range neg {
		l := network.Link{From: int32(i), To: int32(i + 5)}
		s.TestNeg, score[l] = append(s.TestNeg, l), x
	}
	by := &LinkScorer{N: 20, Links: func(links []network.Link) (out []float64, err error) {
		for _, l := range links {
			out = append(out, score[l])
		}
		return out, nil
	}}
	got := call.Of(by.Measure(t.Context(), s, Measurement{Metrics: []string{"mrr", "hits@1", "hits@2", "precision@1", "precision@2", "precision@3", "precision@9"}, Negatives: []string{"uniform"}}))(t)
	for name, want := range map[string]float64{
		"mrr": (1 + 1/1.5 + 1./3) / 3, "hits@1": 1. / 3, "hits@2": 2. / 3, "precision@1": 1, "precision@2": 0.75, "precision@3": 2. / 3, "precision@9": 0.5,
	} {
		near(t, name, got[name+"_random"], want, 1e-12)
	}
	ties := []float64{0, 3, 3} // Hits@N as OGB's evaluator has it: above the N-th negative, not level with it
	for n, want := range map[int]float64{1: 0, 2: 0, 3: 1} {
		hits, _ := FindMetric(fmt.Sprint("hits@", n))
		near(t, fmt.Sprint("hits@", n, " of a tie"), hits.of([]float64{3}, ties), want, 0)
	}
	loop := network.Link{From: 7, To: 7}
	s.Test, score[loop] = append(s.Test, loop), -1
	loops, err := by.Measure(t.Context(), s, Measurement{Negatives: []string{"uniform", "simple"}})
	if err != nil || math.Abs(loops["auc_simple"]-6.5/9) > 1e-12 || math.Abs(loops["auc_random"]-6.5/12) > 1e-12 {
		t.Errorf("%v, %v: expected 6.5/9 without the self-loop, 6.5/12 with it", loops, err)
	}
	for name, want := range map[string]string{"hits": "expected one of", "hits@x": "whole number", "auc@3": "expected one of"} {
		call.Refused(t, want)(FindMetric(name))
	}
	call.Refused(t)(by.Measure(t.Context(), s, Measurement{Negatives: []string{"reversed"}}))
}
