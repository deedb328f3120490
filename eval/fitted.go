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

// One score for all vectors: a logistic regression on what they say of a pair, whatever their basis. Its
// features of a pair are
//
//   - inner products and cosines of the vectors of its ends, of sources and targets in all ways, and logarithms of lengths;
//   - where a vertex has several vectors, the largest, the log-sum-exp and the mean over their pairs;
//   - of the training network, logarithms of degrees, of PageRank and of the mean degree of neighbours.
//
// They are standardised, cut off at ±5 and, where held-out links say so, multiplied with one another. The
// regression is fitted to links that the vectors did not see. No rotation of the vectors moves it, so its
// coefficients rank pairs by other vectors of the same method too: those of another seed, or of all links.
func init() {
	Scorers.Add("fitted", Scorer{
		Help:  "log odds of a logistic regression on inner products, cosines and lengths of all vectors and on degrees, fitted to links that were held out from a training",
		Links: true, Held: true, Fitted: true, Fit: fitFitted,
	})
	Scorers.Add("degrees-fitted", Scorer{
		Help:      "the regression of fitted on what it reads of the training network alone: degrees, PageRank and degrees of neighbours",
		Untrained: true, Fitted: true, Fit: fitDegrees,
	})
}

// Coefficients are a regression of the score fitted, small enough to be kept.
type Coefficients struct {
	Features []string  `json:"features"` // F names
	Mean     []float64 `json:"mean"`     // (F) of each feature
	Scale    []float64 `json:"scale"`    // (F) one over its standard deviation; 0 where all are the same
	Products bool      `json:"products"` // of two features, each with itself and those after it, are features too
	Weights  []float64 `json:"weights"`  // (F) or (F + F(F+1)/2), and the intercept
	C        float64   `json:"c"`        // weight of the data against the penalty
	Links    int       `json:"links"`    // held out, that it is fitted to
	AUC      float64   `json:"auc"`      // of these, each by coefficients that were fitted without it
}

const (
	fittedBound  = 5    // of standardised features
	fittedFolds  = 3    // of the links held out, to choose by
	fittedChoice = 5000 // links held out, that the form is chosen by at most
)

// fittedForms are what is tried: without products and with them, by the weight of the data.
var fittedForms = []Coefficients{{C: 1}, {Products: true, C: .01}, {Products: true, C: .1}, {Products: true, C: 1}}

// ErrFewLinks is wrapped by the error of the score fitted where too few links are held out for it.
var ErrFewLinks = errors.New("too few links are held out, or too few pairs without a link")

func fitFitted(ctx context.Context, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
	if v.Held == nil {
		c := o.Coefficients[o.Kind]
		if c == nil {
			return nil, errors.New("eval: score fitted: expected vectors of a training with links held out, or coefficients that were fitted to some")
		}
		return c.Scorer(ctx, v, s, o.Threads)
	}
	c, apart, err := FitCoefficients(ctx, *v.Held, o)
	if err != nil {
		return nil, err
	}
	if v.Held.Split != s {
		return c.Scorer(ctx, v, s, o.Threads)
	}
	scorer, err := scorerOf(ctx, v, s, o.Threads, func(l network.Link) *Coefficients { return apart[foldOf(l)] })
	if scorer != nil {
		scorer.Coefficients = c
	}
	return scorer, err
}

func fitDegrees(ctx context.Context, _ Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
	kept, test, err := s.Spare(foldShare, o.Seed)
	if err != nil {
		return nil, fmt.Errorf("eval: score degrees-fitted: %w", err)
	}
	held := Held{Split: &network.Split{Names: s.Names, Directed: s.Directed, Train: kept, Test: test, Options: network.SplitOptions{Seed: o.Seed}}}
	c, _, err := FitCoefficients(ctx, held, o)
	if err != nil {
		return nil, err
	}
	return c.Scorer(ctx, Vectors{}, s, o.Threads)
}

// FitCoefficients fits the score to the links that were held out from a training, the test links of
// held.Split, against random pairs and, of a directed network, reverses of links, or against what the options
// ask for. The form, with products or without, and how much is shrunk is chosen by these links: each third is
// ranked by what the others say. It also returns the coefficients without each third.
//
// It returns an error for vectors that do not fit the split, where no link is held out, and ctx's.
func FitCoefficients(ctx context.Context, held Held, o ScoreOptions) (*Coefficients, []*Coefficients, error) {
	s := held.Split
	p, err := newPairFeatures(ctx, held.Vectors, s, o.Threads)
	if err != nil {
		return nil, nil, err
	}
	f := fold{pos: fitted(s.Test)}
	if o.Joined {
		joined := joinedPairs(len(s.Names), s)
		f.pos = seq.Filter(f.pos, joined)
	}
	if len(f.pos) == 0 {
		return nil, nil, fmt.Errorf("eval: score fitted: %w: expected some that are no self-loops", ErrFewLinks)
	}
	whole := *s
	whole.Train = slices.Concat(s.Train, s.Test)
	var neg []network.Link
	if again := NegativesKinds.Get(o.Kind).Again; again != nil {
		for draw := range uint64(foldNegatives) {
			neg = append(neg, again(fittedTo(&whole, f.pos, s.Train), draw)...)
		}
	} else {
		neg = f.negatives(&whole, s.Train, o, s.Options.Seed)
	}
	if o.Joined {
		neg = seq.Filter(neg, joinedPairs(len(s.Names), s))
	}
	data := fittedData{links: slices.Concat(f.pos, neg), label: make([]bool, len(f.pos)+len(neg))}
	for i := range f.pos {
		data.label[i] = true
	}
	data.x, err = p.matrix(ctx, data.links, o.Threads)
	if err != nil {
		return nil, nil, err
	}
	few := data.some(float64(fittedChoice) / float64(len(f.pos)))
	var best *Coefficients
	for _, form := range fittedForms {
		form.Features, form.Links = p.names, len(f.pos)
		if form.AUC, _, err = form.apart(ctx, few, o.Threads); err != nil {
			return nil, nil, err
		}
		if best == nil || form.AUC > best.AUC {
			best = &form
		}
	}
	auc, apart, err := best.apart(ctx, data, o.Threads)
	if err != nil {
		return nil, nil, err
	}
	if best, err = best.fit(ctx, data, fittedTolerance, o.Threads); err == nil {
		best.AUC = auc
	}
	return best, apart, err
}

// fittedData are pairs, their features (n,F) and whether they are links.
type fittedData struct {
	links []network.Link
	x     [][]float64
	label []bool
}

// some returns about a share of the data, all of them for 1 and more.
func (d fittedData) some(share float64) fittedData {
	if share >= 1 {
		return d
	}
	return d.only(func(l network.Link) bool { return rng.New(1, "fitted-some", pairNumber(l)).Float64() < share })
}

func (d fittedData) only(has func(network.Link) bool) fittedData {
	var out fittedData
	for i, l := range d.links {
		if has(l) {
			out.links, out.x, out.label = append(out.links, l), append(out.x, d.x[i]), append(out.label, d.label[i])
		}
	}
	return out
}

// foldOf returns the third that a pair is in, the same for both directions.
func foldOf(l network.Link) int { return rng.New(1, "fitted-fold", pairNumber(l)).Intn(fittedFolds) }

// pairNumber tells a pair from others, whatever its direction.
func pairNumber(l network.Link) uint64 {
	l = one(l, false)
	return uint64(uint32(l.From))<<32 | uint64(uint32(l.To))
}

// matrix returns the features of links.
func (p *pairFeatures) matrix(ctx context.Context, links []network.Link, threads int) ([][]float64, error) {
	x := make([][]float64, len(links))
	err := forRows(ctx, len(links), threads, func(lo, hi int) {
		var buf []float64
		for i := lo; i < hi; i++ {
			x[i] = make([]float64, len(p.names))
			p.fill(x[i], links[i], &buf)
		}
	})
	return x, err
}

// apart returns the AUC of links that are ranked by coefficients of the same form, each fitted without a
// third, and these.
func (c Coefficients) apart(ctx context.Context, d fittedData, threads int) (auc float64, parts []*Coefficients, err error) {
	sum, n := 0., 0.
	for k := range fittedFolds {
		rest := d.only(func(l network.Link) bool { return foldOf(l) != k })
		own := d.only(func(l network.Link) bool { return foldOf(l) == k })
		part, err := c.fit(ctx, rest, fittedTolerance, threads)
		if err != nil {
			return 0, nil, err
		}
		parts = append(parts, part)
		var pos, neg []float64
		buf := make([]float64, part.columns())
		for i, f := range own.x {
			if score := part.logOdds(f, buf); own.label[i] {
				pos = append(pos, score)
			} else {
				neg = append(neg, score)
			}
		}
		if len(pos) > 0 && len(neg) > 0 {
			slices.Sort(pos)
			slices.Sort(neg)
			sum, n = sum+aucSorted(pos, neg)*float64(len(pos)), n+float64(len(pos))
		}
	}
	return sum / max(1, n), parts, nil
}

// columns returns how many features there are, with products.
func (c *Coefficients) columns() int {
	f := len(c.Features)
	if c.Products {
		f += f * (f + 1) / 2
	}
	return f
}

// standard sets dst to the features of a pair as the regression reads them.
func (c *Coefficients) standard(dst, x []float64) {
	f := len(c.Features)
	for j, y := range x {
		dst[j] = min(max((y-c.Mean[j])*c.Scale[j], -fittedBound), fittedBound)
	}
	if c.Products {
		at := f
		for i := range f {
			for j := i; j < f; j++ {
				dst[at] = dst[i] * dst[j]
				at++
			}
		}
	}
}

// logOdds returns the score of a pair with features x. buf has room for c.columns numbers.
func (c *Coefficients) logOdds(x, buf []float64) float64 {
	c.standard(buf, x)
	sum := c.Weights[len(buf)]
	for j, y := range buf {
		sum += c.Weights[j] * y
	}
	return sum
}

// fit returns coefficients of the form of c, with a residual of the solver up to a tolerance.
func (c Coefficients) fit(ctx context.Context, d fittedData, tolerance float64, threads int) (*Coefficients, error) {
	n, f := float64(len(d.x)), len(c.Features)
	if len(d.x) == 0 || !slices.Contains(d.label, true) || !slices.Contains(d.label, false) {
		return nil, fmt.Errorf("eval: score fitted: %w: expected some of both in each third", ErrFewLinks)
	}
	c.Mean, c.Scale = make([]float64, f), make([]float64, f)
	for _, x := range d.x {
		for j, y := range x {
			c.Mean[j] += y / n
		}
	}
	for _, x := range d.x {
		for j, y := range x {
			c.Scale[j] += (y - c.Mean[j]) * (y - c.Mean[j]) / n
		}
	}
	for j, square := range c.Scale {
		if c.Scale[j] = 1 / math.Sqrt(square); square < alike*alike*max(1, c.Mean[j]*c.Mean[j]) {
			c.Scale[j] = 0
		}
	}
	z := matrix{cols: c.columns()}
	buf := make([]float64, z.cols)
	for _, x := range d.x {
		c.standard(buf, x)
		for _, y := range buf {
			z.data = append(z.data, float32(y))
		}
	}
	mean, scale := z.standardise() // once more, so that products are shrunk as much as others
	fit, err := Logistic(ctx, z, d.label, LogisticOptions{C: c.C, Threads: threads, Tolerance: tolerance})
	if err != nil {
		return nil, err
	}
	c.Weights = fit.Weights
	for j := range mean {
		c.Weights[j] *= scale[j]
		c.Weights[z.cols] -= c.Weights[j] * mean[j]
	}
	return &c, nil
}

// fittedTolerance is at which residual the solver stops: more moves no AUC by more than .0001.
const fittedTolerance = 1e-4

// Scorer returns what scores links of a split by these coefficients and some vectors. It returns an error for
// vectors that have other features, and for coefficients that are not as many as these need.
func (c *Coefficients) Scorer(ctx context.Context, v Vectors, s *network.Split, threads int) (*LinkScorer, error) {
	if f := len(c.Features); len(c.Mean) != f || len(c.Scale) != f || len(c.Weights) != c.columns()+1 {
		return nil, fmt.Errorf("eval: score fitted: %d means, %d scales and %d weights for %d features: expected %d, %d and %d",
			len(c.Mean), len(c.Scale), len(c.Weights), f, f, f, c.columns()+1)
	}
	scorer, err := scorerOf(ctx, v, s, threads, func(network.Link) *Coefficients { return c })
	if scorer != nil {
		scorer.Coefficients = c
	}
	return scorer, err
}

func scorerOf(ctx context.Context, v Vectors, s *network.Split, threads int, by func(network.Link) *Coefficients) (*LinkScorer, error) {
	p, err := newPairFeatures(ctx, v, s, threads)
	if err != nil {
		return nil, err
	}
	if c := by(network.Link{}); !slices.Equal(c.Features, p.names) {
		return nil, fmt.Errorf("eval: score fitted: coefficients of the features %q, and vectors with %q: expected the same", c.Features, p.names)
	}
	out := pairwise(ctx, len(s.Names), threads, func() (func(int), func(u, v int) float64) {
		x, buf := make([]float64, len(p.names)), make([]float64, by(network.Link{}).columns())
		var room []float64
		return whatever, func(u, v int) float64 {
			l := network.Link{From: int32(u), To: int32(v)}
			p.fill(x, l, &room)
			return by(l).logOdds(x, buf)
		}
	})
	out.N, out.Directed = len(s.Names), s.Directed
	return out, nil
}

// joinedPairs returns what reports whether both ends of a pair have a training link, and lie in one
// component.
func joinedPairs(n int, s *network.Split) func(network.Link) bool {
	part := seq.Upto(int32(n)) // a vertex of the same component, itself for one
	root := func(v int32) int32 {
		for part[v] != v {
			part[v] = part[part[v]]
			v = part[v]
		}
		return v
	}
	linked := make([]bool, n)
	for _, l := range s.Train {
		if l.From != l.To {
			linked[l.From], linked[l.To] = true, true
			part[root(l.From)] = root(l.To)
		}
	}
	for v := range part {
		part[v] = root(int32(v))
	}
	return func(l network.Link) bool { return linked[l.From] && linked[l.To] && part[l.From] == part[l.To] }
}
