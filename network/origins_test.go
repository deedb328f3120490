package network

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestOriginsRoundTrip(t *testing.T) {
	p, err := PlantedOptions{Vertices: 60, Communities: 3, Memberships: 2, MeanDegree: 6, Mixing: .2, Seed: 1}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	want := append(p.LinkOrigins(), Origin{"a b", "é", "of it"})
	random := 0
	for _, c := range p.Origins {
		if c < 0 {
			random++
		}
	}
	if len(want) != 1+2*(p.Network.Links()-random) || random == 0 {
		t.Errorf("%d origins of %d links, of which %d are random", len(want)-1, p.Network.Links(), random)
	}
	for _, o := range want[:len(want)-1] {
		v, _ := p.Network.Index(o.Vertex)
		u, _ := p.Network.Index(o.Neighbor)
		c := int32(strings.Index("012", o.Of))
		if !p.Network.Has(v, u) || !slices.Contains(want, Origin{o.Neighbor, o.Vertex, o.Of}) || !slices.Contains(p.Memberships[v], c) && !slices.Contains(p.Memberships[u], c) {
			t.Errorf("origin %+v: expected a link of a community of one of its ends", o)
		}
	}
	var b bytes.Buffer
	if err := WriteOrigins(&b, want); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{b.String(), strings.ReplaceAll(b.String(), "\n", "\r\n")} {
		if got, err := ReadOrigins(strings.NewReader(text), "o"); err != nil || !slices.Equal(got, want) {
			t.Errorf("read %v, %v; expected %v", got, err, want)
		}
	}
	for _, text := range []string{"a\tb\tc\na\tb\n", "a\tb\tc\n\n", "a\tb\tc\na\t\tc\n", "a\tb\tc\na\tb\tc\td\n"} {
		if _, err := ReadOrigins(strings.NewReader(text), "o"); err == nil || !strings.Contains(err.Error(), "o:2: ") {
			t.Errorf("%q: error %v, expected one for line 2", text, err)
		}
	}
	if got, err := ReadOrigins(strings.NewReader("\ufeffa\tb\tc\r\n"), "o"); err != nil || !slices.Equal(got, []Origin{{"a", "b", "c"}}) {
		t.Errorf("with a byte order mark: %v, %v", got, err)
	}
	if _, err := ReadOrigins(strings.NewReader(strings.Repeat("x", 1<<21)), "o"); err == nil {
		t.Error("a line of two megabytes: expected an error")
	}
}

// A merged vertex has the links of both, and each of them that was of one alone says of which.
func TestMerge(t *testing.T) {
	n := benchmarkSkewed(t, 300)
	merged, origins, err := n.Merge(.5, 3)
	if err != nil {
		t.Fatal(err)
	}
	if again, same, err := n.Merge(.5, 3); err != nil || again.Checksum() != merged.Checksum() || !reflect.DeepEqual(same, origins) {
		t.Errorf("the same seed gives another network, %v", err)
	}
	if other, _, err := n.Merge(.5, 4); err != nil || other.Checksum() == merged.Checksum() {
		t.Errorf("another seed gives the same network, %v", err)
	}
	parts := map[string][]int32{} // of what merged vertices are made, by origins
	of := map[[2]string]string{}
	for _, o := range origins {
		at, there := n.Index(o.Of)
		if !there || of[[2]string{o.Vertex, o.Neighbor}] != "" && of[[2]string{o.Vertex, o.Neighbor}] != o.Of {
			t.Fatalf("origin %+v: expected one vertex of the network for each end of a link", o)
		}
		of[[2]string{o.Vertex, o.Neighbor}] = o.Of
		if !slices.Contains(parts[o.Vertex], at) {
			parts[o.Vertex] = append(parts[o.Vertex], at)
		}
	}
	paired, able := 0, 0
	for v := range int32(n.Vertices()) {
		if at, there := merged.Index(n.Name(v)); n.Degree(v) >= leastMerged {
			able++
		} else if !there || len(parts[merged.Name(at)]) > 0 {
			t.Errorf("vertex %d of %d links is in a pair", v, n.Degree(v))
		}
	}
	made := func(v int32) []int32 { // of the vertices of n
		if p := parts[merged.Name(v)]; len(p) > 0 {
			return p
		}
		old, _ := n.Index(merged.Name(v))
		return []int32{old}
	}
	for v := range int32(merged.Vertices()) {
		own := made(v)
		if paired += len(own); len(own) > 2 || len(own) == 2 && n.Has(own[0], own[1]) {
			t.Fatalf("vertex %s is made of %v: expected one, or two that are not linked", merged.Name(v), own)
		}
		for u := range int32(merged.Vertices()) {
			var with []string // the parts of v that are linked with u
			for _, a := range own {
				if slices.ContainsFunc(made(u), func(b int32) bool { return n.Has(a, b) }) {
					with = append(with, n.Name(a))
				}
			}
			if u != v && merged.Has(v, u) != (len(with) > 0) {
				t.Fatalf("%s and %s are linked: %v, but %v of the one are with the other", merged.Name(v), merged.Name(u), merged.Has(v, u), with)
			}
			want := ""
			if len(own) == 2 && len(with) == 1 {
				want = with[0]
			}
			if got := of[[2]string{merged.Name(v), merged.Name(u)}]; u != v && got != want {
				t.Fatalf("link of %s to %s is of %q, expected %q", merged.Name(v), merged.Name(u), got, want)
			}
		}
	}
	if pairs := n.Vertices() - merged.Vertices(); paired != n.Vertices() || pairs < able/4-1 || pairs > able/4 {
		t.Errorf("%d pairs of %d vertices, %d of them with links enough: expected half of these", pairs, n.Vertices(), able)
	}
}

func TestMergeRefuses(t *testing.T) {
	n := benchmarkSkewed(t, 300)
	for _, c := range []struct {
		net   *Network
		share float64
		want  string
	}{
		{n, -.1, "expected 0 to 1"}, {n, 1.1, "expected 0 to 1"}, {n, math.NaN(), "expected 0 to 1"}, {n, 0, "no pair"},
		{mustNew(t, 9, clique(nil, 0, 9), false), 1, "no pair"},                                                              // all are linked
		{mustNew(t, 8, []Link{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {5, 0}, {5, 1}, {5, 2}, {5, 3}}, false), 1, "no pair"}, // one has five
	} {
		if _, _, err := c.net.Merge(c.share, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("share %v of %d vertices: error %v, expected %q", c.share, c.net.Vertices(), err, c.want)
		}
	}
}
