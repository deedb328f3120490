package symnmf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Two cliques with one link between them: each has a facet of its own, for any seed. The ends of that link have .9 of their
// own, the others nearly all.
func TestFacetsAreBlocks(t *testing.T) {
	const size = 8
	links := []network.Link{{From: 0, To: size}}
	for v := range int32(2 * size) {
		for u := range v {
			if u/size == v/size {
				links = append(links, network.Link{From: u, To: v})
			}
		}
	}
	net := newNetwork(t, 2*size, links)
	for seed := range uint64(10) {
		f := factor(t, net, Options{Facets: 2, Seed: seed}, 1)
		if !f.Converged {
			t.Errorf("seed %d: %d updates and no end", seed, f.Iterations)
		}
		prior := f.Prior()
		for v := range 2 * size {
			own, other := prior[2*v], prior[2*v+1]
			if (prior[0] > prior[1]) != (v < size) {
				own, other = other, own
			}
			if !(own > 0.85) || !(math.Abs(float64(own+other)-1) < 1e-6) {
				t.Errorf("seed %d: vertex %d has prior %v, expected nearly all on its clique's facet", seed, v, prior[2*v:2*v+2])
			}
		}
	}
}

// Golden numbers of numpy 1.24.2 with dense matrices. Vertex 7 has no link: the update halves its row.
//
//	links = [(0,1),(1,2),(2,0),(2,3),(3,4),(4,5),(5,3),(5,6)]
//	A = np.zeros((8, 8))
//	for u, v in links: A[u, v] = A[v, u] = 1
//	H = np.array([[((7*v + 3*k) % 11 + 1) / 11 for k in range(3)] for v in range(8)])
//	for _ in range(25): H = H * (.5 + A @ H / (2 * H @ H.T @ H + 1e-12))
//	print(H, np.linalg.norm(A - H @ H.T)**2)
func TestGoldenUpdates(t *testing.T) {
	net := newNetwork(t, 8, []network.Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}, {From: 2, To: 3}, {From: 3, To: 4}, {From: 4, To: 5}, {From: 5, To: 3}, {From: 5, To: 6}})
	want := []float64{
		1.750702473428e-05, 7.057676950890e-01, 3.641786712326e-01,
		3.767150501452e-05, 7.062773366730e-01, 3.632983869012e-01,
		1.603610236433e-01, 6.956839137559e-01, 5.193900460963e-01,
		7.592974213756e-01, 1.565053341010e-01, 3.118115748128e-01,
		7.537994117037e-01, 2.741024108309e-03, 8.479569082861e-02,
		8.897884894794e-01, 1.526525418982e-03, 6.519843017977e-02,
		4.172616542178e-01, 1.333343764323e-06, 1.065078465406e-03,
		1.625581221147e-08, 2.438371831721e-08, 2.709302035245e-09,
	}
	h := make([]float64, len(want))
	for i := range h {
		h[i] = float64((7*(i/3)+3*(i%3))%11+1) / 11
	}
	s := newSolver(net, 3, 1)
	s.set(h)
	f := call.Of(s.descend(context.Background(), Options{iterations: 25, Tolerance: 1e-300}))(t)
	for i := range want {
		if math.Abs(f.H[i]/want[i]-1) > 1e-10 {
			t.Errorf("H[%d,%d] = %v, expected %v", i/3, i%3, f.H[i], want[i])
		}
	}
	if math.Abs(f.Objective-6.546010157851748) > 1e-10 || f.Iterations != 25 || f.Converged {
		t.Errorf("objective %v, %d updates, converged %v: expected 6.546010157851748, 25, false", f.Objective, f.Iterations, f.Converged)
	}
}

// The sparse objective is the sum over all N² entries, and no update raises it but by rounding.
func TestObjective(t *testing.T) {
	for name, net := range networks(t) {
		for _, k := range []int{1, 2, 5} {
			s := newSolver(net, k, 1)
			s.set(initial(net, k, rng.New(1, "test")))
			last := math.Inf(1)
			for i := range 150 {
				f := s.objective(s.update())
				if i%50 == 0 {
					if want := denseObjective(net, s.h, k); math.Abs(f-want) > 1e-9*want {
						t.Errorf("%s, K=%d, update %d: objective %v, expected %v", name, k, i, f, want)
					}
				}
				if f > last*(1+1e-12) {
					t.Errorf("%s, K=%d: update %d raises the objective from %v to %v", name, k, i, last, f)
				}
				last = f
				s.accept()
			}
		}
	}
}

func denseObjective(net *network.Network, h []float64, k int) (sum float64) {
	for u := range int32(net.Vertices()) {
		for v := range int32(net.Vertices()) {
			var r float64
			if net.Has(u, v) {
				r = 1
			}
			for i := range k {
				r -= h[int(u)*k+i] * h[int(v)*k+i]
			}
			sum += r * r
		}
	}
	return sum
}

// H begins uniform in (0, 2 sqrt(mean(A)/K)): 10,000 numbers come within a hundredth of the ends, and their mean within five
// standard errors of the middle.
func TestInitial(t *testing.T) {
	const n, k, links = 2000, 5, 20000
	h := initial(random(t, n, links, 1), k, rng.New(1, "test"))
	scale := 2 * math.Sqrt(2.*links/n/n/k)
	var sum float64
	for _, x := range h {
		sum += x / scale / (n * k)
	}
	low, high := slices.Min(h)/scale, slices.Max(h)/scale
	if !(low > 0 && low < 0.01 && high > 0.99 && high < 1) || math.Abs(sum-0.5) > 5/math.Sqrt(12*n*k) {
		t.Errorf("from %v to %v, mean %v, in parts of %v: expected 0 to 1, mean 0.5", low, high, sum, scale)
	}
}

func TestThreads(t *testing.T) {
	net := random(t, 5*blockVertices/2, 4000, 3)
	want := factor(t, net, Options{Facets: 3, Seed: 7, iterations: 20}, 1)
	for _, threads := range []int{-1, 2, 5} {
		got := factor(t, net, Options{Facets: 3, Seed: 7, iterations: 20}, threads)
		if !slices.Equal(got.H, want.H) || got.Objective != want.Objective {
			t.Errorf("%d threads: objective %v, expected %v and the same H", threads, got.Objective, want.Objective)
		}
	}
	if other := factor(t, net, Options{Facets: 3, Seed: 8, iterations: 20}, 1); slices.Equal(other.H, want.H) {
		t.Error("another seed gives the same H")
	}
}

// A vertex without links has a row of zeros and all facets alike; other rows are what H has, in proportion.
func TestPrior(t *testing.T) {
	for name, net := range networks(t) {
		f := factor(t, net, Options{Facets: 3}, 1)
		prior := f.Prior()
		for v := range net.Vertices() {
			h, p := f.H[3*v:3*v+3], prior[3*v:3*v+3]
			sum := h[0] + h[1] + h[2]
			for k := range p {
				want := 1.0 / 3
				if net.Degree(int32(v)) > 0 {
					want = h[k] / sum
				}
				if !(h[k] >= 0) || math.Abs(float64(p[k])-want) > 1e-6 {
					t.Errorf("%s: vertex %d has H %v and prior %v", name, v, h, p)
				}
			}
		}
	}
}

func TestFactorRefuses(t *testing.T) {
	ctx := call.Stopped(t)
	net, _ := network.Karate()
	if f, err := Factor(ctx, net, Options{Facets: 2}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v: expected %v", f, err, context.Canceled)
	}
	for facets, want := range map[int]string{0: "0 facets: expected 1 to the number of vertices, 34", 35: "35 facets"} {
		call.Refused(t, want)(Factor(context.Background(), net, Options{Facets: facets}, 1))
	}
}

// networks returns one with a core, one of a few components, and a random one with vertices without links.
func networks(t *testing.T) map[string]*network.Network {
	karate, _ := network.Karate()
	return map[string]*network.Network{
		"karate":     karate,
		"components": newNetwork(t, 9, []network.Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}, {From: 3, To: 4}, {From: 5, To: 6}, {From: 6, To: 7}}),
		"random":     random(t, 60, 80, 2),
	}
}

// random returns a network of n vertices and that many random links.
func random(t testing.TB, n, links int, seed uint64) *network.Network {
	stream := rng.New(seed, "test")
	have := map[network.Link]bool{}
	var list []network.Link
	for len(list) < links {
		u, v := int32(stream.Intn(n)), int32(stream.Intn(n))
		if l := (network.Link{From: min(u, v), To: max(u, v)}); u != v && !have[l] {
			have[l] = true
			list = append(list, l)
		}
	}
	return newNetwork(t, n, list)
}

func newNetwork(t testing.TB, n int, links []network.Link) *network.Network {
	t.Helper()
	names := make([]string, n)
	for v := range names {
		names[v] = fmt.Sprint(v)
	}
	return call.Of(network.New(names, links, nil, false))(t)
}

func factor(t testing.TB, net *network.Network, o Options, threads int) *Factorization {
	t.Helper()
	return call.Of(Factor(context.Background(), net, o, threads))(t)
}
