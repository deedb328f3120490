package aspects

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

func use(t *testing.T, net *network.Network, o graphs.Options, e graphs.Embedding, threads int) *Use {
	t.Helper()
	return call.Of(UseVariance(context.Background(), graphs.Input{Network: net}, o, e, threads))(t)
}

// variances returns those of a variant.
func variances(t *testing.T, u *Use, name string) []float64 {
	t.Helper()
	for _, v := range u.Variants {
		if v.Name == name {
			return v.Y
		}
	}
	t.Fatalf("no variant %q", name)
	return nil
}

// drawn says whether a selection draws noise.
func drawn(selection string) bool { return selection == "gumbel" || selection == "hard" }

// Every selection and every readout has a use of aspects, and an edit of a selection is what is drawn.
func TestUseOfGraphs(t *testing.T) {
	net := karateClub()
	o := smallModel()
	o.Epochs, o.LearningRate = 6, 0.1
	e := *trainedModel(t, net, o).Embedding
	of := func(selection, readout string) *Use {
		o := o
		o.Selection, o.Readout = selection, readout
		return use(t, net, o, e, 2)
	}
	for selection := range layers.Selections.All() {
		for readout := range layers.Readouts.All() {
			if selection == "none" {
				continue
			}
			u := of(selection, readout)
			for _, v := range u.Variants {
				if most := slices.Max(v.Y); !(slices.Min(v.Y) >= -1e-9 && most <= 2./9+1e-6) || most < 1e-6 && v.Name != UseRandom && selection != "random" {
					t.Errorf("%s %s, %s: variances %v", selection, readout, v.Name, v.Y)
				}
			}
		}
	}
	for _, name := range []string{"gumbel", "hard", "softmax"} {
		fast, kept := of(name, "mean"), layers.Selections.Get(name)
		turned := kept
		turned.Prob = func(c layers.Choice, h layers.Values) (*G.Node, error) {
			c.Logits = G.Must(G.Neg(c.Logits))
			return kept.Prob(c, h)
		}
		layers.Selections.Remove(name)
		layers.Selections.Add(name, turned)
		other := of(name, "mean")
		layers.Selections.Remove(name)
		layers.Selections.Add(name, kept)
		if slices.Equal(variances(t, fast, UseNoiseFree), variances(t, other, UseNoiseFree)) {
			t.Errorf("%s: an edit of the selection is not what is drawn", name)
		}
	}
}

// slowUse is UseVariance by a loop over walks and positions, in float64, with nothing of the package's own. order has the
// numbers of all windows in the order in which the stream gives them, of which a window's partner is drawn.
func slowUse(net *network.Network, o graphs.Options, e graphs.Embedding, order []uint64) (count []int64, y map[string][]float64) {
	n, k, d := net.Vertices(), o.Aspects, o.Dim
	src, _ := walks.NewUniform(net, walks.Options{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed})
	logits := map[uint64][]float64{}
	center := map[uint64]int32{}
	for i := range src.Walks() {
		walk := src.Walk(i, nil)
		for j, v := range walk {
			distinct := map[int32]bool{}
			for at := j - o.Window; at <= j+o.Window; at++ {
				if at >= 0 && at < len(walk) && at != j {
					distinct[walk[at]] = true
				}
			}
			mean := make([]float64, k*d)
			for c := range distinct {
				for x := range mean {
					y := float64(e.Vectors[int(c)*k*d+x])
					if o.Readout == "mean" {
						y /= float64(len(distinct))
					}
					mean[x] += y
				}
			}
			l := make([]float64, k)
			for x := range mean {
				l[x/d] += float64(e.Center[int(v)*d+x%d]) * mean[x]
			}
			id := uint64(i*src.MaxLength() + j)
			logits[id], center[id] = l, v
		}
	}
	names := []string{UseNoisy, UseNoiseFree, UseRandom, UseShuffled, UseShuffledFree}
	count = make([]int64, n)
	pi := map[string][]float64{}
	y = map[string][]float64{}
	for _, name := range names {
		pi[name], y[name] = make([]float64, n*k), make([]float64, n)
	}
	for id, l := range logits {
		v := int(center[id])
		count[v]++
		stream := rng.New(o.Seed, "use", id)
		noise := make([]float64, k)
		if drawn(o.Selection) {
			for s := range noise {
				noise[s] = -math.Log(-math.Log(stream.Float64()))
			}
		}
		other := logits[order[stream.Intn(len(order))]]
		for _, name := range names {
			p := make([]float64, k)
			var sum float64
			for s := range p {
				x := map[string]float64{
					UseNoisy: l[s] + noise[s], UseNoiseFree: l[s], UseRandom: noise[s], UseShuffled: other[s] + noise[s], UseShuffledFree: other[s],
				}[name]
				if drawn(o.Selection) {
					x /= o.Tau
				}
				p[s] = math.Exp(x)
				sum += p[s]
			}
			most := slices.Index(p, slices.Max(p))
			for s := range p {
				p[s] /= sum
				if o.Selection == "hard" || o.Selection == "straight-through" {
					p[s] = 0
					if s == most {
						p[s] = 1
					}
				}
				pi[name][v*k+s] += p[s]
			}
		}
	}
	for name := range pi {
		for v := range n {
			for s := range k {
				dev := pi[name][v*k+s]/float64(count[v]) - 1/float64(k)
				y[name][v] += dev * dev / float64(k)
			}
		}
	}
	return count, y
}

func TestAspectUseAgainstLoop(t *testing.T) {
	net := karateClub()
	for _, c := range [][2]string{{"gumbel", "mean"}, {"hard", "mean"}, {"softmax", "mean"}, {"straight-through", "mean"}, {"gumbel", "sum"}} {
		selection, readout := c[0], c[1]
		t.Run(selection+" "+readout, func(t *testing.T) {
			o := smallModel()
			o.Selection, o.Readout, o.Epochs, o.LearningRate = selection, readout, 3, 0.03
			e := *trainedModel(t, net, o).Embedding
			src, _ := walks.NewUniform(net, walksOf(o))
			stream, err := walks.NewStream(context.Background(), src, net.Vertices(), walks.StreamOptions{
				Window: o.Window, Negatives: 1, Batch: useBatch, Order: walks.Shuffled, Seed: o.Seed,
			})
			if err != nil {
				t.Fatal(err)
			}
			var order []uint64
			for b := range stream.Pass(context.Background(), 0) {
				order = append(order, b.ID...)
			}
			count, want := slowUse(net, o, e, order)
			u := use(t, net, o, e, 2)
			if !slices.Equal(u.Count, count) {
				t.Errorf("counts %v, expected %v", u.Count, count)
			}
			for name, y := range want {
				got := variances(t, u, name)
				for v := range y {
					if !(math.Abs(got[v]-y[v]) < 1e-6*max(1e-3, y[v])) { // logits are sums of float32
						t.Errorf("%s: vertex %d has variance %v, expected %v", name, v, got[v], y[v])
						break
					}
				}
			}
			if free, noisy := variances(t, u, UseNoiseFree), variances(t, u, UseNoisy); slices.Equal(free, noisy) != !drawn(selection) {
				t.Errorf("noise makes a difference: expected that of gumbel and hard alone")
			}
		})
	}
}

// An assigner that takes one of K aspects by chance gives a vertex of f windows a variance of (1-1/K)/(K f) in the mean:
// .16/f for K = 5. For each vertex f y / .16 is then a chi-squared number over its 4 degrees of freedom: mean 1, variance 1/2.
func TestRandomAssignerFollowsItsLaw(t *testing.T) {
	net := karateClub()
	var sum float64
	const seeds = 20
	for seed := range uint64(seeds) {
		o := smallModel()
		o.Selection, o.Aspects, o.Seed = "hard", 5, seed
		m := call.Of(graphs.NewSkipGram(o, net.Vertices(), 1))(t)
		u := use(t, net, o, m.Embedding(), 2)
		for v, y := range variances(t, u, UseRandom) {
			sum += y * float64(u.Count[v]) / .16
		}
	}
	n := float64(seeds * net.Vertices())
	if mean := sum / n; math.Abs(mean-1) > 4*math.Sqrt(.5/n) {
		t.Errorf("mean of f y / .16 is %v over %v vertices: expected 1", mean, n)
	}
}

// The windows of a corpus of several batches are counted once, also those that two batches share, and threads do not show.
func TestAspectUseIsDeterministic(t *testing.T) {
	net := karateClub()
	o := smallModel()
	o.Walks, o.Length, o.Aspects = 100, 30, 4
	m := call.Of(graphs.NewSkipGram(o, net.Vertices(), 1))(t)
	first := use(t, net, o, m.Embedding(), 1)
	var windows int64
	for _, c := range first.Count {
		windows += c
	}
	if want := int64(34 * 100 * 30); windows != want {
		t.Errorf("%d windows, expected %d", windows, want)
	}
	for _, threads := range []int{0, 2, 5} {
		if u := use(t, net, o, m.Embedding(), threads); fmt.Sprint(u) != fmt.Sprint(first) {
			t.Errorf("%d threads give other numbers", threads)
		}
	}
}

// PolyDW's shares are taken as they are, against how often walks visit the vertex.
func TestShareUse(t *testing.T) {
	net := karateClub()
	o := call.Of(methods.Options(graphs.MethodPolyDW, graphs.Validated))(t)
	o.Aspects, o.Walks = 4, 3
	share := make([]float32, 34*4)
	for v := range 34 {
		copy(share[v*4:], []float32{.25, .25, .25, .25})
	}
	copy(share, []float32{.2, .3, .3, .2}) // the examples of the paper's text
	copy(share[4:], []float32{.7, 0, .3, 0})
	u := use(t, net, o, graphs.Embedding{Share: share}, 2)
	y := variances(t, u, UseShare)
	for v, want := range []float64{.0025, .0825, 0} {
		if math.Abs(y[v]-want) > 1e-7 {
			t.Errorf("vertex %d has variance %v, expected %v", v, y[v], want)
		}
	}
	src, _ := walks.NewUniform(net, walksOf(o))
	want, _ := walks.Frequencies(context.Background(), src, 34, 1)
	if !slices.Equal(u.Count, want) {
		t.Errorf("counts %v, expected %v", u.Count, want)
	}
}

func karateClub() *network.Network {
	net, _ := network.Karate()
	return net
}

// smallModel is asp2vec at a size for tests.
func smallModel() graphs.Options {
	o := graphs.Default()
	o.Dim, o.Aspects, o.Walks, o.Length, o.Batch, o.LearningRate = 6, 3, 2, 20, 1000, 0.02
	o.Select, o.Epochs, o.WarmUp = graphs.SelectLast, 3, false
	return o
}

func trainedModel(t *testing.T, net *network.Network, o graphs.Options) *graphs.Result {
	t.Helper()
	return call.Of(graphs.Train(context.Background(), graphs.Input{Network: net}, o, 2, graphs.Monitor{}))(t)
}
