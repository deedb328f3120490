package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/network"
)

func dgiOptions() Options {
	o := defaults(MethodDGI, Validated)
	o.Dim, o.LearningRate = 8, 1e-2
	return o
}

func newNetwork(t testing.TB, vertices int, directed bool, links ...network.Link) *network.Network {
	t.Helper()
	names := make([]string, vertices)
	for v := range names {
		names[v] = fmt.Sprint(v)
	}
	return call.Of(network.New(names, links, nil, directed))(t)
}

// cliques are two of the given size, joined by one link.
func cliques(t testing.TB, size int) *network.Network {
	links, n := clique(int32(size)), int32(size)
	for _, l := range clique(n) {
		links = append(links, network.Link{From: l.From + n, To: l.To + n})
	}
	return newNetwork(t, 2*size, false, append(links, network.Link{From: 0, To: n})...)
}

func newTestDGI(t testing.TB, net *network.Network, f *network.Features, o Options, threads int) *dgi {
	t.Helper()
	return call.Of(newDGI(net, f, o, threads))(t)
}

// epochs trains epochs from to to, and returns their losses.
func (d *dgi) epochs(t testing.TB, from, to int) (losses []float64) {
	t.Helper()
	for n := from; n <= to; n++ {
		steps := 0
		err := d.Epoch(context.Background(), n, func(pairs int64, l engine.Loss) {
			steps++
			losses = append(losses, l.Pairs)
			if pairs != d.Pairs() || l.Penalty != 0 {
				t.Errorf("epoch %d: a step of %d vertices with loss %v: expected %d, and no penalty", n, pairs, l, d.Pairs())
			}
		})
		if err != nil || steps != 1 {
			t.Fatalf("epoch %d: %d steps, error %v", n, steps, err)
		}
	}
	return losses
}

// TestGoldenDGI compares loss and embedding with numpy's (1.24), of a directed network with a link both ways and a self-loop,
// and features of which a row is zero and a row adds up to more than 1:
//
//	A = np.zeros((5, 5))
//	for u, v in [(0, 1), (1, 0), (1, 2), (2, 2), (3, 2), (0, 3), (4, 0)]: A[u, v] = A[v, u] = 1
//	np.fill_diagonal(A, 1); s = 1/np.sqrt(A.sum(1)); A = A*s[:, None]*s
//	X = np.array([[1, 0, 1], [0, 2, 0], [0, 0, 0], [1, 1, 2], [0, 0, 3.]])
//	r = X.sum(1, keepdims=True); X = X/np.where(r > 0, r, 1)
//	W = np.array([[.5, -.4], [-.3, .8], [.2, -.6]]); b = np.array([.1, -.05]); M = np.array([[.7, -.2], [.4, .9]])
//	enc = lambda X: (lambda Z: np.where(Z > 0, Z, .25*Z))(A@X@W + b)
//	H, G = enc(X), enc(X[[2, 0, 4, 1, 3]]); c = 1/(1+np.exp(-H.mean(0))); sp = lambda x: np.log1p(np.exp(x))
//	(sp(-(H@M@c + .3)).sum() + sp(G@M@c + .3).sum())/10, H
//
// and all parameters after three steps of Adam, whose gradients are central differences of that loss, in float64.
func TestGoldenDGI(t *testing.T) {
	var links []network.Link
	for _, l := range [][2]int32{{0, 1}, {1, 0}, {1, 2}, {2, 2}, {3, 2}, {0, 3}, {4, 0}} {
		links = append(links, network.Link{From: l[0], To: l[1]})
	}
	net := newNetwork(t, 5, true, links...)
	f := &network.Features{
		Columns: 3, Offsets: []int64{0, 2, 3, 3, 6, 7}, Index: []int32{0, 2, 1, 0, 1, 2, 2}, Value: []float32{1, 1, 2, 1, 1, 2, 3},
	}
	o := dgiOptions()
	o.Dim = 2
	d := newTestDGI(t, net, f, o, 2)
	copy(d.tables[dgiWeight].X, []float32{.5, -.4, -.3, .8, .2, -.6})
	copy(d.tables[dgiBias].X, []float32{.1, -.05})
	copy(d.tables[dgiMatch].X, []float32{.7, -.2, .4, .9})
	d.tables[dgiOffset].X[0] = .3
	copy(d.order, []int{2, 0, 4, 1, 3})
	loss := call.Of(d.run())(t)
	want := []float64{.2149094079294328, -.05348173839976911, .1010362971081845, .0723290993692603, .05, .15,
		.25103629710818454, -.06525105849101828, .3237436867076458, -.1316941738241592}
	e := embeddingOf(t, d)
	compare := func(what string, got []float32, want []float64) {
		t.Helper()
		wide := make([]float64, len(got))
		for i, x := range got {
			wide[i] = float64(x)
		}
		if err := gradcheck.Compare(what, wide, want, 1e-6); err != nil {
			t.Error(err)
		}
	}
	compare("loss", []float32{float32(loss)}, []float64{.7018024057929437})
	compare("embedding", e.Final, want)
	if e.D != 2 || e.Center != nil || e.Vectors != nil {
		t.Errorf("%+v: expected vectors of two numbers and nothing else", e)
	}
	for _, order := range [][]int{{2, 0, 4, 1, 3}, {1, 2, 3, 4, 0}, {4, 3, 2, 0, 1}} {
		copy(d.order, order)
		if _, err := d.run(); err != nil {
			t.Fatal(err)
		}
		d.move()
	}
	compare("W", d.tables[dgiWeight].X, []float64{.4703842407149643, -.3717086281665196, -.32627783021975404, .8104023321111853, .1702418587930451,
		-.6283720901069391})
	compare("b", d.tables[dgiBias].X, []float64{.07089719212838534, -.07679091131137919})
	compare("slope", d.tables[dgiSlope].X, []float64{.25741633236056827})
	compare("M", d.tables[dgiMatch].X, []float64{.6719530908404739, -.22805660324535448, .4252338751895769, .9252468467610917})
	compare("offset", d.tables[dgiOffset].X, []float64{.270062196259222})
}

// TestDGILearns: two cliques are soon told from the same with features mixed up, from the log 2 of a guess.
func TestDGILearns(t *testing.T) {
	d := newTestDGI(t, cliques(t, 20), nil, dgiOptions(), 2)
	losses := d.epochs(t, 1, 300)
	if first := losses[0]; math.Abs(first-math.Ln2) > 0.1 {
		t.Errorf("loss %.3f at first, expected about log 2", first)
	}
	if lowest := slices.Min(losses); lowest > 0.3 {
		t.Errorf("lowest loss %.3f after 300 epochs, expected less than 0.3", lowest)
	}
	for i, p := range d.Parameters() {
		if fresh := newTestDGI(t, cliques(t, 20), nil, dgiOptions(), 1); slices.Equal(p.X, fresh.Parameters()[i].X) {
			t.Errorf("%s has not moved", p.Name)
		}
	}
}

// arcs is a directed network with an arc both ways, a self-loop, and a vertex that points to none.
func arcs(t *testing.T) *network.Network {
	return newNetwork(t, 5, true, network.Link{From: 0, To: 1}, network.Link{From: 0, To: 2}, network.Link{From: 1, To: 0},
		network.Link{From: 2, To: 2}, network.Link{From: 2, To: 3}, network.Link{From: 4, To: 2}, network.Link{From: 4, To: 3})
}

// TestDGIFeaturesOfArcs: X by hand, of a directed network and of the same without directions.
func TestDGIFeaturesOfArcs(t *testing.T) {
	const third = float32(1. / 3)
	for links, want := range map[string][5][5]float32{
		FeaturesOut:  {{0, .5, .5, 0, 0}, {1, 0, 0, 0, 0}, {0, 0, 0, 1, 0}, {}, {0, 0, .5, .5, 0}},
		FeaturesBoth: {{0, .5, .5, 0, 0}, {1, 0, 0, 0, 0}, {third, 0, 0, third, third}, {0, 0, .5, 0, .5}, {0, 0, .5, .5, 0}},
	} {
		o := OptionsOf(MethodOf(MethodDGI), Validated)
		Edit(&o, func(p *FeatureOptions) { p.FeatureLinks = links })
		f := dgiFeatures(Input{Network: arcs(t)}, o)
		if f == nil {
			f = network.Adjacency(arcs(t).Simple()) // what newDGI takes instead
		}
		f = f.Normalized()
		var got [5][5]float32
		for v := range got {
			for j := f.Offsets[v]; j < f.Offsets[v+1]; j++ {
				got[v][f.Index[j]] = f.Value[j]
			}
		}
		if got != want || f.Columns != 5 {
			t.Errorf("%s: %v, expected %v", links, got, want)
		}
	}
}

// TestDGIFeatureLinks: training takes these features: of a directed network those of its arcs by default; where links have no
// direction, or features are given, the option changes no bit.
func TestDGIFeatureLinks(t *testing.T) {
	embed := func(links string, in Input) []float32 {
		o := quick(t, MethodDGI)
		if links != "" {
			Edit(&o, func(p *FeatureOptions) { p.FeatureLinks = links })
		}
		r := trainOn(t, in, o, 2, Monitor{})
		return r.Embedding.Final
	}
	directed, simple := arcs(t), arcs(t).Simple()
	out, both := embed(FeaturesOut, Input{Network: directed}), embed(FeaturesBoth, Input{Network: directed})
	if slices.Equal(out, both) {
		t.Error("out and both give one embedding of a directed network")
	}
	for what, equal := range map[string][2][]float32{
		"by default, and out":            {embed("", Input{Network: directed}), out},
		"out, and those features":        {embed(FeaturesBoth, Input{Network: directed, Features: network.Adjacency(directed)}), out},
		"both, and those features":       {embed(FeaturesOut, Input{Network: directed, Features: network.Adjacency(simple)}), both},
		"both, and without directions":   {embed(FeaturesBoth, Input{Network: simple}), both},
		"without directions, out or not": {embed(FeaturesOut, Input{Network: simple}), both},
		"the undirected karate club":     {embed(FeaturesOut, Input{Network: karate()}), embed(FeaturesBoth, Input{Network: karate()})},
	} {
		if !slices.Equal(equal[0], equal[1]) {
			t.Errorf("%s: not the same embedding", what)
		}
	}
}

// TestDGIRenumberingArcs: other numbers for the vertices of a directed network, which number its features too, permute the
// embedding and change nothing else but for rounding.
func TestDGIRenumberingArcs(t *testing.T) {
	to := []int{3, 0, 4, 1, 2} // vertex v becomes to[v]
	var links []network.Link
	for _, l := range arcs(t).List() {
		links = append(links, network.Link{From: int32(to[l.From]), To: int32(to[l.To])})
	}
	build := func(net *network.Network) *dgi {
		return newTestDGI(t, net, dgiFeatures(Input{Network: net}, Default()), dgiOptions(), 2)
	}
	a, b := build(arcs(t)), build(newNetwork(t, 5, true, links...))
	for v, u := range to {
		copy(b.tables[dgiWeight].Row(u), a.tables[dgiWeight].Row(v))
	}
	for epoch := range 10 {
		corruption(1, uint64(epoch), a.order)
		for v, u := range a.order {
			b.order[to[v]] = to[u]
		}
		x := call.Of(a.run())(t)
		y := call.Of(b.run())(t)
		if math.Abs(x-y) > 1e-5 {
			t.Fatalf("step %d: loss %v, and %v with other numbers", epoch, x, y)
		}
		a.move()
		b.move()
	}
	x, y := embeddingOf(t, a).Final, embeddingOf(t, b).Final
	for v, u := range to {
		for i := range 8 {
			if d := x[v*8+i] - y[u*8+i]; math.Abs(float64(d)) > 1e-4 {
				t.Fatalf("vertex %d: %v, and %v with other numbers", v, x[v*8:][:8], y[u*8:][:8])
			}
		}
	}
}

// TestDGIDiverges: a loss that is not finite is an error with the op that made it so, and says what to do.
func TestDGIDiverges(t *testing.T) {
	o := dgiOptions()
	o.LearningRate = 1e30
	d := newTestDGI(t, cliques(t, 3), nil, o, 1)
	var err error
	for n := 1; n <= 5 && err == nil; n++ {
		err = d.Epoch(context.Background(), n, func(int64, engine.Loss) {})
	}
	call.Refused(t, "PReLU in layers.GCN", "try a smaller learning-rate")(err)
}
