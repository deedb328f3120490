package aspects

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

func mustNew(t *testing.T, n int, links []network.Link, weights []float32, directed bool) *network.Network {
	t.Helper()
	return call.Of(network.New(seq.Map(seq.Upto(n), strconv.Itoa), links, weights, directed))(t)
}

func mustFind(t *testing.T, net *network.Network, final eval.Embedding, threads int) *Aspects {
	t.Helper()
	return call.Of(Find(t.Context(), net, final, threads, nil))(t)
}

func randomVectors(n, d int, seed uint64) eval.Embedding {
	e, r := eval.Embedding{N: n, D: d, Data: make([]float32, n*d)}, rng.New(seed, "test")
	for i := range e.Data {
		e.Data[i] = float32(r.Normal())
	}
	return e
}

// several returns how many aspects each vertex has.
func (a *Aspects) several() []int32 {
	return seq.Map(seq.Upto(int32(a.Vectors.N())), func(v int32) int32 { return a.Vectors.First[v+1] - a.Vectors.First[v] })
}

// A program of its own, by other means, has the same groups at first, and the same mixture of communities and what is kept of it.
func TestFindAgainstPython(t *testing.T) {
	text := call.Of(os.ReadFile("testdata/aspects.json"))(t) // by aspects.py
	var cases []struct {
		Name               string
		N                  int
		Directed           bool
		Links, First, Kept [][]int32 // First, Kept: a vertex, its neighbour, the link's group or community
		Plain              []bool
		Weights            []float32
		Final              [][]float32
		Shares             [][]float64
	}
	call.OK(t, json.Unmarshal(text, &cases))
	for _, c := range cases {
		links := seq.Map(c.Links, func(l []int32) network.Link { return network.Link{From: l[0], To: l[1]} })
		net := mustNew(t, c.N, links, c.Weights, c.Directed).Simple()
		points := pointsOf(net, eval.Embedding{N: c.N, D: len(c.Final[0]), Data: slices.Concat(c.Final...)})
		first, community := make([][]int32, c.N), make([][]int32, c.N)
		err := net.Egos(t.Context(), 1, func(_ int, ego *network.Ego) {
			var p parter
			v, near := ego.Vertex, net.Out(ego.Vertex)
			p.load(points, ego, near, func(i int) bool { return net.Degree(near[i]) == 1 })
			of, plain := p.begin()
			if plain != c.Plain[v] {
				t.Errorf("%s: groups of %d are plain: %v, expected %v", c.Name, v, plain, c.Plain[v])
			}
			first[v] = of
			community[v] = seq.Map(of, func(k int32) int32 { return (v + k) % 4 })
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := slices.Concat(first...), seq.Map(c.First, func(f []int32) int32 { return f[2] }); !slices.Equal(got, want) {
			t.Errorf("%s: links in groups %v at first, expected %v", c.Name, got, want)
		}
		m := newMixture(net, community, 4, 2)
		for range mixtureRounds {
			m.round()
		}
		ends := 0
		for v := range c.N {
			got := make([]float64, 4)
			for _, s := range m.of[v] {
				got[s.community] = s.links
			}
			for k, want := range c.Shares[v] {
				if math.Abs(got[k]-want) > 1e-7 {
					t.Errorf("%s: vertex %d has %v links in community %d, expected %v", c.Name, v, got[k], k, want)
				}
			}
			for i, k := range m.keep(0, int32(v), c.Plain[v], Most) {
				if want := c.Kept[ends]; k != want[2] {
					t.Errorf("%s: link of %d to %d in community %d, expected %v", c.Name, v, net.Out(int32(v))[i], k, want)
				}
				ends++
			}
		}
	}
}

// around is vertex 0 with groups of neighbours whose vectors are apart, each linked with all others of its group. The last vertex has a vector as those of the first group,
// and is linked with the last group's; not with 0. All others have no link.
func around(t *testing.T, groups, size int) (*network.Network, eval.Embedding) {
	t.Helper()
	final, n := randomVectors(2*groups*size+2, 8, 3), int32(groups*size+1)
	var links []network.Link
	for v := int32(1); v <= n; v++ {
		group := min((int(v)-1)/size, groups-1)
		for j := range final.D {
			final.Row(int(v))[j] *= 0.1
		}
		if v < n {
			final.Row(int(v))[group] += 2
			links = append(links, network.Link{From: v, To: 0})
		} else {
			final.Row(int(v))[0] += 2
		}
		for u := int32(1 + group*size); u < v; u++ {
			links = append(links, network.Link{From: u, To: v})
		}
	}
	return mustNew(t, final.N, links, nil, false), final
}

func TestFindGroupsOfNeighbours(t *testing.T) {
	for groups := int32(2); groups <= 4; groups++ {
		const size = 7
		net, final := around(t, int(groups), size)
		a, last := mustFind(t, net, final, 1), groups*size+1
		for v := int32(1); v < last; v++ {
			if of := a.To(0, v); of != (v-1)/size {
				t.Errorf("%d groups: %d is in aspect %d of 0", groups, v, of)
			}
			if n := a.several()[v]; n != 1 && (v-1)/size != groups-1 {
				t.Errorf("%d groups: vertex %d has %d aspects, expected one", groups, v, n)
			}
			if a.ByGroup(0, v) != a.ByGroup(v, 0) {
				t.Errorf("%d groups: aspects of 0 and %d are in groups %d and %d", groups, v, a.ByGroup(0, v), a.ByGroup(v, 0))
			}
		}
		if n, of := a.several()[0], a.To(0, last); n != groups || of != groups-1 {
			t.Errorf("%d groups: %d aspects, and the last vertex would be in %d, expected %d", groups, n, of, groups-1)
		}
		near := call.Of(a.Near(t.Context(), 0, groups, size, 2))(t)
		for k, list := range near {
			for _, n := range list {
				if n.Row != last && (n.Row == 0 || (n.Row-1)/size != int32(k)) {
					t.Errorf("%d groups: vertex %d is among the %d nearest aspect %d", groups, n.Row, size, k)
				}
			}
		}
	}
}

// Where nothing speaks for more a vertex has one aspect.
func TestFindOneAspect(t *testing.T) {
	clique, star := []network.Link(nil), []network.Link(nil)
	for v := range int32(40) {
		star = append(star, network.Link{From: 0, To: v + 1})
		for u := range v {
			clique = append(clique, network.Link{From: u, To: v})
		}
	}
	constant := func(n int) eval.Embedding {
		return eval.Embedding{N: n, D: 3, Data: slices.Repeat([]float32{0.1, -0.7, 1e-3}, n)}
	}
	alike := constant(41)
	alike.Data[1] = 5
	for name, c := range map[string]struct {
		net   *network.Network
		final eval.Embedding
	}{
		"clique":        {mustNew(t, 40, clique, nil, false), randomVectors(40, 4, 1)},
		"leaves alike":  {mustNew(t, 41, star, nil, false), alike},
		"random leaves": {mustNew(t, 41, star, nil, false), randomVectors(41, 32, 1)},
		"two links":     {mustNew(t, 3, star[:2], nil, false), randomVectors(3, 2, 1)},
	} {
		if a := mustFind(t, c.net, c.final, 2); slices.Max(a.several()) != 1 || slices.Min(a.several()) != 1 || slices.Max(slices.Concat(a.Of...)) != 0 {
			t.Errorf("%s: %v aspects, expected one each", name, a.several())
		}
	}
}

// How often and in which direction a link is given, and threads make no difference.
func TestFindInvariance(t *testing.T) {
	net := call.Of(network.PlantedOptions{Vertices: 150, Communities: 6, Memberships: 2, MeanDegree: 10, Mixing: .3, Seed: 1}.Generate())(t).Network
	n := net.Vertices()
	final := randomVectors(n, 6, 2)
	want := mustFind(t, net, final, 1)
	if slices.Max(want.several()) < 3 {
		t.Errorf("%v aspects: expected several", want.several())
	}
	for _, threads := range []int{0, 2, 5} {
		if got := mustFind(t, net, final, threads); !reflect.DeepEqual(got.Vectors, want.Vectors) || !reflect.DeepEqual(got.Of, want.Of) || !slices.Equal(got.Group, want.Group) {
			t.Errorf("%d threads give other aspects than one", threads)
		}
	}
	var back []network.Link
	for i, l := range net.List() {
		back = append(back, network.Link{From: l.To, To: l.From})
		if i%2 == 0 {
			back = append(back, l, l, network.Link{From: l.To, To: l.To})
		}
	}
	if got := mustFind(t, mustNew(t, n, back, nil, true), final, 1); !reflect.DeepEqual(got.Vectors, want.Vectors) || !reflect.DeepEqual(got.Of, want.Of) {
		t.Error("links given in the other direction, or twice, give other aspects")
	}
}

// Trained vectors of a network without communities have one aspect of most vertices; where vertices are in one or two communities aspects are these.
func TestFindOnTrainedVectors(t *testing.T) {
	for _, o := range []network.PlantedOptions{
		{Vertices: 300, Communities: 1, Memberships: 1, MeanDegree: 8, Mixing: 1, Seed: 1},
		{Vertices: 500, Communities: 25, Memberships: 2, MeanDegree: 16, Seed: 1},
	} {
		planted := call.Of(o.Generate())(t)
		model := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
		model.PairsPerVertex, model.Dim = 1000, 16
		r := call.Of(graphs.Train(t.Context(), graphs.Input{Network: planted.Network}, model, 2, graphs.Monitor{}))(t)
		a := mustFind(t, planted.Network, eval.Embedding{N: planted.Network.Vertices(), D: r.Embedding.D, Data: r.Embedding.Final}, 2)
		var in, several [3]int // vertices by how many communities they are in, and those of them with several aspects
		for v, k := range a.several() {
			c := len(planted.Memberships[v])
			if in[c]++; k > 1 {
				several[c]++
			}
		}
		if o.Mixing == 1 {
			if several[1] > in[1]*2/5 {
				t.Errorf("random network: %d of %d vertices have several aspects", several[1], in[1])
			}
			continue
		}
		if several[2] < in[2]*9/10 {
			t.Errorf("%d of %d vertices of two communities have several aspects", several[2], in[2])
		}
		at := call.Of(ByOrigin(planted.Network.Names(), planted.LinkOrigins(), func(_, _ int32) bool { return true }))(t)
		within, err := Within(at, a.To, 1)
		overall, err2 := Overall(at, a.ByGroup, 1)
		if err != nil || err2 != nil || within.Adjusted() < .8 || overall.Adjusted() < .8 {
			t.Errorf("aspects %+v, groups %+v (%v, %v): expected the communities", within, overall, err, err2)
		}
	}
}

// A table has a line for each end of a link.
func TestWriteAspects(t *testing.T) {
	a := mustFind(t, mustNew(t, 4, []network.Link{{From: 0, To: 1}, {From: 1, To: 2}}, nil, false), randomVectors(4, 2, 1), 1)
	a.Of[1][1], a.Vectors.First, a.Group = 1, []int32{0, 1, 3, 4, 4}, []int32{0, 0, 1, 1} // as if 1 had two
	var b strings.Builder
	err := a.Write(&b, []string{"a", "b c", "d", "e"})
	if lines := strings.Split(b.String(), "\n"); err != nil || fmt.Sprintf("%q", lines) !=
		`["vertex\tneighbour\taspect\tgroup" "a\tb\\sc\t1\t1" "b\\sc\ta\t1\t1" "b\\sc\td\t2\t2" "d\tb\\sc\t1\t2" ""]` {
		t.Errorf("%q (%v)", lines, err)
	}
	if laid := a.Laid([]int32{2}, 1, 2); laid.N != 2 || !slices.Equal(laid.Row(0), a.points.Row(2)) || !slices.Equal(laid.Row(1), a.Vectors.Data[2:4]) {
		t.Errorf("laid out %v", laid)
	}
}
