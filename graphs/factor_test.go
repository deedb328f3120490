package graphs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/mat"
)

// factorGolden is what testdata/factor.py writes.
type factorGolden struct {
	Vertices int
	Networks map[string]struct {
		Links    [][2]int32
		Weights  []float32
		Directed bool
	}
	Cases []struct {
		Method, Network string
		Options         map[string]any
		Products        [][]float64 // (N,N) inner products of vectors
	}
	Bessel []struct {
		N        int
		X, Value float64
	}
}

func readFactorGolden(t *testing.T) (g factorGolden) {
	t.Helper()
	text, err := os.ReadFile("testdata/factor.json")
	if err == nil {
		err = json.Unmarshal(text, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// network is one of those of the file, with a vertex at another place by order; nil for none.
func (g factorGolden) network(t *testing.T, name string, order []int) *network.Network {
	t.Helper()
	of := g.Networks[name]
	links := make([]network.Link, len(of.Links))
	names := make([]string, g.Vertices)
	for v := range names {
		names[v] = strconv.Itoa(v)
	}
	for i, l := range of.Links {
		links[i] = network.Link{From: l[0], To: l[1]}
		if order != nil {
			links[i] = network.Link{From: int32(order[l[0]]), To: int32(order[l[1]])}
		}
	}
	return call.Of(network.New(names, links, of.Weights, of.Directed))(t)
}

// embedded returns the vectors that a method makes of a network.
func embedded(t *testing.T, method string, net *network.Network, options map[string]any) Embedding {
	t.Helper()
	o := defaults(method, Validated)
	for key, value := range options {
		if x, ok := value.(float64); ok {
			if declared, _ := o.Get(key); declared != nil {
				if _, whole := declared.(int); whole {
					value = int(x)
				}
			}
		}
		call.OK(t, o.Set(key, value))
	}
	r := trainOn(t, Input{Network: net}, o, 2, Monitor{})
	return *r.Embedding
}

// products returns the inner products (N,N) of final vectors, or of those of sources with those of targets where there are two sides.
func products(e Embedding) [][]float64 {
	n := len(e.Final) / e.D
	source, target := e.Final, e.Final
	if e.Center != nil {
		source, target = e.Center, e.Vectors
	}
	all := make([][]float64, n)
	for u := range n {
		all[u] = make([]float64, n)
		for v := range n {
			for i := range e.D {
				all[u][v] += float64(source[u*e.D+i]) * float64(target[v*e.D+i])
			}
		}
	}
	return all
}

func sameProducts(t *testing.T, what string, got, want [][]float64) {
	t.Helper()
	for u := range want {
		if !Near(got[u], want[u], 1, 1e-5) {
			t.Errorf("%s: products of vertex %d %v, expected %v", what, u, got[u], want[u])
		}
	}
}

// Vectors are those of numpy, on networks with weights and directions too.
func TestFactorisationsGolden(t *testing.T) {
	g := readFactorGolden(t)
	for _, c := range g.Cases {
		net := g.network(t, c.Network, nil)
		if c.Method == "ppr" && net.Directed() { // beside its sides, vectors without directions have a share of the dimensions
			c.Options = maps.Clone(c.Options)
			c.Options["dim"] = 8 // 3 + 3 + 2 for 3 + 3
		}
		e := embedded(t, c.Method, net, c.Options)
		sameProducts(t, c.Method+" of "+c.Network, products(e), c.Products)
	}
	for _, c := range g.Bessel {
		if got := besselI(c.N, c.X); !(math.Abs(got-c.Value) <= 1e-12*max(1, c.Value)) {
			t.Errorf("I_%d(%v) = %v, expected %v", c.N, c.X, got, c.Value)
		}
	}
}

// Which vertex comes first, the unit of weights and dimensions that a network is too small for change nothing; a vertex without links has a
// vector of zeros; threads change no byte.
func TestFactorisationsKeep(t *testing.T) {
	g := readFactorGolden(t)
	order := []int{3, 7, 0, 9, 1, 4, 8, 2, 6, 5}
	for _, method := range []string{"prone", "ppr"} {
		options := map[string]any{"dim": 4}
		plain := embedded(t, method, g.network(t, "weighted", nil), options)
		if alone := plain.Final[9*plain.D:]; slices.Min(alone) != 0 || slices.Max(alone) != 0 {
			t.Errorf("%s: the vertex without links has %v", method, alone)
		}
		moved := products(embedded(t, method, g.network(t, "weighted", order), options))
		back := make([][]float64, len(moved))
		for u := range back {
			back[u] = make([]float64, len(moved))
			for v := range back[u] {
				back[u][v] = moved[order[u]][order[v]]
			}
		}
		sameProducts(t, method+", vertices in another order", back, products(plain))
		weighted := g.Networks["weighted"]
		for i := range weighted.Weights {
			weighted.Weights[i] *= 8
		}
		sameProducts(t, method+", weights in another unit", products(embedded(t, method, g.network(t, "weighted", nil), options)), products(plain))
		wide := embedded(t, method, g.network(t, "plain", nil), map[string]any{"dim": 12})
		if len(wide.Final) != 120 || slices.ContainsFunc([]int{10, 11, 118, 119}, func(i int) bool { return wide.Final[i] != 0 }) {
			t.Errorf("%s in more dimensions than vertices: %v", method, wide.Final)
		}
	}
	bigger := planted(t, 600)
	for _, method := range []string{"prone", "ppr"} {
		o := defaults(method, Standard)
		o.Dim = 16
		var first *Result
		for _, threads := range []int{1, 2, 5} {
			r := trainOn(t, Input{Network: bigger}, o, threads, Monitor{})
			if first == nil {
				first = r
			}
			if !slices.Equal(r.Embedding.Final, first.Embedding.Final) {
				t.Errorf("%s: %d threads give other bytes", method, threads)
			}
		}
		if n := first.Parameters(); n != 600*16 || first.Stages != nil || first.Took <= 0 {
			t.Errorf("%s: %d parameters, stages %v, took %v", method, n, first.Stages, first.Took)
		}
	}
}

func planted(t *testing.T, vertices int) *network.Network {
	t.Helper()
	return call.Of(network.PlantedOptions{Vertices: vertices, Communities: 10, Memberships: 2, MeanDegree: 8, Mixing: 0.1, Seed: 1}.Generate())(t).Network
}

// Vectors of a subspace are those of the whole decomposition where singular values fall.
func TestTruncatedSVD(t *testing.T) {
	const n, rank = 40, 3
	a := make([]float64, n*n) // a sum of products of orthogonal columns with singular values 1, 1/2, 1/4, ...
	for i := range n {
		for u := range n {
			for v := range n {
				a[u*n+v] += math.Pow(0.5, float64(i)) * cosine(u, i, n) * cosine(v, (i+1)%n, n)
			}
		}
	}
	across := make([]float64, n*n)
	for u := range n {
		for v := range n {
			across[v*n+u] = a[u*n+v]
		}
	}
	m := factorized{n, n, func(x []float64, k int) []float64 { return rightTimes(a, n, n, x, k, 2) }, func(x []float64, k int) []float64 { return rightTimes(across, n, n, x, k, 2) }}
	x := call.Of(truncatedSVD(context.Background(), m, rank, 100, 1e-14, 7, 2))(t)
	for i := range rank {
		for v := range n {
			got, want := x[v*rank+i], math.Pow(0.5, float64(i)/2)*cosine(v, i, n)
			if math.Abs(math.Abs(got)-math.Abs(want)) > 1e-9 {
				t.Errorf("number %d of vector %d is %v, expected %v but for its sign", i, v, got, want)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	call.Refused(t, "canceled")(truncatedSVD(ctx, m, rank, 100, 0, 7, 2))
	a[0] = math.NaN()
	call.Refused(t, "expected finite numbers")(truncatedSVD(context.Background(), m, rank, 100, 0, 7, 2))
}

// cosine is number v of column i of the discrete cosine transform, whose columns are orthonormal.
func cosine(v, i, n int) float64 {
	c := math.Sqrt(2/float64(n)) * math.Cos(math.Pi*(float64(v)+0.5)*float64(i)/float64(n))
	if i == 0 {
		c /= math.Sqrt2
	}
	return c
}

// Of ten numbers of a vertex of a directed network three are its final vector: with those of other vertices
// the nearest positive matrix of rank three to that which all numbers come to of the network without
// directions.
func TestPPRWithoutDirections(t *testing.T) {
	g := readFactorGolden(t)
	net := g.network(t, "directed", nil)
	n := net.Vertices()
	e := embedded(t, "ppr", net, map[string]any{"dim": 10})
	var near mat.EigenSym
	l := mat.NewSymDense(n, nil)
	for u, row := range products(embedded(t, "ppr", net.Undirected(), map[string]any{"dim": n})) {
		for v, x := range row {
			l.SetSym(u, v, x)
		}
	}
	if !near.Factorize(l, true) {
		t.Fatal("no eigenvalues")
	}
	var vectors mat.Dense
	near.VectorsTo(&vectors)
	want := make([][]float64, n)
	for u := range want {
		want[u] = make([]float64, n)
		for v := range want {
			for j, x := range near.Values(nil)[n-3:] {
				want[u][v] += max(x, 0) * vectors.At(u, n-3+j) * vectors.At(v, n-3+j)
			}
		}
	}
	e.Center = nil
	sameProducts(t, "without directions", products(e), want)
}

// Half of the dimensions of a directed network are for sources, half for targets: one is too few.
func TestPPROfOneDimension(t *testing.T) {
	arcs := newNetwork(t, 3, true, network.Link{From: 0, To: 1}, network.Link{From: 1, To: 2})
	o := defaults("ppr", Standard)
	for dim, want := range map[int]string{1: "dim = 1: expected 2 or more", 2: ""} {
		o.Dim = dim
		_, err := Train(t.Context(), Input{Network: arcs}, o, 1, Monitor{})
		if text := fmt.Sprint(err); (err != nil) != (want != "") || !strings.Contains(text, want) {
			t.Errorf("dim %d: error %v, expected %q", dim, err, want)
		}
	}
}

// A third of the vertices as landmarks comes near what all come to, less so where each link has one direction and vectors half of the dimensions; other seeds have other landmarks.
func TestLandmarks(t *testing.T) {
	whole := planted(t, 600)
	arcs := call.Of(network.New(whole.Names(), whole.List(), nil, true))(t)
	for name, net := range map[string]*network.Network{"undirected": whole, "directed": arcs} {
		o := defaults("ppr", Standard)
		o.Dim = 40
		of := func(landmarks int, seed uint64) [][]float64 {
			Edit(&o, func(own *PageRankOptions) { own.Landmarks = landmarks })
			o.Seed = seed
			r := trainOn(t, Input{Network: net}, o, 2, Monitor{})
			return products(*r.Embedding)
		}
		apart := func(a, b [][]float64) (sum float64) {
			for u := range a {
				for v, x := range a[u] {
					sum += (x - b[u][v]) * (x - b[u][v])
				}
			}
			return math.Sqrt(sum)
		}
		all, none := of(600, 1), make([][]float64, 600)
		for u := range none {
			none[u] = make([]float64, 600)
		}
		some := of(200, 1)
		if x := apart(all, some) / apart(all, none); x > map[string]float64{"undirected": 0.1, "directed": 0.5}[name] {
			t.Errorf("%s: products with a third of the landmarks are %.3f of their length away from those with all", name, x)
		}
		if other := of(200, 2); apart(some, other) == 0 {
			t.Errorf("%s: another seed has the same landmarks", name)
		}
	}
}
