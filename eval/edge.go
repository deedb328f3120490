package eval

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/network"
)

// A classifier sees a link as a vector that an operator makes of those of its ends, dimension by dimension. Each operator here is the same both
// ways, so that a link and its reverse have the same features, bit for bit.
//
// Source: Grover and Leskovec, KDD 2016, Table 1; Park et al., KDD 2020, section 4, take the product.
func init() {
	Scorers.Add("lr", withPanels(classifier("log odds of a logistic regression on products of the vectors, dimension by dimension (Hadamard)", product)))
}

func product(dst, u, v []float32) {
	u, v = u[:len(dst)], v[:len(dst)]
	for j := range dst {
		dst[j] = u[j] * v[j]
	}
}

// operator fills dst (D) with the features of a link between vertices with the vectors u and v.
type operator func(dst, u, v []float32)

// classifier returns the score of a logistic regression on the features of links.
func classifier(help string, of operator) Scorer {
	return Scorer{
		Help: help, Source: "Grover and Leskovec, KDD 2016", Classifier: true, Fitted: true,
		Parameters: classifierParameters,
		Fit: func(ctx context.Context, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
			negatives := s.TrainNeg
			if o.Against != nil {
				negatives = o.Against(fittedTo(s, s.Train, s.Train))
			}
			return fitLinks(ctx, edges{v.One, of, s.Train, negatives}, o)
		},
	}
}

// withPanels finds rows of a classifier of products by inner products, which its log odds are.
func withPanels(s Scorer) Scorer {
	fit := s.Fit
	s.Fit = func(ctx context.Context, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
		out, err := fit(ctx, v, s, o)
		if err != nil {
			return out, err
		}
		square, err := squares(ctx, v.One, o.Threads)
		if w, b := out.Weights[:v.One.D], out.Weights[v.One.D]; moderate(square) {
			out.Rows = panels(v.One, func(dst []float32, u int) {
				for j, x := range v.One.Row(u) {
					dst[j] = float32(w[j] * float64(x))
				}
			}, func(uv float64, _, _ int) float64 { return uv + b })
		}
		return out, err
	}
	return s
}

var classifierParameters = []option.Param{{Key: "score-c", Help: "weight of the data against the penalty on weights", Default: 1, OpenMin: true, Max: math.Inf(1)}}

// fitLinks fits the classifier to the training links (label 1) and negatives (label 0) whose features it gets.
func fitLinks(ctx context.Context, x edges, o ScoreOptions) (*LinkScorer, error) {
	label := make([]bool, x.Rows())
	for i := range x.pos {
		label[i] = true
	}
	fit, err := Logistic(ctx, x, label, LogisticOptions{C: o.Values.Of("score-c"), Threads: o.Threads, Start: o.Start})
	if err != nil {
		return nil, err
	}
	e, w, b := x.Embedding, fit.Weights[:x.D], fit.Weights[x.D]
	out := pairwise(ctx, e.N, o.Threads, func() (func(int), func(u, v int) float64) {
		buf := make([]float32, e.D)
		return whatever, func(u, v int) float64 {
			x.of(buf, e.Row(u), e.Row(v))
			return dot(w, buf) + b
		}
	})
	out.Weights, out.Iterations = fit.Weights, fit.Iterations
	return out, nil
}

// edges is the feature matrix of links, in float32. It is computed when it is read, and never stored.
type edges struct {
	Embedding
	of       operator
	pos, neg []network.Link // the rows of pos come first
}

// Rows returns the number of links.
func (x edges) Rows() int { return len(x.pos) + len(x.neg) }

// Block fills buf with the features of links lo to hi.
func (x edges) Block(lo, hi int, buf []float32) []float32 {
	buf = buf[:(hi-lo)*x.D]
	for i := lo; i < hi; i++ {
		l := x.link(i)
		x.of(buf[(i-lo)*x.D:(i-lo+1)*x.D], x.Row(int(l.From)), x.Row(int(l.To)))
	}
	return buf
}

func (x edges) link(i int) network.Link {
	if i < len(x.pos) {
		return x.pos[i]
	}
	return x.neg[i-len(x.pos)]
}
