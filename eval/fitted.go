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
//   - inner products and cosines of the vectors of its ends, of sources and targets in all ways, plain and by
//     how far vectors spread along each direction, and logarithms of lengths;
//   - where a vertex has several vectors, the largest, the log-sum-exp and the mean over their pairs;
//   - of the training network, logarithms of degrees, of PageRank and of the mean degree of neighbours.
//
// They are standardised, cut off at ±5 and, where held-out links say so, multiplied with one another. The
// regression is fitted to links that the vectors did not see. No rotation of the vectors moves it, so its
// coefficients rank pairs by other vectors of the same method too: those of another seed, or of all links.
func init() {
	Scorers.Add("fitted", Scorer{
		Help:  "log odds of a logistic regression on inner products, cosines and lengths of all vectors and on degrees, fitted to links that were held out from a training",
		Links: true, Held: true, Fitted: true, Kinds: true, Fit: fitFitted,
	})
	Scorers.Add("degrees-fitted", Scorer{
		Help:      "the regression of fitted on what it reads of the training network alone: degrees, PageRank and degrees of neighbours",
		Untrained: true, Fitted: true, Kinds: true, Fit: fitDegrees,
	})
}

// Coefficients are a regression of the score fitted, small enough to be kept.
type Coefficients struct {
	Features []string  `json:"features"` // F names
	Mean     []float32 `json:"mean"`     // (F) of each feature
	Scale    []float32 `json:"scale"`    // (F) one over its standard deviation; 0 where all are the same
	Products bool      `json:"products"` // of two features, each with itself and those after it, are features too
	Weights  []float32 `json:"weights"`  // (F) or (F + F(F+1)/2), and the intercept
	C        float64   `json:"c"`        // weight of the data against the penalty
	Links    int       `json:"links"`    // held out, that it is fitted to
	AUC      float64   `json:"auc"`      // of these, each by coefficients that were fitted without it
}

const (
	alike        = 1e-9 // by how much numbers may differ, of their size, that are equal but for rounding
	fittedBound  = 5    // of standardised features
	fittedFolds  = 3    // of the links held out, to choose by
	fittedChoice = 5000 // links held out, that the form is chosen by at most
)

// fittedForms are what is tried: without products and with them, by the weight of the data.
var fittedForms = []Coefficients{{C: 1}, {Products: true, C: .01}, {Products: true, C: .1}, {Products: true, C: 1}}

// ErrFewLinks is wrapped by the error of the score fitted where too few links are held out for it.
var ErrFewLinks = errors.New("too few links are held out, or too few pairs without a link")

func fitFitted(ctx context.Context, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
	if len(v.Held) == 0 {
		c := o.Coefficients[o.Kind]
		if c == nil {
			return nil, errors.New("eval: score fitted: expected vectors of a training with links held out, or coefficients that were fitted to some")
		}
		return c.Scorer(ctx, v, s, o.Threads)
	}
	c, apart, err := FitCoefficients(ctx, v.Held, o)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(v.Held, func(h Held) bool { return h.Split == s }) {
		return c.Scorer(ctx, v, s, o.Threads)
	}
	scorer, err := scorerOf(ctx, v, s, o.Threads, func(l network.Link) *Coefficients { return apart[foldOf(l)] })
	if scorer != nil {
		scorer.Coefficients = c
	}
	return scorer, err
}

func fitDegrees(ctx context.Context, _ Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
	var held []Held
	for links := 0; NeedsMore(len(held), links); links += len(held[len(held)-1].Split.Test) {
		one, err := s.HoldOutAlike(foldShare, o.Seed+uint64(len(held)))
		if err != nil {
			return nil, fmt.Errorf("eval: score degrees-fitted: %w", err)
		}
		held = append(held, Held{Split: one})
	}
	c, _, err := FitCoefficients(ctx, held, o)
	if err != nil {
		return nil, err
	}
	return c.Scorer(ctx, Vectors{}, s, o.Threads)
}

// NeedsMore reports whether links have to be held out once more for the score fitted, after so many times and
// links: until there are 2,000, and five times at most. Coefficients that were fitted to the 160 links that a
// network of 1,600 can spare are those of chance.
func NeedsMore(times, links int) bool { return times < 5 && links < 2000 }

// FitCoefficients fits the score to the links that were held out from one or several trainings of a method,
// which are the test links of their splits: against random pairs and, of a directed network, reverses of
// links, or against what the options ask for. The form, with products or without, and how much is shrunk is
// chosen by these links: each third is ranked by what the others say. It also returns the coefficients
// without each third.
//
// It returns an error for vectors that do not fit their splits, or are of several methods; where no link is
// held out; and ctx's.
func FitCoefficients(ctx context.Context, held []Held, o ScoreOptions) (*Coefficients, []*Coefficients, error) {
	var data fittedData
	var names []string
	for _, h := range held {
		if err := data.add(ctx, h, &names, o); err != nil {
			return nil, nil, err
		}
	}
	links := seq.Count(data.label, func(isLink bool) bool { return isLink })
	if links == 0 {
		return nil, nil, fmt.Errorf("eval: score fitted: %w: expected some that are no self-loops", ErrFewLinks)
	}
	few := data.some(float64(fittedChoice) / float64(links))
	var best *Coefficients
	var apart []*Coefficients
	for _, form := range fittedForms {
		form.Features, form.Links = names, links
		auc, parts, err := form.apart(ctx, few, o.Threads)
		if err != nil {
			return nil, nil, err
		}
		if form.AUC = auc; best == nil || auc > best.AUC {
			best, apart = &form, parts
		}
	}
	auc := best.AUC
	var err error
	if len(few.x) < len(data.x) {
		if auc, apart, err = best.apart(ctx, data, o.Threads); err != nil {
			return nil, nil, err
		}
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

// add adds the links that were held out from a training, and pairs without a link. names are those of the
// features, once there are some.
func (d *fittedData) add(ctx context.Context, held Held, names *[]string, o ScoreOptions) error {
	s := held.Split
	p, err := newPairFeatures(ctx, held.Vectors, s, o.Threads)
	if err != nil {
		return err
	}
	if *names != nil && !slices.Equal(*names, p.names) {
		return fmt.Errorf("eval: score fitted: vectors with the features %q, and others with %q: expected those of one method", *names, p.names)
	}
	*names = p.names
	keep := func(network.Link) bool { return true }
	if o.Joined {
		keep = joinedPairs(len(s.Names), s)
	}
	f := fold{pos: seq.Filter(fitted(s.Test), keep)}
	links := append(f.pos, seq.Filter(f.negativesOf(s, o), keep)...)
	x, err := p.matrix(ctx, links, o.Threads)
	for i := range links {
		d.label = append(d.label, i < len(f.pos))
	}
	d.links, d.x = append(d.links, links...), append(d.x, x...)
	return err
}

// negativesOf returns the pairs without a link that links held out are told from: of the kind that the
// options name, of several draws where there are such.
func (f fold) negativesOf(s *network.Split, o ScoreOptions) (neg []network.Link) {
	whole := *s
	whole.Train = slices.Concat(s.Train, s.Test)
	kind := NegativesKinds.Get(o.Kind)
	if kind.Held != nil && s.Directed {
		if neg = kind.Held(s); len(neg) > 0 {
			return neg
		}
	}
	if kind.Again == nil {
		return f.negatives(&whole, s.Train, o, s.Options.Seed)
	}
	for draw := range uint64(foldNegatives) {
		neg = append(neg, kind.Again(fittedTo(&whole, f.pos, s.Train), draw)...)
	}
	return neg
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
		dst[j] = min(max((y-float64(c.Mean[j]))*float64(c.Scale[j]), -fittedBound), fittedBound)
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
	sum := float64(c.Weights[len(buf)])
	for j, y := range buf {
		sum += float64(c.Weights[j]) * y
	}
	return sum
}

// fit returns coefficients of the form of c, with a residual of the solver up to a tolerance.
func (c Coefficients) fit(ctx context.Context, d fittedData, tolerance float64, threads int) (*Coefficients, error) {
	n, f := float64(len(d.x)), len(c.Features)
	if len(d.x) == 0 || !slices.Contains(d.label, true) || !slices.Contains(d.label, false) {
		return nil, fmt.Errorf("eval: score fitted: %w: expected some of both in each third", ErrFewLinks)
	}
	sum, square := make([]float64, f), make([]float64, f)
	for _, x := range d.x {
		for j, y := range x {
			sum[j] += y / n
		}
	}
	for _, x := range d.x {
		for j, y := range x {
			square[j] += (y - sum[j]) * (y - sum[j]) / n
		}
	}
	c.Mean, c.Scale = make([]float32, f), make([]float32, f)
	for j, mean := range sum {
		if c.Mean[j] = float32(mean); square[j] >= alike*alike*max(1, mean*mean) {
			c.Scale[j] = float32(1 / math.Sqrt(square[j]))
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
	c.Weights = make([]float32, z.cols+1)
	intercept := fit.Weights[z.cols]
	for j := range mean {
		w := fit.Weights[j] * scale[j]
		c.Weights[j] = float32(w)
		intercept -= w * mean[j]
	}
	c.Weights[z.cols] = float32(intercept)
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
