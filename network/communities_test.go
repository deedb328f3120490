package network

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Cliques on a chain are the communities, numbered by size and then by their vertices, from run to run.
func communities(t *testing.T, net *Network, seed uint64) []int32 {
	t.Helper()
	return call.Of(net.Communities(t.Context(), 100, nil, seed))(t)
}

func TestCommunitiesStop(t *testing.T) {
	ctx := call.Stopped(t)
	if of, err := mustNew(t, 2, []Link{{From: 0, To: 1}}, false).Communities(ctx, 100, nil, 1); of != nil || err != context.Canceled {
		t.Errorf("%v, %v", of, err)
	}
}

func TestCommunities(t *testing.T) {
	var links []Link
	for c := range int32(5) {
		if links = clique(links, 6*c, 6*c+6); c > 0 {
			links = append(links, Link{6*c - 1, 6 * c})
		}
	}
	net := mustNew(t, 30, links, false)
	for range 3 {
		for v, c := range communities(t, net, 7) {
			if int(c) != v/6 {
				t.Fatalf("vertex %d is in community %d: expected %d", v, c, v/6)
			}
		}
	}
}

// modularity returns that of a partition of a simple network.
func modularity(net *Network, of []int32) (q float64) {
	ends, all := map[int32]float64{}, float64(net.Arcs())
	for v, c := range of {
		ends[c] += float64(net.Degree(int32(v))) / all
		for _, u := range net.Out(int32(v)) {
			if of[u] == c {
				q += 1 / all
			}
		}
	}
	for _, share := range ends {
		q -= share * share
	}
	return q
}

// The karate club's best partition has .41979 (Brandes et al., IEEE Trans. Knowl. Data Eng. 20, 2008). Of its 78 links 67 are within its factions, which have
// 81 and 75 ends of links.
func TestCommunitiesOfKarate(t *testing.T) {
	net, factions := Karate()
	if q, want := modularity(net, factions), 67./78-(81*81+75*75)/(156.*156); math.Abs(q-want) > 1e-12 {
		t.Errorf("factions have modularity %v, expected %v", q, want)
	}
	good := 0
	for seed := range uint64(20) {
		of := communities(t, net, seed)
		q := modularity(net, of)
		if q >= .415 {
			good++
		}
		if q < .39 || q > .41980 {
			t.Errorf("seed %d: modularity %v", seed, q)
		}
		if !slices.Equal(communities(t, net, seed), of) {
			t.Errorf("seed %d gives other communities the second time", seed)
		}
	}
	if good < 10 {
		t.Errorf("%d of 20 seeds reach .415: expected most", good)
	}
}

// Random networks with vertices that have no link, directions, weights and self-loops: the same with none of these, no worse than one community,
// numbered by size, vertices without links on their own, and no two communities better as one.
func TestCommunitiesOfRandomNetworks(t *testing.T) {
	for seed := range uint64(20) {
		r := rng.New(seed, "test")
		var names []string
		var links []Link
		for v := range 40 {
			names = append(names, strconv.Itoa(v))
		}
		for range 15 + 5*seed {
			links = append(links, Link{From: int32(r.Intn(36)), To: int32(r.Intn(36))})
		}
		net := call.Of(New(names, links, slices.Repeat([]float32{1, 9, 3, 7, 2}, len(links)/5), true))(t)
		of := communities(t, net, seed)
		if net = net.Simple(); !slices.Equal(communities(t, net, seed), of) {
			t.Errorf("seed %d: directions, weights and self-loops count", seed)
		}
		sizes := make([]int, slices.Max(of)+1)
		for _, c := range of {
			sizes[c]++
		}
		if !slices.IsSortedFunc(sizes, func(a, b int) int { return b - a }) || slices.Min(sizes) == 0 {
			t.Errorf("seed %d: communities of %v vertices: expected the largest first", seed, sizes)
		}
		q := modularity(net, of)
		if q < 0 { // that of one community
			t.Errorf("seed %d: modularity %v", seed, q)
		}
		for a := range int32(len(sizes)) {
			for b := range a {
				if merged := seq.Map(of, func(c int32) int32 {
					if c == a {
						return b
					}
					return c
				}); modularity(net, merged) > q+1e-12 {
					t.Errorf("seed %d: communities %d and %d are better as one", seed, a, b)
				}
			}
		}
		for v, c := range of {
			if net.Degree(int32(v)) == 0 && sizes[c] != 1 {
				t.Errorf("seed %d: vertex %d has no links and is in a community of %d", seed, v, sizes[c])
			}
		}
	}
	if of := communities(t, mustNew(t, 0, nil, false), 1); len(of) != 0 {
		t.Errorf("communities %v of nothing", of)
	}
}

// clique appends the links among the vertices first to end-1.
func clique(links []Link, first, end int32) []Link {
	for u := first; u < end; u++ {
		for v := u + 1; v < end; v++ {
			links = append(links, Link{u, v})
		}
	}
	return links
}
