package walks_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

var update = flag.Bool("update", false, "write testdata anew")

// A corpus on a network of five vertices, frozen: records of runs depend on it.
func TestGoldenWalks(t *testing.T) {
	var b strings.Builder
	for _, directed := range []bool{false, true} {
		// A square with a diagonal and a tail; directed, vertex 4 is a sink.
		net := walks.Linked(t, 5, directed, nil, 0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 2, 4)
		for seed := range uint64(2) {
			fmt.Fprintf(&b, "# directed %v, seed %d\n", directed, seed)
			src := uniform(t, net, walks.Options{PerVertex: 2, Length: 10, Seed: seed})
			for i := range src.Walks() {
				fmt.Fprintln(&b, strings.Trim(fmt.Sprint(src.Walk(i, nil)), "[]"))
			}
		}
	}
	frozen(t, "testdata/walks.golden", b.String())
}

// frozen fails unless a text is that of a file, which is written anew with -update.
func frozen(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		call.OK(t, os.WriteFile(file, []byte(got), 0o644))
	}
	if want := string(call.Of(os.ReadFile(file))(t)); got != want {
		t.Errorf("walks are\n%s\nwant (%s; -update after a change that is meant)\n%s", got, file, want)
	}
}

// Rounds over the vertices with an out-neighbour, in increasing order; each step is a link; a walk is short only if it ends
// in a sink. Both networks have a self-loop, which a walk may take, and the directed one has sinks.
func TestUniformWalks(t *testing.T) {
	for _, directed := range []bool{false, true} {
		net := walks.Linked(t, 7, directed, nil, 0, 1, 1, 2, 2, 0, 2, 2, 3, 4, 1, 5, 6, 0)
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
	net := walks.Linked(t, 7, false, []float32{1, 2, 3, 4, 5, 100}, 6, 0, 6, 1, 6, 2, 6, 3, 6, 4, 6, 5)
	src := uniform(t, net, walks.Options{PerVertex: 3000, Length: 3, Seed: 1})
	var first, later [6]float64
	for i := range src.Walks() {
		if walk := src.Walk(i, nil); walk[0] == 6 {
			first[walk[1]]++
		} else {
			later[walk[2]]++
		}
	}
	walks.CheckCounts(t, "first steps", first[:], nil)
	walks.CheckCounts(t, "later steps", later[:], nil)
}

func TestStoreIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := walks.Store(ctx, uniform(t, ring(t, 10), walks.Options{PerVertex: 1, Length: 4}), 2); err != context.Canceled {
		t.Errorf("got %v, %v: expected %v", s, err, context.Canceled)
	}
}

func TestNewUniformRefuses(t *testing.T) {
	refused := func(want string, net *network.Network, perVertex, length int) {
		call.Refused(t, want)(walks.NewUniform(net, walks.Options{PerVertex: perVertex, Length: length}))
	}
	net := ring(t, 5)
	refused("0 walks per vertex", net, 0, 80)
	refused("expected 1 to 65536", net, 1<<62, 80)
	refused("walks of 1 vertices: expected 2", net, 10, 1)
	refused("to 65536", net, 10, 1<<62)
	refused("3 vertices and no links", walks.Linked(t, 3, false, nil), 10, 80)
}

// ring returns a network of n vertices, each linked to the next and the third next.
func ring(t testing.TB, n int) *network.Network {
	var ends []int32
	for v := range int32(n) {
		ends = append(ends, v, (v+1)%int32(n), v, (v+3)%int32(n))
	}
	return walks.Linked(t, n, false, nil, ends...)
}

func uniform(t testing.TB, net *network.Network, o walks.Options) *walks.Uniform {
	t.Helper()
	return call.Of(walks.NewUniform(net, o))(t)
}
