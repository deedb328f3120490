package network

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestPlanted(t *testing.T) {
	for _, mixing := range []float64{0, 0.1, 1} {
		o := DefaultPlanted()
		o.Mixing = mixing
		p := call.Of(o.Generate())(t)
		n := p.Network
		if len(p.Memberships) != n.Vertices() || len(p.Origins) != n.Links() {
			t.Fatalf("%d memberships and %d origins of %d vertices and %d links", len(p.Memberships), len(p.Origins), n.Vertices(), n.Links())
		}
		if n.components().trees() != 1 || n.Vertices() < o.Vertices*9/10 || n.SelfLoops() > 0 || n.Directed() {
			t.Errorf("%d components, %d vertices: expected one of about %d", n.components().trees(), n.Vertices(), o.Vertices)
		}
		if mean := n.Stats().MeanDegree; math.Abs(mean-o.MeanDegree) > 0.01*o.MeanDegree {
			t.Errorf("mean degree %v: expected %v", mean, o.MeanDegree)
		}
		sizes := make([]int, o.Memberships+1)
		for v, c := range p.Memberships {
			if len(c) < 1 || len(c) > o.Memberships || !slices.IsSorted(c) || c[0] < 0 || int(c[len(c)-1]) >= o.Communities || len(slices.Compact(slices.Clone(c))) != len(c) {
				t.Fatalf("vertex %d is in %v", v, c)
			}
			sizes[len(c)]++
		}
		for k, count := range sizes[1:] { // binomial, n = 1000, p = 1/3: five standard deviations are 75
			if math.Abs(float64(count)-float64(n.Vertices())/3) > 75 {
				t.Errorf("%d vertices have %d memberships: expected about a third of %d", count, k+1, n.Vertices())
			}
		}
		random := 0
		for i, l := range n.List() {
			c := p.Origins[i]
			if c < 0 {
				random++
			} else if !slices.Contains(p.Memberships[l.From], c) || !slices.Contains(p.Memberships[l.To], c) {
				t.Fatalf("link %v is of community %d, its ends are in %v and %v", l, c, p.Memberships[l.From], p.Memberships[l.To])
			}
		}
		if share := float64(random) / float64(n.Links()); math.Abs(share-mixing) > 0.03 {
			t.Errorf("share of random links %v: expected %v", share, mixing)
		}
	}
}

// The truth must follow the vertices into the largest component.
func TestPlantedSmallComponents(t *testing.T) {
	o := PlantedOptions{Vertices: 600, Communities: 30, Memberships: 1, MeanDegree: 2.2, Mixing: 0.05, Seed: 4}
	p := call.Of(o.Generate())(t)
	n := p.Network
	if n.Vertices() == o.Vertices {
		t.Fatal("nothing was left out: the test tests nothing")
	}
	for i, l := range n.List() {
		if c := p.Origins[i]; c >= 0 && (p.Memberships[l.From][0] != c || p.Memberships[l.To][0] != c) {
			t.Fatalf("link %v is of community %d, its ends are in %v and %v", l, c, p.Memberships[l.From], p.Memberships[l.To])
		}
	}
}

func TestPlantedSeeds(t *testing.T) {
	o := DefaultPlanted()
	a, b := call.Of(o.Generate())(t), call.Of(o.Generate())(t)
	if a.Network.Checksum() != b.Network.Checksum() || !slices.EqualFunc(a.Memberships, b.Memberships, slices.Equal[[]int32]) {
		t.Error("the same options give another network")
	}
	o.Seed++
	if call.Of(o.Generate())(t).Network.Checksum() == a.Network.Checksum() {
		t.Error("another seed gives the same network")
	}
}

// Skew makes hubs, keeps the number of links, and 0 is the network that it always was.
func TestPlantedSkew(t *testing.T) {
	largest := map[float64]int{}
	for _, skew := range []float64{0, 0.5, 1} {
		o := DefaultPlanted()
		o.Skew = skew
		p := call.Of(o.Generate())(t)
		for i, l := range p.Network.List() {
			if c := p.Origins[i]; c >= 0 && (!slices.Contains(p.Memberships[l.From], c) || !slices.Contains(p.Memberships[l.To], c)) {
				t.Fatalf("skew %v: link %v is of community %d, its ends are in %v and %v", skew, l, c, p.Memberships[l.From], p.Memberships[l.To])
			}
		}
		if full := o.Vertices * int(o.MeanDegree) / 2; p.Network.Links() > full || p.Network.Links() < full*98/100 { // small components go
			t.Errorf("skew %v: %d links of %d", skew, p.Network.Links(), full)
		}
		largest[skew] = p.Network.Stats().MaxDegree
	}
	// Degrees of equal vertices are near Poisson(12), whose largest of 1000 is below 30; a hub has up to 30 times the weight.
	if !(largest[0] < 40 && largest[0.5] > 1.5*40 && largest[1] > 2*40) {
		t.Errorf("largest degrees by skew: %v", largest)
	}
}

// Degrees, triangles and diameter of the karate club as published widely; no two are likely to stay right with a wrong link.
func TestKarate(t *testing.T) {
	n, factions := Karate()
	degrees := []int{16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2, 2, 2, 2, 3, 2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17}
	if n.Vertices() != 34 || n.Links() != 78 || n.SelfLoops() != 0 || len(factions) != 34 || n.Name(33) != "34" {
		t.Fatalf("%d vertices, %d links: expected 34, 78", n.Vertices(), n.Links())
	}
	corners, longest, instructors := 0, 0, 0
	for u := range int32(34) {
		if n.Degree(u) != degrees[u] {
			t.Errorf("member %s has %d friends: expected %d", n.Name(u), n.Degree(u), degrees[u])
		}
		for _, v := range n.Out(u) {
			for _, w := range n.Out(v) {
				if n.Has(w, u) {
					corners++
				}
			}
		}
		if factions[u] == 0 {
			instructors++
		}
		distance := map[int32]int{u: 0}
		for queue := []int32{u}; len(queue) > 0; queue = queue[1:] {
			longest = max(longest, distance[queue[0]])
			for _, w := range n.Out(queue[0]) {
				if _, seen := distance[w]; !seen {
					distance[w] = distance[queue[0]] + 1
					queue = append(queue, w)
				}
			}
		}
	}
	if corners != 6*45 || longest != 5 || instructors != 17 || factions[0] != 0 || factions[33] != 1 {
		t.Errorf("%d triangles, diameter %d, %d with the instructor: expected 45, 5, 17", corners/6, longest, instructors)
	}
}
