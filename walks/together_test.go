package walks

import (
	"fmt"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// randomNetwork returns a network of n vertices, about as many random links as asked for and a self-loop; the last fifth of
// the vertices of a directed one are sinks. Weights, if any, are 1/2 to 4.
func randomNetwork(t testing.TB, n, links int, directed, weighted bool, seed uint64) *network.Network {
	t.Helper()
	s := rng.New(seed, "test network")
	var list []network.Link
	var weights []float32
	names := make([]string, n)
	for v := range names {
		names[v] = fmt.Sprint(v)
	}
	from := n
	if directed {
		from = n - n/5
	}
	for i := range links {
		link := network.Link{From: int32(s.Intn(from)), To: int32(s.Intn(n))}
		if i == 0 {
			link.To = link.From
		}
		list = append(list, link)
		if weighted {
			weights = append(weights, float32(1+s.Intn(8))/2)
		}
	}
	return call.Of(network.New(names, list, weights, directed))(t)
}

// Walks drawn together are those drawn one by one, bit for bit: in any order, in groups that are not full, with walks that
// end early beside walks that do not.
func TestTogetherDrawsTheSameWalks(t *testing.T) {
	for _, directed := range []bool{false, true} {
		net := randomNetwork(t, 60, 150, directed, true, 1)
		for name, src := range togetherSources(t, net, Options{PerVertex: 3, Length: 12, Seed: 7}) {
			t.Run(fmt.Sprintf("%s/directed=%v", name, directed), func(t *testing.T) {
				order := newPermutation(uint64(src.Walks()), rng.NewKey(1, "test"))
				number := func(j int) int { return int(order.at(uint64(j))) }
				lengths := map[int]bool{}
				for _, bounds := range [][2]int{{0, src.Walks()}, {0, 1}, {5, 5 + lanes}, {3, 3 + 2*lanes + 5}, {4, 4}} {
					next := bounds[0]
					for j, walk := range eachWalk(src, bounds[0], bounds[1], number) {
						want := src.Walk(number(j), nil)
						if u, ok := src.(*Uniform); ok {
							want = plain(u, number(j))
						}
						if j != next || !slices.Equal(walk, want) {
							t.Fatalf("place %d: walk %d is %v, expected place %d, %v", j, number(j), walk, next, want)
						}
						lengths[len(walk)] = true
						next++
					}
					if next != bounds[1] {
						t.Errorf("walks up to place %d, expected %d", next, bounds[1])
					}
				}
				if directed != (len(lengths) > 1) {
					t.Errorf("lengths %v: the test does not test what it says", lengths)
				}
				for j := range eachWalk(src, 0, src.Walks(), number) { // a loop may be left
					if j == lanes+3 {
						break
					}
				}
			})
		}
	}
}

// togetherSources returns a source of each kind that draws walks together.
func togetherSources(t *testing.T, net *network.Network, o Options) map[string]Source {
	t.Helper()
	u := call.Of(NewUniform(net, o))(t)
	return map[string]Source{"uniform": u, "node2vec": newNode2Vec(t, net, o, 0.25, 4)}
}

// plain is the uniform walk in the plainest way.
func plain(u *Uniform, i int) []int32 {
	stream, v := u.begin(i)
	walk := []int32{v}
	for len(walk) < u.o.Length && len(u.net.Out(v)) > 0 {
		next := u.net.Out(v)
		v = next[stream.Intn(len(next))]
		walk = append(walk, v)
	}
	return walk
}
