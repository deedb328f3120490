package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// ClassifyOptions says how Classify splits the vertices, and how it fits; the zero value is what DeepWalk's paper does.
type ClassifyOptions struct {
	Shares  []float64 // of the vertices to learn from, each in (0,1); nil means .1, .2, ... .9
	Splits  int       // random splits for each share, >= 1; 0 means 10
	Seed    uint64    // of the splits
	C       float64   // as in LogisticOptions
	Threads int       // as in ScoreOptions
}

// Classified is how well labels are predicted from a share of the vertices: means over the splits, and standard deviations, 0
// for a single split.
type Classified struct {
	Share  float64 `json:"share"`
	Train  int     `json:"train"` // vertices
	Test   int     `json:"test"`
	Splits int     `json:"splits"`
	F1     F1      `json:"f1"`
	SD     F1      `json:"f1_sd"`
	// Frequent is that of the labels that the most training vertices have, whatever the vectors say.
	Frequent F1 `json:"f1_of_frequent_labels"`
}

// Classify predicts the labels of vertices from their vectors, one against the rest: for each label a logistic regression is
// fitted to the training vertices, and a test vertex with m labels gets the m with the highest log odds. That m is known is the
// convention of the papers below. Labels without a training vertex come last, those that all of them have first, and ties go
// to the smaller label.
//
// All vectors are multiplied by one number, so that the mean square of their numbers is 1. Otherwise the penalty would weigh as
// the scale of a table has it, which no score of links depends on: with DeepWalk's final vectors as this program scales them,
// labels of Cora were predicted from a tenth of the vertices with micro F1 .41, and .73 with its centres.
//
// labels[v] are the labels of vertex v, at least one, sorted, each once and from 0 up to count-1. A split is a random order
// of the vertices, of which the first share, rounded down, is learnt from; all shares use the same orders. The result does not
// depend on the number of threads.
//
// It returns an error for vectors that are not finite, labels that do not fit, options out of range, a share that leaves no
// vertex to learn from, and when ctx ends.
//
// Source: Perozzi et al., KDD 2014 (DeepWalk), section 5, with example_graphs/scoring.py of its code; Grover and Leskovec, KDD
// 2016 (node2vec), section 4.3. Differs: vectors are brought to one scale, and the intercept is not penalised, as it is by
// LIBLINEAR.
func Classify(ctx context.Context, e Embedding, labels [][]int32, count int, o ClassifyOptions) ([]Classified, error) {
	o, err := o.resolve(e, labels, count)
	if err != nil {
		return nil, err
	}
	e = unitScale(e)
	orders := make([][]int, o.Splits)
	for i := range orders {
		orders[i] = rng.New(o.Seed, "labels", uint64(i)).Perm(e.N)
	}
	var out []Classified
	for _, share := range o.Shares {
		train := int(share*float64(e.N) + 1e-9) // .7 of 10 is 7, and 6.999... in float64
		if train < 1 || train >= e.N {
			return nil, fmt.Errorf("eval: Classify: %v of %d vertices to learn from: expected at least one, and one to test on", share, e.N)
		}
		var of, frequent []F1
		for _, order := range orders {
			one := split{e: e, labels: labels, count: count, train: order[:train], test: order[train:]}
			f, err := one.score(ctx, o)
			if err != nil {
				return nil, err
			}
			of, frequent = append(of, f), append(frequent, one.frequent())
		}
		c := Classified{Share: share, Train: train, Test: e.N - train, Splits: o.Splits}
		c.F1, c.SD = spreadF1(of)
		c.Frequent, _ = spreadF1(frequent)
		out = append(out, c)
	}
	return out, nil
}

// unitScale returns vectors in proportion, with a mean square of 1 for each number; zeros stay zeros.
func unitScale(e Embedding) Embedding {
	var sum float64
	for _, x := range e.Data {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return e
	}
	by := math.Sqrt(float64(len(e.Data)) / sum)
	out := Embedding{N: e.N, D: e.D, Data: make([]float32, len(e.Data))}
	for i, x := range e.Data {
		out.Data[i] = float32(float64(x) * by)
	}
	return out
}

func (o ClassifyOptions) resolve(e Embedding, labels [][]int32, count int) (ClassifyOptions, error) {
	if err := e.Validate(); err != nil {
		return o, err
	}
	if len(labels) != e.N || count < 2 {
		return o, fmt.Errorf("eval: Classify: %d labels of %d vertices for %d vectors: expected a list for each vector, and at least 2 labels", count, len(labels), e.N)
	}
	for v, of := range labels {
		if len(of) == 0 {
			return o, fmt.Errorf("eval: Classify: vertex %d has no label: expected at least one", v)
		}
		for i, l := range of {
			if l < 0 || int(l) >= count || i > 0 && of[i-1] >= l {
				return o, fmt.Errorf("eval: Classify: labels %v of vertex %d: expected them sorted, each once, from 0 to %d", of, v, count-1)
			}
		}
	}
	if o.Shares == nil {
		for i := 1; i < 10; i++ {
			o.Shares = append(o.Shares, float64(i)/10)
		}
	}
	for _, s := range o.Shares {
		if !(s > 0 && s < 1) {
			return o, fmt.Errorf("eval: Classify: a share of %v of the vertices to learn from: expected one between 0 and 1", s)
		}
	}
	if o.Splits == 0 {
		o.Splits = 10
	}
	if o.Splits < 1 {
		return o, fmt.Errorf("eval: Classify: %d splits: expected at least 1", o.Splits)
	}
	return o, nil
}

// split is one division of the vertices.
type split struct {
	e           Embedding
	labels      [][]int32
	count       int
	train, test []int
}

// classifyTolerance is looser than that of link prediction: which labels are predicted hardly depends on it.
const classifyTolerance = 1e-5

// score fits a classifier for each label and counts what they predict.
func (s split) score(ctx context.Context, o ClassifyOptions) (F1, error) {
	scores := make([]float64, s.count*len(s.test)) // (labels, test)
	work := threads(o.Threads)
	failed := make([]error, s.count)
	par.Blocks(work, s.count, func(_, l int) {
		if ctx.Err() == nil {
			failed[l] = s.fit(ctx, int32(l), scores[l*len(s.test):(l+1)*len(s.test)], o)
		}
	})
	if err := ctx.Err(); err != nil {
		return F1{}, err
	}
	for l, err := range failed {
		if err != nil {
			return F1{}, fmt.Errorf("eval: Classify: label %d: %w", l, err)
		}
	}
	counts := newLabelCounts(s.count)
	own := make([]float64, s.count)
	for i, v := range s.test {
		for l := range own {
			own[l] = scores[l*len(s.test)+i]
		}
		counts.add(s.labels[v], highest(own, len(s.labels[v])))
	}
	return counts.f1(), nil
}

// fit sets scores to the log odds of one label for the test vertices.
func (s split) fit(ctx context.Context, l int32, scores []float64, o ClassifyOptions) error {
	has := make([]bool, len(s.train))
	with := 0
	for i, v := range s.train {
		if _, has[i] = slices.BinarySearch(s.labels[v], l); has[i] {
			with++
		}
	}
	if with == 0 || with == len(s.train) {
		for i := range scores {
			scores[i] = math.Inf(with - 1) // first where all have it, last where none has
		}
		return nil
	}
	fit, err := Logistic(ctx, picked{s.e, s.train}, has, LogisticOptions{C: o.C, Tolerance: classifyTolerance, Threads: 1})
	if err != nil {
		return err
	}
	for i, v := range s.test {
		scores[i] = dot(fit.Weights[:s.e.D], s.e.Row(v)) + fit.Weights[s.e.D]
	}
	return nil
}

// frequent is the score of the labels that the most training vertices have.
func (s split) frequent() F1 {
	often := make([]float64, s.count)
	for _, v := range s.train {
		for _, l := range s.labels[v] {
			often[l]++
		}
	}
	counts := newLabelCounts(s.count)
	for _, v := range s.test {
		counts.add(s.labels[v], highest(often, len(s.labels[v])))
	}
	return counts.f1()
}

// highest returns the m labels with the highest scores, sorted by label.
func highest(scores []float64, m int) []int32 {
	order := make([]int32, len(scores))
	for l := range order {
		order[l] = int32(l)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(scores[b], scores[a]) })
	order = order[:min(m, len(order))]
	slices.Sort(order)
	return order
}

// picked are some rows of a table.
type picked struct {
	Embedding
	rows []int
}

// Rows returns the number of rows picked.
func (p picked) Rows() int { return len(p.rows) }

// Block copies rows lo to hi.
func (p picked) Block(lo, hi int, buf []float32) []float32 {
	for i := lo; i < hi; i++ {
		copy(buf[(i-lo)*p.D:(i-lo+1)*p.D], p.Row(p.rows[i]))
	}
	return buf[:(hi-lo)*p.D]
}

func spreadF1(of []F1) (mean, sd F1) {
	var micro, macro []float64
	for _, f := range of {
		micro, macro = append(micro, f.Micro), append(macro, f.Macro)
	}
	mean.Micro, sd.Micro = spread(micro)
	mean.Macro, sd.Macro = spread(macro)
	return mean, sd
}

// spread returns the mean of some numbers, and their standard deviation with n-1 in the denominator, which is 0 for one number.
func spread(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	if len(x) < 2 {
		return mean, 0
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}
