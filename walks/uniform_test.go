package walks_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

var update = flag.Bool("update", false, "write testdata anew")

// A corpus on a network of five vertices, frozen: records of runs depend on it.
func TestGoldenWalks(t *testing.T) {
	const file = "testdata/walks.golden"
	var b strings.Builder
	for _, directed := range []bool{false, true} {
		// A square with a diagonal and a tail; directed, vertex 4 is a sink.
		net := newNetwork(t, 5, directed, 0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 2, 4)
		for seed := range uint64(2) {
			fmt.Fprintf(&b, "# directed %v, seed %d\n", directed, seed)
			src := uniform(t, net, walks.Options{PerVertex: 2, Length: 10, Seed: seed})
			for i := range src.Walks() {
				fmt.Fprintln(&b, strings.Trim(fmt.Sprint(src.Walk(i, nil)), "[]"))
			}
		}
	}
	if *update {
		call.OK(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want := call.Of(os.ReadFile(file))(t)
	if got := b.String(); got != string(want) {
		t.Errorf("walks are\n%s\nwant (%s; -update after a change that is meant)\n%s", got, file, want)
	}
}

// Rounds over the vertices with an out-neighbour, in increasing order; each step is a link; a walk is short only if it ends
// in a sink. Both networks have a self-loop, which a walk may take, and the directed one has sinks.
func TestUniformWalks(t *testing.T) {
	for _, directed := range []bool{false, true} {
		net := newNetwork(t, 7, directed, 0, 1, 1, 2, 2, 0, 2, 2, 3, 4, 1, 5, 6, 0)
		o := walks.Options{PerVertex: 20, Length: 6, Seed: 3}
		src := uniform(t, net, o)
		var starts []int32
		for v := range int32(net.Vertices()) {
			if len(net.Out(v)) > 0 {
				starts = append(starts, v)
			}
		}
		if got, want := src.Walks(), len(starts)*o.PerVertex; got != want {
			t.Fatalf("directed %v: %d walks, expected %d", directed, got, want)
		}
		var loops, short int
		for i := range src.Walks() {
			walk := src.Walk(i, nil)
			if want := starts[i%len(starts)]; walk[0] != want {
				t.Errorf("directed %v: walk %d starts from %d, expected %d", directed, i, walk[0], want)
			}
			if len(walk) < 2 || len(walk) > o.Length {
				t.Errorf("directed %v: walk %d has %d vertices, expected 2 to %d", directed, i, len(walk), o.Length)
			}
			if len(walk) < o.Length {
				short++
				if end := walk[len(walk)-1]; len(net.Out(end)) > 0 {
					t.Errorf("directed %v: walk %d ends early at %d, which is no sink", directed, i, end)
				}
			}
			for j, v := range walk[1:] {
				if u := walk[j]; !net.Has(u, v) {
					t.Errorf("directed %v: walk %d steps from %d to %d: no link", directed, i, u, v)
				} else if u == v {
					loops++
				}
			}
		}
		if loops == 0 || directed != (short > 0) {
			t.Errorf("directed %v: %d steps along the self-loop, %d short walks: nothing was tested", directed, loops, short)
		}
	}
}

// From a vertex with six neighbours each is next equally often, whatever the weights: chi-square with five degrees of
// freedom. The steps that start walks and those in mid-walk are judged apart.
func TestStepsAreUniform(t *testing.T) {
	links := []network.Link{}
	for v := range int32(6) {
		links = append(links, network.Link{From: 6, To: v})
	}
	names := []string{"a", "b", "c", "d", "e", "f", "hub"}
	net := call.Of(network.New(names, links, []float32{1, 2, 3, 4, 5, 100}, false))(t)
	src := uniform(t, net, walks.Options{PerVertex: 3000, Length: 3, Seed: 1})
	var first, later [6]float64
	for i := range src.Walks() {
		if walk := src.Walk(i, nil); walk[0] == 6 {
			first[walk[1]]++
		} else {
			later[walk[2]]++
		}
	}
	checkUniform(t, "first steps", first[:])
	checkUniform(t, "later steps", later[:])
}

// checkUniform fails if counts are unlikelier than one in ten thousand for equally likely events.
func checkUniform(t *testing.T, what string, counts []float64) {
	t.Helper()
	var sum, chi float64
	for _, c := range counts {
		sum += c
	}
	want := sum / float64(len(counts))
	for _, c := range counts {
		chi += (c - want) * (c - want) / want
	}
	p := distuv.ChiSquared{K: float64(len(counts) - 1)}.Survival(chi)
	if !(p > 1e-4) {
		t.Errorf("%s: counts %v, expected about %.0f each: chi-square %.1f, p = %.1g", what, counts, want, chi, p)
	}
}

func TestStoreIsCancelled(t *testing.T) {
	ctx := call.Stopped(t)
	if s, err := walks.Store(ctx, uniform(t, ring(t, 10), walks.Options{PerVertex: 1, Length: 4}), 2); err != context.Canceled {
		t.Errorf("got %v, %v: expected %v", s, err, context.Canceled)
	}
}

func TestNewUniformRefuses(t *testing.T) {
	net := ring(t, 5)
	ok := walks.Options{PerVertex: 10, Length: 80}
	cases := []struct {
		name string
		net  *network.Network
		edit func(*walks.Options)
		want string
	}{
		{"no walks", net, func(o *walks.Options) { o.PerVertex = 0 }, "0 walks per vertex"},
		{"too many walks", net, func(o *walks.Options) { o.PerVertex = 1 << 62 }, "expected 1 to 65536"},
		{"walks of one vertex", net, func(o *walks.Options) { o.Length = 1 }, "walks of 1 vertices: expected 2"},
		{"endless walks", net, func(o *walks.Options) { o.Length = 1 << 62 }, "to 65536"},
		{"no links", newNetwork(t, 3, false), func(*walks.Options) {}, "3 vertices and no links"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := ok
			c.edit(&o)
			call.Refused(t, c.want)(walks.NewUniform(c.net, o))
		})
	}
}

// newNetwork returns a network of n vertices named 0 to n-1; ends are its links, two numbers each.
func newNetwork(t testing.TB, n int, directed bool, ends ...int32) *network.Network {
	t.Helper()
	var names []string
	for v := range n {
		names = append(names, fmt.Sprint(v))
	}
	var links []network.Link
	for pair := range slices.Chunk(ends, 2) {
		links = append(links, network.Link{From: pair[0], To: pair[1]})
	}
	net := call.Of(network.New(names, links, nil, directed))(t)
	return net
}

// ring returns a network of n vertices, each linked to the next and the third next.
func ring(t testing.TB, n int) *network.Network {
	var ends []int32
	for v := range int32(n) {
		ends = append(ends, v, (v+1)%int32(n), v, (v+3)%int32(n))
	}
	return newNetwork(t, n, false, ends...)
}

func uniform(t testing.TB, net *network.Network, o walks.Options) *walks.Uniform {
	t.Helper()
	src := call.Of(walks.NewUniform(net, o))(t)
	return src
}
