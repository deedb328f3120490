package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

var scorings = []string{"sum", "max"}

// manyFaced draws 0 to 5 vectors for each of n vertices, one in nine of them zero, and lists of links between them.
func manyFaced(n, d, pairs int, seed uint64) (MultiEmbedding, *network.Split) {
	r := rng.New(seed, "manyFaced")
	s := MultiEmbedding{First: []int32{0}, D: d}
	for v := range n {
		k := r.Intn(6)
		if v < 2 {
			k = v + 1
		}
		s.First = append(s.First, s.First[v]+int32(k))
		for range k {
			scale := math.Exp(2 * r.Normal())
			if r.Intn(9) == 0 {
				scale = 0
			}
			for range d {
				s.Data = append(s.Data, float32(scale*r.Normal()))
			}
			s.Share = append(s.Share, float32(r.Float64()))
		}
	}
	split := &network.Split{}
	for _, l := range []*[]network.Link{&split.Test, &split.TestNeg} {
		for range pairs {
			*l = append(*l, network.Link{From: int32(r.Intn(n)), To: int32(r.Intn(n))})
		}
	}
	return s, split
}

func scoresOf(t *testing.T, s MultiEmbedding, scoring string, links []network.Link, threads int) []float64 {
	t.Helper()
	scorer := call.Of(Fit(context.Background(), scoring, Vectors{Several: s}, nil, ScoreOptions{Threads: threads}))(t)
	return call.Of(scorer.Score(links))(t)
}

// Scores and areas made by another program; the file says how.
func TestSimilarityGolden(t *testing.T) {
	b := call.Of(os.ReadFile("testdata/similarity.json"))(t)
	var g struct {
		Dim             int
		First           []int32
		Vectors         [][]float32
		Share           []float32
		Test            [][2]int32
		TestNeg         [][2]int32 `json:"test_neg"`
		TestNegDirected [][2]int32 `json:"test_neg_directed"`
		Similarity      map[string][]float64
		AUC             map[string]float64
		AUCRandom       map[string]float64 `json:"auc_random"`
	}
	call.OK(t, json.Unmarshal(b, &g))
	s := MultiEmbedding{First: g.First, D: g.Dim, Data: slices.Concat(g.Vectors...), Share: g.Share}
	split := &network.Split{Test: links(g.Test), TestNeg: links(g.TestNeg), TestNegDirected: links(g.TestNegDirected)}
	for _, scoring := range scorings {
		for i, got := range scoresOf(t, s, scoring, split.Test, 1) {
			near(t, fmt.Sprintf("%s of %v", scoring, split.Test[i]), got, g.Similarity[scoring][i], 1e-12)
		}
		split.Directed = true
		got := call.Of(score(context.Background(), scoring, Vectors{Several: s}, split, ScoreOptions{}))(t)
		near(t, scoring+": AUC", got.AUC, g.AUC[scoring], 1e-12)
		near(t, scoring+": AUCRandom", got.AUCRandom, g.AUCRandom[scoring], 1e-12)
		split.Directed = false
		if got, err := score(context.Background(), scoring, Vectors{Several: s}, split, ScoreOptions{}); err != nil || got.AUC != got.AUCRandom {
			t.Errorf("%s, undirected: %+v, %v: expected one number twice", scoring, got, err)
		}
	}
}

// Neither the order of a vertex's vectors nor their lengths matter, nor which end of a link comes first, nor a vector of zeros
// more where another pair has a positive cosine.
func TestSimilarityInvariances(t *testing.T) {
	s, split := manyFaced(80, 7, 600, 3)
	turned := MultiEmbedding{First: s.First, D: s.D}
	scaled := MultiEmbedding{First: s.First, D: s.D, Data: slices.Clone(s.Data), Share: s.Share}
	padded := MultiEmbedding{First: []int32{0}, D: s.D}
	for v := range s.N() {
		lo, hi := int(s.First[v]), int(s.First[v+1])
		for r := hi - 1; r >= lo; r-- {
			turned.Data = append(turned.Data, s.Data[r*s.D:(r+1)*s.D]...)
			turned.Share = append(turned.Share, s.Share[r])
		}
		padded.Data = append(append(padded.Data, s.Data[lo*s.D:hi*s.D]...), make([]float32, s.D)...)
		padded.Share = append(append(padded.Share, s.Share[lo:hi]...), 0.5)
		padded.First = append(padded.First, int32(hi+v+1))
	}
	for i := range scaled.Data {
		scaled.Data[i] *= float32(math.Exp2(float64(i/s.D%41 - 20)))
	}
	swapped := slices.Clone(split.Test)
	for i := range swapped {
		swapped[i].From, swapped[i].To = swapped[i].To, swapped[i].From
	}
	for _, scoring := range scorings {
		want := scoresOf(t, s, scoring, split.Test, 1)
		for name, other := range map[string]MultiEmbedding{"order": turned, "lengths": scaled, "zeros": padded} {
			for i, got := range scoresOf(t, other, scoring, split.Test, 1) {
				if name != "zeros" || scoring != "max" || want[i] >= 0 {
					near(t, fmt.Sprintf("%s, other %s: %v", scoring, name, split.Test[i]), got, want[i], 1e-9)
				} else if got != 0 {
					t.Errorf("max of %v with a zero vector more: %v, expected 0 instead of %v", split.Test[i], got, want[i])
				}
			}
		}
		if got := scoresOf(t, s, scoring, swapped, 1); !slices.Equal(got, want) {
			t.Errorf("%s: the reverse of a link does not tie with it", scoring)
		}
		for _, threads := range []int{2, 5} {
			if got := scoresOf(t, s, scoring, split.Test, threads); !slices.Equal(got, want) {
				t.Errorf("%s: %d threads change the scores", scoring, threads)
			}
		}
	}
}

// With one vector each, all scorings are the cosine; equal vectors have cosine exactly 1, however long, and so tie.
func TestSimilarityOneVector(t *testing.T) {
	e, split := twoBlocks(90, 6, 300, 5)
	s := MultiEmbedding{First: []int32{0}, D: e.D, Data: slices.Clone(e.Data)}
	for v := range e.N {
		s.First = append(s.First, int32(v+1))
		s.Share = append(s.Share, 1)
	}
	want := scoresOf(t, s, "max", split.Test, 1)
	for _, scoring := range scorings {
		for i, got := range scoresOf(t, s, scoring, split.Test, 1) {
			near(t, scoring, got, want[i], 1e-12)
		}
		got, err := score(context.Background(), scoring, Vectors{Several: s}, split, ScoreOptions{})
		if err != nil || got.AUC < 0.75 { // members of a group point the same way
			t.Errorf("%s: AUC %v, %v: expected one well above chance", scoring, got.AUC, err)
		}
	}
	for v := range e.N {
		for _, scale := range []float32{1e-38, 1, 1e37} {
			for j := range s.D {
				s.Data[j] = scale * e.Data[v*s.D+j]
				s.Data[s.D+j] = s.Data[j]
			}
			if got := scoresOf(t, s, "max", []network.Link{{From: 0, To: 1}}, 1); got[0] != 1 {
				t.Fatalf("cosine of %v with itself = %v, expected exactly 1", s.Data[:s.D], got[0])
			}
		}
	}
	clear(s.Data)
	for _, scoring := range scorings {
		if got, err := score(context.Background(), scoring, Vectors{Several: s}, split, ScoreOptions{}); err != nil || got.AUC != 0.5 {
			t.Errorf("%s of zeros: AUC %v, %v: expected 0.5", scoring, got.AUC, err)
		}
	}
}
