package aspects

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// labelled are the links of vertex 0 with eight neighbours, of which 1 to 3 share its label 0 and 4 to 6 its label 1; with 7 it shares both, with 8 none.
func labelled(t *testing.T) []VertexLinks {
	t.Helper()
	var links []network.Link
	for v := range int32(8) {
		links = append(links, network.Link{From: v + 1, To: 0})
	}
	net := mustNew(t, 9, append(links, network.Link{From: 0, To: 0}), nil, true)
	return ByLabels(net, [][]int32{{0, 1}, {0}, {0, 5}, {0}, {1}, {1, 6}, {1, 1}, {1, 0}, {}})
}

// wayOf says which way the neighbours of each vertex of labelled lie.
func wayOf(v int32) int32 { return max(0, min(1, v-3)) }

func TestByLabels(t *testing.T) {
	at := labelled(t)
	if got := fmt.Sprint(at[0], at[3], at[6], at[7], at[8]); got != "{0 [1 2 3 4 5 6] [0 0 0 1 1 1]} {3 [0] [0]} {6 [0] [1]} {7 [] []} {8 [] []}" {
		t.Errorf("links with labels are %s", got)
	}
}

// Groups that are the labels match them; those that tell nothing, or each link apart where labels do so too, do no better than chance. Groups whose numbers
// mean something within a vertex alone do not match over all links.
func TestAgreement(t *testing.T) {
	at := labelled(t)
	several := []VertexLinks{at[0], {Vertex: 1, Near: at[0].Near, Label: at[0].Label}, {Vertex: 2, Near: []int32{3, 4}, Label: []int32{1, 1}}}
	for _, c := range []struct {
		name            string
		at              []VertexLinks
		in              Grouping
		count           int
		within, overall float64 // beyond chance
	}{
		{"labels", at, func(v, u int32) int32 { return wayOf(max(v, u)) }, 1, 1, 1},
		{"numbers of each vertex", several, func(v, u int32) int32 { return wayOf(u) ^ v&1 }, 2, 1, 0},
		{"one group", at, func(_, _ int32) int32 { return 3 }, 1, 0, 0},
		{"each link apart", []VertexLinks{{Near: []int32{1, 2}, Label: []int32{0, 1}}}, func(_, u int32) int32 { return u }, 1, 0, 0},
	} {
		within, err := Within(c.at, c.in, 1)
		if again, _ := Within(c.at, c.in, 1); err != nil || again != within || within.Count != c.count || math.Abs(within.Adjusted()-c.within) > 1e-9 {
			t.Errorf("%s: within vertices %+v (%v, again %+v), expected %d and %v beyond chance", c.name, within, err, again, c.count, c.within)
		}
		overall, err := Overall(c.at, c.in, 1)
		if err != nil || c.overall == 1 && overall.Adjusted() < 1-1e-9 || c.overall == 0 && overall.Adjusted() > .4 {
			t.Errorf("%s: overall %+v (%v), expected %v beyond chance", c.name, overall, err, c.overall)
		}
		if c.within == 1 && !(within.Chance > 0 && within.Chance < .7 && within.ChanceSD > 0) {
			t.Errorf("%s: chance of %+v: expected some agreement", c.name, within)
		}
	}
	call.Refused(t, "no vertex has links of several labels")(Within(several[2:], func(_, u int32) int32 { return u }, 1))
	call.Refused(t)(Overall(nil, nil, 1))
}

// Directions of vectors, not their lengths, make the clusters, which are at most one for each two links.
func TestKMeansOfLinks(t *testing.T) {
	at := labelled(t)
	final := eval.Embedding{N: 9, D: 2, Data: []float32{1, 1, 2, 0, 1, 0.1, 30, 0, 0, 1, 0.2, 4, 0, 3, 1, 1, 1, -1}}
	in := call.Of(KMeans(t.Context(), final, at, 2, 1, 2))(t)
	if a, err := Within(at, in, 1); err != nil || a.NMI < 1-1e-9 {
		t.Errorf("%+v, %v: expected the labels", a, err)
	}
	in = call.Of(KMeans(t.Context(), final, at, 10, 1, 1))(t)
	clusters := map[int32]bool{}
	for _, u := range at[0].Near {
		clusters[in(0, u)] = true
	}
	if len(clusters) != 3 {
		t.Errorf("%d clusters of six links, expected 3", len(clusters))
	}
	ctx := call.Stopped(t)
	if _, err := KMeans(ctx, final, at, 2, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	final.Data[3] = float32(math.NaN())
	call.Refused(t, "vector 1, dimension 1 is NaN")(KMeans(t.Context(), final, at, 2, 1, 1))
}

func TestByOrigin(t *testing.T) {
	names := []string{"a", "b", "c"}
	origins := []network.Origin{{Vertex: "b", Neighbor: "a", Of: "x"}, {Vertex: "a", Neighbor: "b", Of: "y"}, {Vertex: "a", Neighbor: "c", Of: "x"}, {Vertex: "a", Neighbor: "b", Of: "x"}}
	at, err := ByOrigin(names, origins, func(v, _ int32) bool { return v == 0 })
	if got := fmt.Sprint(at); err != nil || got != "[{0 [1 2] [1 0]} {1 [] []} {2 [] []}]" {
		t.Errorf("%s, %v: expected the links of a, each once", got, err)
	}
	call.Refused(t, `"a"-"c"`)(ByOrigin(names[:2], origins, func(_, _ int32) bool { return false }))
}
