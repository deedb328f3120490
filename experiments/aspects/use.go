package aspects

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/walks"
)

// Ways to come by the aspect probabilities of a window, of which Use has the variances.
const (
	UseNoisy        = "noisy"               // the model's logits with one draw of noise for each window
	UseNoiseFree    = "noise-free"          // its logits alone
	UseRandom       = "random"              // the noise alone: what an assigner that knows nothing does
	UseShuffled     = "shuffled"            // noise, on the logits of another window
	UseShuffledFree = "shuffled noise-free" // the logits of another window
	UseShare        = "share"               // of a method whose vertices have a distribution of their own: PolyDW's
)

// Use is how evenly each of N vertices uses its aspects over the windows of a corpus.
type Use struct {
	Count    []int64    // (N): how often the corpus has the vertex, which is how many windows it is the centre of
	Variants []Variance // the same windows, with aspects by other rules
}

// Variance is that of each vertex's distribution over its K aspects, between 0 for an even one and (1-1/K)/K for one aspect.
type Variance struct {
	Name string    // a Use... constant
	Y    []float64 // (N): (1/K) Σ_s (π_vs - 1/K)²; NaN for a vertex that the corpus does not have
}

// UseVariance returns how evenly vertices use the aspects of a trained model, over the walks that the options name. π_v is the
// mean over all windows of v of the probabilities of the aspects, with noise drawn once a window:
//
//	π_v = (1/f_v) Σ_w p_w,   p_w = select(<P_v, Readout_w>, z_w)
//
// with the readout and the selection of the options, by their graphs. Averages of f independent draws have a variance
// that falls like 1/f whatever the model has learnt, so there are controls: the noise without logits, and the logits of
// windows dealt out anew. Of PolyDW there is nothing to average: π_v is the distribution that its factorisation gives v.
//
// in and o are those of the training, and e is what came of it. The result depends on them alone, not on the number of
// threads; noise and dealing are drawn from streams "use" of the seed. It returns an error for a method without aspects or a
// run without a selection, and ctx's if it is cancelled.
//
// Source: Park et al., KDD 2020, figure 4, which does not say how it was computed: noise, the mean over windows and the
// variance as written are inferred.
func UseVariance(ctx context.Context, in graphs.Input, o graphs.Options, e graphs.Embedding, threads int) (*Use, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	n := in.Network.Vertices()
	switch {
	case o.Is(graphs.MethodPolyDW):
		return shareUse(ctx, in, o, e.Share, threads)
	case !o.Is(graphs.MethodAsp2vec):
		return nil, fmt.Errorf("experiments: use of aspects by method %s: expected %s or %s", o.Method.Name, graphs.MethodAsp2vec, graphs.MethodPolyDW)
	case o.Selection == "none":
		return nil, fmt.Errorf("experiments: use of aspects with selection %q: expected one that selects", o.Selection)
	}
	src, err := walks.NewUniform(in.Network, walksOf(o))
	if err != nil {
		return nil, err
	}
	stream, err := walks.NewStream(ctx, src, n, walks.StreamOptions{
		Window: o.Window, Shrink: o.Shrink, Negatives: 1, Batch: useBatch, Order: walks.Shuffled, Seed: o.Seed,
	})
	if err != nil {
		return nil, err
	}
	u, err := newUseSums(o, e, n)
	if err != nil {
		return nil, err
	}
	for b := range stream.Pass(ctx, 0) {
		if err := u.add(b, threads); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return u.result(), nil
}

// walksOf are the walks that the options name.
func walksOf(o graphs.Options) walks.Options {
	return walks.Options{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed}
}

// shareUse is UseVariance of a method that gives each vertex a distribution (N,K).
func shareUse(ctx context.Context, in graphs.Input, o graphs.Options, share []float32, threads int) (*Use, error) {
	net := in.Network.Simple()
	src, err := walks.NewUniform(net, walksOf(o))
	if err != nil {
		return nil, err
	}
	count, err := walks.Frequencies(ctx, src, net.Vertices(), threads)
	if err != nil {
		return nil, err
	}
	k := o.Aspects
	y := make([]float64, len(count))
	pi := make([]float64, k)
	for v := range y {
		for s, p := range share[v*k : (v+1)*k] {
			pi[s] = float64(p)
		}
		y[v] = varianceOf(pi, 1)
		if count[v] == 0 {
			y[v] = math.NaN()
		}
	}
	return &Use{Count: count, Variants: []Variance{{UseShare, y}}}, nil
}

// useBatch is how many pairs are looked at together. Other windows' logits are those of windows of the same batch, so that it
// must be large; in the shuffled order these are from everywhere in the network.
const useBatch = 200000

// rule is a variant of UseVariance: whose logits a window has, and whether noise is added.
type rule struct {
	name                 string
	logits, other, noise bool
}

var rules = []rule{
	{UseNoisy, true, false, true},
	{UseNoiseFree, true, false, false},
	{UseRandom, false, false, true},
	{UseShuffled, true, true, true},
	{UseShuffledFree, true, true, false},
}

// useSums adds up the aspect probabilities of every vertex's windows.
type useSums struct {
	o         graphs.Options
	e         graphs.Embedding
	key       rng.Key
	noisy     bool // the selection draws noise
	readout   *readoutGraph
	selection *selectionGraph
	count     []int64
	sums      []float64 // (N, rules, K)

	// Of the batch.
	logits, noise, prob []float64 // (W,K)
	other               []int     // (W): the window whose logits a window has where it has another's
}

func newUseSums(o graphs.Options, e graphs.Embedding, n int) (*useSums, error) {
	u := &useSums{
		o: o, e: e, key: rng.NewKey(o.Seed, "use"), noisy: layers.Selections.Get(o.Selection).Noise,
		count: make([]int64, n), sums: make([]float64, n*len(rules)*o.Aspects),
	}
	var err error
	if u.readout, err = newReadoutGraph(o); err != nil {
		return nil, err
	}
	u.selection, err = newSelectionGraph(o)
	return u, err
}

// useBlock is how many windows, or vertices, a worker takes at a time.
const useBlock = 256

// add adds the windows of a batch, but for one that an earlier batch has begun. The sums of a vertex belong to one worker, who
// goes through its windows in their order.
func (u *useSums) add(b *walks.Batch, threads int) error {
	k, n := u.o.Aspects, len(u.count)
	if need := b.Windows() * k; cap(u.logits) < need {
		room := need + need/8
		u.logits, u.noise, u.prob, u.other = make([]float64, room), make([]float64, room), make([]float64, room), make([]int, room)
	}
	u.logits, u.noise, u.prob, u.other = u.logits[:b.Windows()*k], u.noise[:b.Windows()*k], u.prob[:b.Windows()*k], u.other[:b.Windows()]
	if err := u.readout.score(u.logits, u.e, b); err != nil {
		return err
	}
	each(threads, b.Windows(), func(w int) { u.draw(b, w) })
	each(threads, n, func(v int) { u.of(b, v, func(int) { u.count[v]++ }) })
	for r, rule := range rules {
		if err := u.choose(rule, threads); err != nil {
			return err
		}
		each(threads, n, func(v int) {
			sum := u.sums[(v*len(rules)+r)*k:][:k]
			u.of(b, v, func(w int) {
				for s := range sum {
					sum[s] += u.prob[w*k+s]
				}
			})
		})
	}
	return nil
}

// of calls add for each window of a vertex that counts in this batch.
func (u *useSums) of(b *walks.Batch, v int, add func(w int)) {
	for _, w := range b.Index.Windows[b.Index.CenterStart[v]:b.Index.CenterStart[v+1]] {
		if b.First[w] == 0 {
			add(int(w))
		}
	}
}

// each calls f for each of n windows, or vertices, a block of which belongs to one worker.
func each(threads, n int, f func(i int)) {
	par.Blocks(threads, (n+useBlock-1)/useBlock, func(_, block int) {
		for i := block * useBlock; i < min((block+1)*useBlock, n); i++ {
			f(i)
		}
	})
}

// draw draws the noise of a window, and the window that it is dealt.
func (u *useSums) draw(b *walks.Batch, w int) {
	stream := u.key.Stream(b.ID[w])
	if noise := u.noise[w*u.o.Aspects:][:u.o.Aspects]; u.noisy {
		for s := range noise {
			noise[s] = -math.Log(-math.Log(stream.Float64()))
		}
	}
	u.other[w] = stream.Intn(b.Windows())
}

// choose writes the probabilities of all windows by a rule.
func (u *useSums) choose(by rule, threads int) error {
	k := u.o.Aspects
	each(threads, len(u.other), func(w int) {
		p := u.prob[w*k:][:k]
		switch {
		case by.other:
			copy(p, u.logits[u.other[w]*k:][:k])
		case by.logits:
			copy(p, u.logits[w*k:][:k])
		default:
			clear(p)
		}
	})
	if !by.noise {
		return u.selection.choose(u.prob, nil)
	}
	return u.selection.choose(u.prob, u.noise)
}

func (u *useSums) result() *Use {
	out := &Use{Count: u.count}
	k := u.o.Aspects
	for r, rule := range rules {
		y := make([]float64, len(u.count))
		for v := range y {
			y[v] = varianceOf(u.sums[(v*len(rules)+r)*k:][:k], float64(u.count[v]))
		}
		out.Variants = append(out.Variants, Variance{rule.name, y})
	}
	return out
}

// varianceOf returns the variance of the distribution sum/total: NaN for 0/0.
func varianceOf(sum []float64, total float64) (y float64) {
	k := float64(len(sum))
	for _, x := range sum {
		y += (x/total - 1/k) * (x/total - 1/k) / k
	}
	return y
}
