package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// A logistic regression on what lies between two vertices. A link is never among what its own features are counted from: some training links are held
// out, such that the others stay connected, and the regression learns to tell them from random pairs by features of the others. Then it scores any pair by features of all training links.
//
// With ℓ(x) = log(1+x), degrees k, m links and P the probabilities of a step of a random walk, the features of a pair (u,v) are
//
//	ℓ(k_u + k_v), ℓ(min(k_u, k_v)), ℓ(k_u) + ℓ(k_v), ℓ of the scores common, adamic-adar and allocation, the scores jaccard and l3,
//	log(2m (P^t)_uv / k_v + .01) for t from 2 to 10,
//
// and in a directed network ℓ of the arcs out of and into u and v, ℓ of the paths of two arcs in each of the four directions, and whether (v,u) is an arc.
func init() {
	Scorers.Add("neighbourhood", Scorer{
		Help:       "log odds of a logistic regression on degrees, common neighbours, paths and walks between the vertices, fitted to training links that were held out from what these are counted from",
		Source:     "Lü and Zhou, Physica A 390 (2011), of the features",
		Parameters: classifierParameters, Untrained: true, Fitted: true, Fit: fitNeighborhood,
	})
}

const (
	foldShare     = 0.1  // of the training links, which are held out
	foldLinks     = 2000 // links that are enough: as many times links are held out, at most foldsMost times
	foldsMost     = 5
	foldNegatives = 4     // for each of them
	fittedMost    = 10000 // links held out that the regression is fitted to at most
)

type fold struct {
	t        *topology
	pos, neg []network.Link
}

// folds hold links out from the training links of a split.
func folds(ctx context.Context, s *network.Split, o ScoreOptions) (all []fold, err error) {
	found := 0
	for i := range foldsMost {
		kept, held, err := s.Spare(foldShare, o.Seed+uint64(i))
		if err != nil {
			return nil, err
		}
		f := fold{t: newTopology(len(s.Names), kept, s.Directed)}
		f.pos = fitted(held)
		f.neg = f.negatives(s, kept, o, o.Seed+uint64(i))
		all = append(all, f)
		if found += len(f.pos); found >= foldLinks || ctx.Err() != nil {
			break
		}
	}
	if found == 0 {
		return nil, errors.New("no training link can be held out: expected a network with more cycles")
	}
	return all, ctx.Err()
}

// fitted returns those of the links held out that a regression is fitted to: no self-loops, and not too many.
func fitted(held []network.Link) (out []network.Link) {
	for _, l := range held {
		if l.From != l.To {
			out = append(out, l)
		}
	}
	return seq.Evenly(out, fittedMost)
}

// negatives draws random pairs that are no training links and, of a directed network, adds the reverses of the links held out and of as many that were kept; or
// those that the options ask for.
func (f fold) negatives(s *network.Split, kept []network.Link, o ScoreOptions, seed uint64) (out []network.Link) {
	if o.Against != nil {
		return o.Against(fittedTo(s, f.pos, kept))
	}
	linked := linkedPairs(&network.Split{Train: s.Train, Directed: s.Directed})
	r := rng.New(seed, "fold-negatives")
	n := len(s.Names)
	for tries := 0; len(out) < foldNegatives*len(f.pos) && tries < 100*foldNegatives*len(f.pos); tries++ {
		l := network.Link{From: int32(r.Intn(n)), To: int32(r.Intn(n))}
		if l.From != l.To && !linked(l) {
			out = append(out, l)
		}
	}
	if s.Directed {
		for _, list := range [][]network.Link{f.pos, seq.Evenly(kept, len(f.pos))} {
			for _, l := range list {
				if back := (network.Link{From: l.To, To: l.From}); !linked(back) && l.From != l.To {
					out = append(out, back)
				}
			}
		}
	}
	return out
}

// matrix is a matrix of features, row-major, standardised by means and deviations of its columns.
type matrix struct {
	cols int
	data []float32
}

func (x matrix) Rows() int                               { return len(x.data) / x.cols }
func (x matrix) Cols() int                               { return x.cols }
func (x matrix) Block(lo, hi int, _ []float32) []float32 { return x.data[lo*x.cols : hi*x.cols] }

// standardise gives each column mean 0 and deviation 1, and returns what they were. A column of equal numbers becomes zeros.
func (x matrix) standardise() (mean, scale []float64) {
	mean, scale = make([]float64, x.cols), make([]float64, x.cols)
	n := float64(x.Rows())
	for i, v := range x.data {
		mean[i%x.cols] += float64(v) / n
	}
	for i, v := range x.data {
		d := float64(v) - mean[i%x.cols]
		scale[i%x.cols] += d * d / n
	}
	for j := range scale {
		if scale[j] = 1 / math.Sqrt(scale[j]); scale[j] > 1e6 {
			scale[j] = 0
		}
	}
	for i, v := range x.data {
		j := i % x.cols
		x.data[i] = float32((float64(v) - mean[j]) * scale[j])
	}
	return mean, scale
}

func fitNeighborhood(ctx context.Context, _ Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
	all, err := folds(ctx, s, o)
	if err != nil {
		return nil, fmt.Errorf("eval: score neighbourhood: %w", err)
	}
	var x matrix
	var label []bool
	for _, f := range all {
		links := append(append([]network.Link(nil), f.pos...), f.neg...)
		data, err := features(ctx, f.t, links, o.Threads)
		if err != nil {
			return nil, err
		}
		x.cols, x.data = featuresOf(f.t), append(x.data, data...)
		for i := range links {
			label = append(label, i < len(f.pos))
		}
	}
	mean, scale := x.standardise()
	fit, err := Logistic(ctx, x, label, LogisticOptions{C: o.Values.Of("score-c"), Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	w, b := fit.Weights[:x.cols], fit.Weights[x.cols]
	for j := range w {
		w[j] *= scale[j]
		b -= w[j] * mean[j]
	}
	t := newTopology(len(s.Names), s.Train, s.Directed)
	out := t.scorer(ctx, o.Threads, func(s *surround, sources []int32, pairs [][]place, use func(j int, p place, score float64)) {
		eachFeature(s, sources, pairs, func(j int, p place, f []float32) { use(j, p, dot(w, f)+b) })
	})
	out.Directed, out.Iterations, out.sources = s.Directed, fit.Iterations, t.sourced(longestWalk)
	return out, nil
}

// features returns the features of links (len(links),F), row-major.
func features(ctx context.Context, t *topology, links []network.Link, threads int) ([]float32, error) {
	cols := featuresOf(t)
	out := make([]float32, len(links)*cols)
	g := t.group(links)
	return out, t.blocks(ctx, len(g.sources), threads, func(s *surround, lo, hi int) {
		eachFeature(s, g.sources[lo:hi], g.pairs[lo:hi], func(_ int, p place, f []float32) { copy(out[int(p.at)*cols:], f) })
	})
}

const (
	localFeatures    = 8
	longestWalk      = 10
	walkFeatures     = longestWalk - 1
	directedFeatures = 9
	walkFloor        = 0.01 // added to the probability of a walk over that of the same end after infinitely many steps, so that it has a logarithm
)

// features returns F, the number of features of a pair.
func featuresOf(t *topology) int {
	n := localFeatures + walkFeatures
	if t.directed {
		n += directedFeatures
	}
	return n
}

// features hands use the features of each pair of some sources, which are there until it returns.
func eachFeature(s *surround, sources []int32, pairs [][]place, use func(j int, p place, f []float32)) {
	t := s.t
	volume := float64(len(t.targets))
	walks := make([][]float32, len(sources))
	for j := range walks {
		walks[j] = make([]float32, walkFeatures*len(pairs[j]))
	}
	s.walks(sources, longestWalk, func(step int, x []float32) {
		if step == 1 {
			return
		}
		for j, u := range sources {
			scale := float32(volume / max(1, t.degree[u]))
			for i, p := range pairs[j] {
				walks[j][i*walkFeatures+step-2] = scale * x[int(p.other)*sourceBlock+j]
			}
		}
	})
	f := make([]float32, featuresOf(t))
	for j, u := range sources {
		s.around(u)
		for i, p := range pairs[j] {
			a, b := p.ends(u)
			v := p.other
			ka, kb := t.degree[a], t.degree[b]
			for c, x := range [localFeatures]float64{
				math.Log1p(ka + kb), math.Log1p(min(ka, kb)), math.Log1p(ka) + math.Log1p(kb),
				math.Log1p(s.common[v]), math.Log1p(s.logs[v]), math.Log1p(s.shares[v]), jaccard(t, a, b, s.common[v]), s.threes(v),
			} {
				f[c] = float32(x)
			}
			for c, y := range walks[j][i*walkFeatures:][:walkFeatures] {
				f[localFeatures+c] = float32(math.Log(float64(y) + walkFloor))
			}
			if t.directed {
				f := f[localFeatures+walkFeatures:]
				triads := s.triads[v]
				if p.swapped {
					triads[0], triads[3] = triads[3], triads[0]
				}
				for c, x := range [...]float64{t.out(a), t.in(a), t.out(b), t.in(b), triads[0], triads[1], triads[2], triads[3]} {
					f[c] = float32(math.Log1p(x))
				}
				f[directedFeatures-1] = 0
				if _, linked := slices.BinarySearch(t.sides[outSide][b], a); linked {
					f[directedFeatures-1] = 1
				}
			}
			use(j, p, f)
		}
	}
}
