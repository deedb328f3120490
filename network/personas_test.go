package network

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

func mustPersonas(t testing.TB, n *Network, clustering string, threads int) *Personas {
	t.Helper()
	return call.Of(n.Personas(context.Background(), clustering, threads))(t)
}

// members returns the parts of the neighbours of v as "1 2 | 3": the owners that the personas of v are linked to.
func (p *Personas) members(v int32) string {
	var parts []string
	for i := p.First[v]; i < p.First[v+1]; i++ {
		var part []string
		for _, q := range p.Network.Out(i) {
			part = append(part, fmt.Sprint(p.Owner[q]))
		}
		parts = append(parts, strings.Join(part, " "))
	}
	return strings.Join(parts, " | ")
}

// The parts of each member's friends in the karate club, by connected_components and label_propagation_communities of networkx
// 2.8.8 on each ego-net, with its nodes in increasing order: its tie rules are then ours.
func TestPersonasOfKarate(t *testing.T) {
	components := []string{
		"1 2 3 7 8 12 13 17 19 21 | 4 5 6 10 | 11 | 31", "0 2 3 7 13 17 19 21 | 30", "0 1 3 7 8 13 32 | 9 | 27 | 28",
		"0 1 2 7 12 13", "0 6 10", "0 6 10 16", "0 4 5 16", "0 1 2 3", "0 2 30 32 33", "2 | 33", "0 4 5", "0", "0 3",
		"0 1 2 3 | 33", "32 33", "32 33", "5 6", "0 1", "32 33", "0 1 | 33", "32 33", "0 1", "32 33", "25 | 27 29 32 33",
		"25 31 | 27", "23 | 24 31", "29 33", "2 | 23 33 | 24", "2 | 31 33", "23 26 32 33", "1 | 8 32 33", "0 | 24 25 | 28 32 33",
		"2 8 14 15 18 20 22 23 29 30 31 33", "8 14 15 18 20 22 23 26 27 28 29 30 31 32 | 9 | 13 | 19",
	}
	labels := slices.Clone(components)
	labels[2], labels[5], labels[8] = "0 1 3 7 13 | 8 32 | 9 | 27 | 28", "0 10 | 6 16", "0 2 | 30 32 33"
	labels[33] = "8 14 15 18 20 22 28 30 31 32 | 9 | 13 | 19 | 23 27 | 26 29"
	n, _ := Karate()
	for clustering, want := range map[string][]string{ClusteringComponents: components, ClusteringLabels: labels} {
		p := mustPersonas(t, n, clustering, 2)
		for v := range want {
			if got := p.members(int32(v)); got != want[v] {
				t.Errorf("%s: parts of %d are %s: expected %s", clustering, v, got, want[v])
			}
		}
	}
}

// A network of 200 vertices and 2000 links, most ego-nets with several labels in one component, split by networkx 2.8.8 as in
// TestPersonasOfKarate. The digest goes through all vertices u, parts i and members v.
func TestPersonasGolden(t *testing.T) {
	const n, reach = 200, 40
	var links []Link
	x := 1
	next := func(m int) int {
		x = (x*1103515245 + 12345) % (1 << 31)
		return (x >> 8) % m
	}
	taken := map[Link]bool{}
	for len(links) < 2000 {
		a := next(n)
		l := (Link{int32(a), int32((a + 1 + next(reach)) % n)}).ordered()
		if !taken[l] {
			taken[l] = true
			links = append(links, l)
		}
	}
	net := mustNew(t, n, links, false)
	for clustering, want := range map[string][2]int{ClusteringComponents: {361, 65516603}, ClusteringLabels: {692, 724950812}} {
		p := mustPersonas(t, net, clustering, 2)
		digest := 0
		for u := range int32(n) {
			for i := p.First[u]; i < p.First[u+1]; i++ {
				for _, q := range p.Network.Out(i) {
					digest = (digest*31 + (int(i-p.First[u])*n+int(p.Owner[q]))*n + int(u)) % 1000000007
				}
			}
		}
		if got := [2]int{len(p.Owner), digest}; got != want {
			t.Errorf("%s: personas and digest %d: expected %d", clustering, got, want)
		}
	}
}

func TestPersonasProperties(t *testing.T) {
	for seed := range uint64(50) {
		n := randomSimple(t, seed)
		parts := mustPersonas(t, n, ClusteringComponents, 1)
		checkPersonas(t, n, parts)
		finer := mustPersonas(t, n, ClusteringLabels, 1)
		checkPersonas(t, n, finer)
		for v := range int32(n.Vertices()) {
			component, label := partsOf(parts, v), partsOf(finer, v)
			f := newForest(n.Vertices())
			for _, u := range n.Out(v) {
				for _, w := range n.Out(u) {
					if n.Has(v, w) {
						f.join(u, w)
					}
				}
			}
			for _, u := range n.Out(v) {
				for _, w := range n.Out(v) {
					if (component[u] == component[w]) != (f.find(u) == f.find(w)) {
						t.Fatalf("seed %d: without %d, %d and %d are connected: %v", seed, v, u, w, f.find(u) == f.find(w))
					}
					if label[u] == label[w] && component[u] != component[w] {
						t.Fatalf("seed %d: without %d, %d and %d have one label and are not connected", seed, v, u, w)
					}
				}
			}
		}
	}
}

// partsOf returns the persona of v that each neighbour of v is linked to.
func partsOf(p *Personas, v int32) map[int32]int32 {
	parts := map[int32]int32{}
	for i := p.First[v]; i < p.First[v+1]; i++ {
		for _, q := range p.Network.Out(i) {
			parts[p.Owner[q]] = i
		}
	}
	return parts
}

// checkPersonas checks what holds of any clustering.
func checkPersonas(t *testing.T, n *Network, p *Personas) {
	t.Helper()
	r := p.Network.Vertices()
	if p.Network.Simple() != p.Network || len(p.Owner) != r || len(p.First) != n.Vertices()+1 || p.First[0] != 0 || int(p.First[n.Vertices()]) != r {
		t.Fatalf("%d personas, %d owners, first personas %v", r, len(p.Owner), p.First)
	}
	remade := mustNew(t, r, p.Network.List(), false) // all that New makes sure of
	if !slices.Equal(remade.targets, p.Network.targets) || !slices.Equal(remade.offsets, p.Network.offsets) {
		t.Fatal("the lists of the personas are not those of a network")
	}
	var links []Link
	for _, l := range p.Network.List() {
		links = append(links, Link{p.Owner[l.From], p.Owner[l.To]}.ordered())
	}
	slices.SortFunc(links, compareLinks)
	if want := n.List(); !slices.Equal(links, want) {
		t.Fatalf("links between owners %v: expected %v", links, want)
	}
	for v := range int32(n.Vertices()) {
		smallest := int32(-1)
		for i := p.First[v]; i < p.First[v+1]; i++ {
			if p.Owner[i] != v {
				t.Fatalf("the owner of persona %d is %d: expected %d", i, p.Owner[i], v)
			}
			if name := fmt.Sprintf("%s#%d", n.Name(v), i-p.First[v]); p.Network.Name(i) != name {
				t.Fatalf("the id of persona %d is %s: expected %s", i, p.Network.Name(i), name)
			}
			if found, ok := p.Network.Index(p.Network.Name(i)); !ok || found != i {
				t.Fatalf("persona %d is found as %d", i, found)
			}
			if n.Degree(v) == 0 {
				continue
			}
			if p.Network.Degree(i) == 0 || p.Owner[p.Network.Out(i)[0]] <= smallest {
				t.Fatalf("persona %d of %d has neighbours %v, the one before begins with %d", i, v, p.Network.Out(i), smallest)
			}
			smallest = p.Owner[p.Network.Out(i)[0]]
		}
		if count := p.First[v+1] - p.First[v]; count < 1 || n.Degree(v) == 0 && count != 1 {
			t.Fatalf("vertex %d of degree %d has %d personas", v, n.Degree(v), count)
		}
	}
}

func TestPersonasThreads(t *testing.T) {
	n := benchmarkSkewed(t, 1000)
	for _, clustering := range Clusterings() {
		want := mustPersonas(t, n, clustering, 1)
		for _, threads := range []int{0, 2, 5, 5000} {
			got := mustPersonas(t, n, clustering, threads)
			if got.Network.Checksum() != want.Network.Checksum() || !slices.Equal(got.Owner, want.Owner) || !slices.Equal(got.First, want.First) {
				t.Errorf("%s: %d threads give other personas than one", clustering, threads)
			}
		}
	}
}

func TestPersonasErrors(t *testing.T) {
	weighted := call.Of(New(numbered(2), []Link{{0, 1}}, []float32{2}, false))(t)
	path := mustNew(t, 3, []Link{{0, 1}, {1, 2}}, false)
	tests := []struct {
		name, clustering, want string
		n                      *Network
	}{
		{"directed", ClusteringLabels, "directed true, weighted false, 0 self-loops: expected none of it, as Simple returns", mustNew(t, 2, []Link{{0, 1}}, true)},
		{"weighted", ClusteringLabels, "directed false, weighted true, 0 self-loops: expected none of it", weighted},
		{"loop", ClusteringLabels, "directed false, weighted false, 1 self-loops: expected none of it", mustNew(t, 2, []Link{{0, 0}}, false)},
		{"clustering", "modularity", `clustering = "modularity": expected one of labels, components`, path},
		{"no clustering", "", `clustering = "": expected one of labels, components`, path},
	}
	for _, test := range tests {
		call.Refused(t, test.want)(test.n.Personas(context.Background(), test.clustering, 1))
	}
	ctx := call.Stopped(t)
	if _, err := path.Personas(ctx, ClusteringLabels, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// benchmarkSkewed returns a simple network with hubs.
func benchmarkSkewed(t testing.TB, vertices int) *Network {
	t.Helper()
	n := call.Of(PlantedOptions{Vertices: vertices, Communities: vertices / 100, Memberships: 3, MeanDegree: 20, Mixing: 0.1, Skew: 1, Seed: 1}.Generate())(t).Network
	return n
}

// randomSimple returns a simple network with some empty vertices, hubs and many triangles: the linked vertices are near one
// another, but for those of a few hubs.
func randomSimple(t testing.TB, seed uint64) *Network {
	t.Helper()
	r := rng.New(seed, "test-personas")
	n := 2 + r.Intn(60)
	var links []Link
	for range r.Intn(5 * n) {
		u := int32(r.Intn(n))
		v := (u + 1 + int32(r.Intn(8))) % int32(n)
		if r.Intn(4) == 0 {
			v = int32(r.Intn(min(n, 3)))
		}
		links = append(links, Link{u, v})
	}
	return mustNew(t, n, links, false).Simple()
}
