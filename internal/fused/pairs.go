// Package fused computes the standard losses with their gradients in two passes over a batch, without gathering rows: the
// same numbers as the graphs composed of layers and losses, many times faster.
//
// Pass one goes over windows, in parallel: scores, aspect probabilities, the loss, and one coefficient dL/d<P_i,Q_r> for
// each row r that the window scores against its centre i. It writes only to the window's own slots. Pass two goes over the
// rows of the tables, in parallel: each row is owned by one worker, who adds up the row's coefficients in the batch's
// order. No locks, no copies of the tables, and the same bits whatever the number of threads.
package fused

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// Selection is how aspect probabilities come from logits; see layers.Selections, whose formulae these are.
type Selection int

// The standard selections. None gives every aspect 1/K, and with K = 1 the loss of DeepWalk.
const (
	None Selection = iota
	Softmax
	Gumbel
	Hard
	Random
)

// noisy says whether the selection depends on noise.
func (s Selection) noisy() bool { return s == Gumbel || s == Hard || s == Random }

// Config fixes the shape of a Pairs.
type Config struct {
	Aspects, Dim int // K and D
	Selection    Selection
	NoisePerPair bool    // draw Gumbel noise for each pair, else once for each window
	Tau          float32 // temperature of Gumbel, Hard and Random
	Noise        rng.Key // of the noise; the pass and the window's number name its streams
	Anchor       *Anchor // or nil; with Selection None and one aspect only
	Threads      int
}

// Pairs is the asp2vec loss of a batch of windows,
//
//	L = 1/(N_b K) Σ_n Σ_s p_ns l_ns,    l_ns = softplus(-<P_i,Q_j^(s)>) + Σ_m softplus(<P_i,Q_m^(s)>)
//
// for centre table P (N,D) and aspect table Q (N,K,D); N_b pairs n = (i,j) with negatives m. It is not safe for use by
// several goroutines; it uses Config.Threads of them itself.
type Pairs struct {
	c       Config
	batch   *walks.Batch
	uniform func(dst []float32, key rng.Key, b *walks.Batch, w int) // draws what becomes noise

	coef   []float32 // (W,S,K): dL/d<P_i,row>
	center []float32 // (W,D): dL/dP_i of each window
	from   []float32 // (W,D): P_i of each window, as it was before the step, so that both tables can move at once
	losses []float64 // of each block of windows
	work   []scratch // of each worker
}

// blockWindows is how many windows a worker takes at a time: enough for long runs of the vector kernels, and few enough that the
// rows which their scores came from are still near when the centres' gradients are summed. 4 to 16 were about as good.
const blockWindows = 8

type scratch struct {
	score, loss, slope []float32 // (windows, S, K)
	prob, soft, noise  []float32 // (windows, C, K), or (windows, K) where a window's pairs share their noise
	anchor             anchorScratch
	_                  par.Pad
}

// NewPairs returns the loss for a configuration. It returns an error for a number of aspects or dimensions below 1, a temperature
// that is not positive, or an anchor with more than one aspect or with a selection.
func NewPairs(c Config) (*Pairs, error) {
	if c.Aspects < 1 || c.Dim < 1 {
		return nil, fmt.Errorf("fused: %d aspects of %d numbers: want at least 1 of each", c.Aspects, c.Dim)
	}
	if c.Selection.noisy() && !(c.Tau > 0) {
		return nil, fmt.Errorf("fused: tau = %v: want above 0", c.Tau)
	}
	if c.Anchor != nil && (c.Aspects != 1 || c.Selection != None) {
		return nil, fmt.Errorf("fused: an anchor with %d aspects and selection %d: want one aspect and none", c.Aspects, c.Selection)
	}
	return &Pairs{c: c, uniform: drawUniform, work: make([]scratch, max(c.Threads, 1))}, nil
}

// Bind sets the batch that the next passes are over.
func (p *Pairs) Bind(b *walks.Batch) { p.batch = b }

// Forward is pass one. It returns the loss, a sum in float64 over blocks in their order.
func (p *Pairs) Forward(centers, aspects []float32) float64 {
	b := p.batch
	w := b.Windows()
	p.coef = grown(p.coef, w*b.SlotsPerWindow()*p.c.Aspects)
	p.center, p.from = grown(p.center, w*p.c.Dim), grown(p.from, w*p.c.Dim)
	blocks := (w + blockWindows - 1) / blockWindows
	if cap(p.losses) < blocks {
		p.losses = make([]float64, blocks)
	}
	p.losses = p.losses[:blocks]
	par.Blocks(p.c.Threads, blocks, func(worker, block int) {
		lo := block * blockWindows
		p.losses[block] = p.windows(&p.work[worker], lo, min(lo+blockWindows, w), centers, aspects)
	})
	var sum float64
	for _, l := range p.losses {
		sum += l
	}
	return sum / (float64(b.Pairs) * float64(p.c.Aspects))
}

// windows runs pass one over windows lo to hi-1 and returns Σ_n Σ_s p_ns l_ns.
func (p *Pairs) windows(s *scratch, lo, hi int, centers, aspects []float32) float64 {
	b, k, d := p.batch, p.c.Aspects, p.c.Dim
	slots, m := b.Slots, b.Negatives
	per := b.SlotsPerWindow() * k
	n := hi - lo
	s.score, s.loss, s.slope = grown(s.score, n*per), grown(s.loss, n*per), grown(s.slope, n*per)

	// Scores, contexts apart from negatives so that each kind makes one long run.
	positives, negatives := s.score[:n*slots*k], s.score[n*slots*k:]
	large := memory.OutgrowsCache(len(aspects))
	for w := lo; w < hi; w++ {
		if large && w+1 < b.Windows() {
			p.prefetchWindow(w+1, centers, aspects)
		}
		x := p.from[w*d:][:d]
		copy(x, centers[int(b.Center[w])*d:])
		used := int(b.Count[w])
		pos := positives[(w-lo)*slots*k:][:slots*k]
		kernel.Dots(pos, x, aspects, b.Context[w*slots:][:used], k, d)
		clear(pos[used*k:])
		neg := negatives[(w-lo)*slots*m*k:][:slots*m*k]
		first, last := int(b.First[w])*m, int(b.Last[w])*m
		clear(neg[:first*k])
		kernel.Dots(neg[first*k:], x, aspects, b.Negative[w*slots*m+first:w*slots*m+last], k, d)
		clear(neg[last*k:])
	}
	kernel.SoftplusSigmoid(s.loss[:n*slots*k], s.slope[:n*slots*k], positives, -1)
	kernel.SoftplusSigmoid(s.loss[n*slots*k:], s.slope[n*slots*k:], negatives, 1)

	if p.c.Selection != None {
		p.probabilities(s, lo, hi)
	}
	var sum float64
	for w := lo; w < hi; w++ {
		sum += p.window(s, w, lo, n)
		coef := p.coef[w*per:][:per]
		out := p.center[w*d:][:d]
		clear(out)
		used := int(b.Count[w])
		kernel.Combine(out, coef, aspects, b.Context[w*slots:][:used], k, d)
		first, last := int(b.First[w])*m, int(b.Last[w])*m
		kernel.Combine(out, coef[(slots+first)*k:], aspects, b.Negative[w*slots*m+first:w*slots*m+last], k, d)
		if p.c.Anchor != nil {
			sum += p.c.Anchor.add(&s.anchor, p, w, centers[int(b.Center[w])*d:][:d], out)
		}
	}
	return sum
}

// window turns one window's scores into its loss, Σ p l, and its coefficients.
func (p *Pairs) window(s *scratch, w, lo, n int) float64 {
	b, k := p.batch, p.c.Aspects
	slots, m, used := b.Slots, b.Negatives, int(b.Count[w])
	coef := p.coef[w*b.SlotsPerWindow()*k:][:b.SlotsPerWindow()*k]
	coefPos, coefNeg := coef[:used*k], coef[slots*k:][:used*m*k]
	pos, neg := (w-lo)*slots*k, (n+(w-lo)*m)*slots*k
	posLoss, posSlope := s.loss[pos:][:used*k], s.slope[pos:][:used*k]
	negLoss, negSlope := s.loss[neg:][:used*m*k], s.slope[neg:][:used*m*k]

	// Contexts whose pairs belong to another batch take part in the readout alone.
	if first, last := int(b.First[w])*k, int(b.Last[w])*k; first > 0 || last < used*k {
		for _, x := range [][]float32{posLoss, posSlope} {
			clear(x[:first])
			clear(x[last:])
		}
		for _, x := range [][]float32{negLoss, negSlope} {
			clear(x[:first*m])
			clear(x[last*m:])
		}
	}
	unit := 1 / (float32(b.Pairs) * float32(k)) // the weight of an entry of the mean over N_b x K
	if p.c.Selection == None {
		share := 1 / float32(k)
		pos := kernel.ScaleSum(coefPos, posSlope, posLoss, -unit*share)
		neg := kernel.ScaleSum(coefNeg, negSlope, negLoss, unit*share)
		return float64(share) * (float64(pos) + float64(neg))
	}
	rows := p.probRows()
	at := (w - lo) * rows * k
	perLogit := unit * p.invTau() / float32(b.BagSize(w)) // a logit is the mean of scores, so its gradient adds to theirs
	if p.c.Selection == Random {
		perLogit = 0
	}
	return float64(kernel.Weigh(coefPos, coefNeg, &kernel.Weights{
		C: used, M: m, K: k,
		Prob: s.prob[at:], Soft: s.soft[at:], Shared: rows == 1,
		PosLoss: posLoss, PosSlope: posSlope, NegLoss: negLoss, NegSlope: negSlope,
		Bag: b.Bag[w], Unit: unit, UnitPerLogit: perLogit,
	}))
}

func (p *Pairs) invTau() float32 {
	if p.c.Selection == Softmax {
		return 1
	}
	return 1 / p.c.Tau
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
