package layout

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// cliques returns as many cliques of size vertices, on a chain.
func cliques(t *testing.T, count, size int) *network.Network {
	t.Helper()
	var names []string
	var links []network.Link
	for c := range count {
		for i := range size {
			names = append(names, string(rune('a'+c))+string(rune('a'+i)))
			for j := range i {
				links = append(links, network.Link{From: int32(c*size + j), To: int32(c*size + i)})
			}
		}
		if c > 0 {
			links = append(links, network.Link{From: int32((c-1)*size + size - 1), To: int32(c * size)})
		}
	}
	n, err := network.New(names, links, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Cliques on a chain are the communities, numbered by size and then by their vertices, from run to run.
func TestCommunities(t *testing.T) {
	net := cliques(t, 5, 6)
	for range 3 {
		for v, c := range Communities(net, 7) {
			if int(c) != v/6 {
				t.Fatalf("vertex %d is in community %d: want %d", v, c, v/6)
			}
		}
	}
}

// modularity returns that of a partition of a simple network.
func modularity(net *network.Network, of []int32) (q float64) {
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
	net, factions := network.Karate()
	if q, want := modularity(net, factions), 67./78-(81*81+75*75)/(156.*156); math.Abs(q-want) > 1e-12 {
		t.Errorf("factions have modularity %v, want %v", q, want)
	}
	good := 0
	for seed := range uint64(20) {
		of := Communities(net, seed)
		q := modularity(net, of)
		if q >= .415 {
			good++
		}
		if q < .39 || q > .41980 {
			t.Errorf("seed %d: modularity %v", seed, q)
		}
		if !slices.Equal(Communities(net, seed), of) {
			t.Errorf("seed %d gives other communities the second time", seed)
		}
	}
	if good < 10 {
		t.Errorf("%d of 20 seeds reach .415: want most", good)
	}
}

// Random networks with vertices that have no link, directions, weights and self-loops: the same with none of these, no worse than one community,
// numbered by size, vertices without links on their own, and no two communities better as one.
func TestCommunitiesOfRandomNetworks(t *testing.T) {
	for seed := range uint64(20) {
		r := rng.New(seed, "test")
		var names []string
		var links []network.Link
		for v := range 40 {
			names = append(names, strconv.Itoa(v))
		}
		for range 15 + 5*seed {
			links = append(links, network.Link{From: int32(r.Intn(36)), To: int32(r.Intn(36))})
		}
		net, err := network.New(names, links, slices.Repeat([]float32{1, 9, 3, 7, 2}, len(links)/5), true)
		if err != nil {
			t.Fatal(err)
		}
		of := Communities(net, seed)
		if net = net.Simple(); !slices.Equal(Communities(net, seed), of) {
			t.Errorf("seed %d: directions, weights and self-loops count", seed)
		}
		sizes := make([]int, slices.Max(of)+1)
		for _, c := range of {
			sizes[c]++
		}
		if !slices.IsSortedFunc(sizes, func(a, b int) int { return b - a }) || slices.Min(sizes) == 0 {
			t.Errorf("seed %d: communities of %v vertices: want the largest first", seed, sizes)
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
	if of := Communities(cliques(t, 0, 0), 1); len(of) != 0 {
		t.Errorf("communities %v of nothing", of)
	}
}

// Links are shorter than other pairs are apart, no two vertices fall together, and the same seed gives the same drawing.
func TestForces(t *testing.T) {
	net := cliques(t, 3, 5)
	at, err := Forces(t.Context(), net, 1)
	if err != nil {
		t.Fatal(err)
	}
	var linked, others []float64
	for u := range net.Vertices() {
		for v := range u {
			d := math.Hypot(at[2*u]-at[2*v], at[2*u+1]-at[2*v+1])
			if net.Has(int32(u), int32(v)) {
				linked = append(linked, d)
			} else {
				others = append(others, d)
			}
		}
	}
	slices.Sort(linked)
	slices.Sort(others)
	if linked[0] < .05 || linked[len(linked)/2] > others[len(others)/2]/2 {
		t.Errorf("links of lengths %v, other distances %v", linked, others)
	}
	if again, err := Forces(t.Context(), net, 1); err != nil || !slices.Equal(again, at) {
		t.Errorf("the same seed gives another drawing, %v", err)
	}
}
