// Package layout says where the vertices of a network lie in a picture, and which of them belong together.
package layout

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"gonum.org/v1/gonum/spatial/barneshut"
	"gonum.org/v1/gonum/spatial/r2"
)

// TSNEOptions are those of TSNE.
type TSNEOptions struct {
	Perplexity float64 // about how many neighbours of a vector count, > 0; published: 5 to 50. No more than a third of the others are used
	Seed       uint64  // of what little randomness there is
	Threads    int     // at least 1; the result does not depend on it
	Step       func(done, all int)
}

// What is not to be chosen, as usual: van der Maaten, JMLR 2014, and the length and learning rate of Belkina et al., 2019.
const (
	tsneIterations   = 750
	tsneEarly        = 250 // of them, with exaggeration
	tsneExaggeration = 12
	tsneTheta        = 0.8  // a distant group of points counts as one if it is wide by no more than this, of its distance
	tsneStart        = 1e-4 // standard deviation of the first coordinate at the start
)

// TSNE returns a map of vectors (N,D) in the plane, as (N,2) row-major coordinates around 0, in which those are near each other
// whose cosines are high: t-SNE with the Barnes-Hut approximation. Only neighbours mean something in it; distances between
// distant groups, and how large groups are, do not.
//
// Distances are those of the vectors at length 1, √(2-2·cosine), and the map begins with the first two principal components of
// these, so that it depends on the seed by a trace only: the same seed gives the same map, for any number of threads. It takes
// N²·D multiplications for the neighbours, and then some 100·N·log N operations for each of 750 steps.
//
// It returns an error for vectors that are not finite, and when ctx ends.
//
// Source: van der Maaten, Hinton, JMLR 2008; van der Maaten, JMLR 2014 (Barnes-Hut); Kobak, Linderman, Nature Biotechnology 2021
// (start); Belkina et al., Nature Communications 2019 (learning rate).
func TSNE(ctx context.Context, e eval.Embedding, o TSNEOptions) ([]float64, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	start, err := tsneBegin(ctx, e, o.Seed)
	if err != nil || e.N < 4 {
		return start, err
	}
	perplexity := min(o.Perplexity, float64(e.N-1)/3)
	near, err := eval.Neighbors(ctx, e, e, int(math.Ceil(3*perplexity)), func(query, row int32) bool { return query == row }, o.Threads)
	if err != nil {
		return nil, err
	}
	t := newTSNE(start, attraction(near, perplexity))
	for i := range tsneIterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.step(i, o.Threads); err != nil {
			return nil, fmt.Errorf("layout: TSNE: %w", err)
		}
		if o.Step != nil {
			o.Step(i+1, tsneIterations)
		}
	}
	return coordinates(t.at), nil
}

// tsneBegin returns the principal components of the vectors at length 1, tiny, with a trace of noise that keeps alike vectors apart.
func tsneBegin(ctx context.Context, e eval.Embedding, seed uint64) ([]float64, error) {
	unit := eval.Embedding{N: e.N, D: e.D, Data: eval.UnitRows(e)}
	dims := min(2, e.D)
	at, _, err := eval.Principal(ctx, unit, dims)
	if err != nil {
		return nil, err
	}
	var square float64
	for v := range e.N {
		square += at[v*dims] * at[v*dims]
	}
	scale := 0.
	if square > 0 {
		scale = tsneStart / math.Sqrt(square/float64(e.N))
	}
	out := make([]float64, 2*e.N)
	key := rng.NewKey(seed, "t-SNE")
	for v := range e.N {
		s := key.Stream(uint64(v))
		for c := range 2 {
			if c < dims {
				out[2*v+c] = scale * at[v*dims+c]
			}
			out[2*v+c] += tsneStart / 100 * (s.Float64() - .5)
		}
	}
	return out, nil
}

// links are weighted links from each point to others: those of point i are at first[i] to first[i+1].
type links struct {
	first  []int
	to     []int32
	weight []float64
}

// tsne is a map on its way.
type tsne struct {
	at        []barneshut.Particle2 // points
	move      []r2.Vec              // of the last step
	gain      []r2.Vec
	force     []r2.Vec // of repulsion, before it is divided by the sum
	sum       []float64
	attracted links
	rate      float64
	plane     *barneshut.Plane
}

// point is a vector's place in the map.
type point struct{ r2.Vec }

func (p *point) Coord2() r2.Vec { return p.Vec }
func (p *point) Mass() float64  { return 1 }

func newTSNE(start []float64, p links) *tsne {
	n := len(start) / 2
	t := &tsne{at: make([]barneshut.Particle2, n), move: make([]r2.Vec, n), gain: make([]r2.Vec, n), force: make([]r2.Vec, n), sum: make([]float64, n),
		attracted: p, rate: max(float64(n)/tsneExaggeration/4, 50)}
	for i := range n {
		t.at[i] = &point{r2.Vec{X: start[2*i], Y: start[2*i+1]}}
		t.gain[i] = r2.Vec{X: 1, Y: 1}
	}
	return t
}

// tsneBlock is how many points a thread takes at a time.
const tsneBlock = 512

// step moves all points once.
func (t *tsne) step(i, threads int) (err error) {
	if t.plane == nil {
		t.plane, err = barneshut.NewPlane(t.at)
	} else {
		err = t.plane.Reset()
	}
	if err != nil {
		return err
	}
	n := len(t.at)
	blocks := func(do func(lo, hi int)) {
		par.Blocks(threads, (n+tsneBlock-1)/tsneBlock, func(_, b int) { do(b*tsneBlock, min((b+1)*tsneBlock, n)) })
	}
	blocks(func(lo, hi int) {
		for p := lo; p < hi; p++ {
			sum := -1. // of a point with itself
			t.force[p] = t.plane.ForceOn(t.at[p], tsneTheta, func(_, _ barneshut.Particle2, _, mass float64, v r2.Vec) r2.Vec {
				w := 1 / (1 + v.X*v.X + v.Y*v.Y)
				sum += mass * w
				w *= mass * w
				return r2.Vec{X: w * v.X, Y: w * v.Y}
			})
			t.sum[p] = sum
		}
	})
	total := 0.
	for _, s := range t.sum {
		total += s
	}
	exaggeration, momentum := 1., .8
	if i < tsneEarly {
		exaggeration, momentum = tsneExaggeration, .5
	}
	next := make([]r2.Vec, n)
	blocks(func(lo, hi int) {
		for p := lo; p < hi; p++ {
			next[p] = t.moved(p, total, exaggeration, momentum)
		}
	})
	var mean r2.Vec
	for _, x := range next {
		mean = r2.Add(mean, r2.Scale(1/float64(n), x))
	}
	for p, x := range next {
		t.at[p].(*point).Vec = r2.Sub(x, mean)
	}
	return nil
}

// moved returns where a point goes.
func (t *tsne) moved(p int, total, exaggeration, momentum float64) r2.Vec {
	at := t.at[p].Coord2()
	var pull r2.Vec
	for l := t.attracted.first[p]; l < t.attracted.first[p+1]; l++ {
		v := r2.Sub(t.at[t.attracted.to[l]].Coord2(), at)
		w := t.attracted.weight[l] / (1 + v.X*v.X + v.Y*v.Y)
		pull.X += w * v.X
		pull.Y += w * v.Y
	}
	gradient := r2.Scale(4, r2.Sub(r2.Scale(1/total, t.force[p]), r2.Scale(exaggeration, pull)))
	t.gain[p].X, t.move[p].X = t.inertia(t.gain[p].X, t.move[p].X, gradient.X, momentum)
	t.gain[p].Y, t.move[p].Y = t.inertia(t.gain[p].Y, t.move[p].Y, gradient.Y, momentum)
	return r2.Add(at, t.move[p])
}

// inertia returns the gain and the move of one coordinate: gains grow while it keeps its direction.
func (t *tsne) inertia(gain, move, gradient, momentum float64) (float64, float64) {
	if (gradient > 0) == (move > 0) {
		gain = max(gain*.8, .01)
	} else {
		gain += .2
	}
	return gain, momentum*move - t.rate*gain*gradient
}

// coordinates returns those (N,2) of points.
func coordinates(at []barneshut.Particle2) []float64 {
	out := make([]float64, 2*len(at))
	for i, p := range at {
		c := p.Coord2()
		out[2*i], out[2*i+1] = c.X, c.Y
	}
	return out
}
