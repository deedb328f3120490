package eval

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/floats"
)

// Ways to score a link without a classifier, from one vector of each of its ends.
const (
	ScoringCosine = "cosine"
	ScoringDot    = "dot" // the inner product
)

// LinkScorer gives links scores, the same that link prediction ranks them by: a larger one is a likelier link. A link and its
// reverse have the same score.
type LinkScorer struct {
	Scoring string // ScoringLR, ScoringSum, ...
	N       int    // vertices

	score linkScorer
	// row sets out (N) to the scores of (u,v) for all v, up to rounding; buf has D numbers. nil where score has no shortcut.
	row func(u int, buf, out []float64)
	d   int
}

// Score returns a score for each link: log odds in nats for ScoringLR, a sum or the largest of cosines for those of Similarity,
// a cosine or an inner product. It returns an error for a link of other vertices, and when the scorer's context has ended.
func (s *LinkScorer) Score(links []network.Link) ([]float64, error) {
	if err := checkLinks("links", links, s.N); err != nil {
		return nil, err
	}
	return s.score(links)
}

// NewClassifier fits the classifier of LinkPrediction to the training links and negatives of a split, and returns what scores
// links by its log odds. It takes what LinkPrediction takes, but needs no test links. It returns an error for an embedding that
// Validate refuses, links that are not of its vertices or missing, and where ctx is done.
func NewClassifier(ctx context.Context, e Embedding, s *network.Split, o LinkOptions) (*LinkScorer, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	if err := checkSplit("NewClassifier", e.N, s, []list{{"train", s.Train}, {"train_neg", s.TrainNeg}}); err != nil {
		return nil, err
	}
	fit, err := fitLinks(ctx, e, s, o)
	if err != nil {
		return nil, err
	}
	w, b := fit.Weights[:e.D], fit.Weights[e.D]
	return &LinkScorer{
		Scoring: ScoringLR, N: e.N, d: e.D,
		score: func(links []network.Link) ([]float64, error) { return LogOdds(ctx, e, links, fit.Weights, o.Threads) },
		row: func(u int, buf, out []float64) {
			for j, x := range e.Row(u) {
				buf[j] = w[j] * float64(x)
			}
			for v := range out {
				out[v] = dot(buf, e.Row(v)) + b
			}
		},
	}, nil
}

// NewScorer returns what scores links by one vector of each end: ScoringCosine, which is 0 for a zero vector, or ScoringDot.
// It returns an error for vectors that are not finite, and for another scoring.
func NewScorer(ctx context.Context, e Embedding, scoring string, threads int) (*LinkScorer, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	if scoring != ScoringCosine && scoring != ScoringDot {
		return nil, fmt.Errorf("eval: NewScorer: scoring %q: want %q or %q", scoring, ScoringCosine, ScoringDot)
	}
	square, err := squares(ctx, e, threads)
	if err != nil {
		return nil, err
	}
	of := func(uv float64, u, v int) float64 {
		if scoring == ScoringCosine {
			return cosine(uv, square[u], square[v])
		}
		return uv
	}
	return &LinkScorer{
		Scoring: scoring, N: e.N, d: e.D,
		score: func(links []network.Link) ([]float64, error) {
			out := make([]float64, len(links))
			err := forRows(ctx, len(links), threads, func(lo, hi int) {
				wide := make([]float64, e.D)
				for i := lo; i < hi; i++ {
					u, v := int(links[i].From), int(links[i].To)
					widen(wide, e.Row(u))
					out[i] = of(dot(wide, e.Row(v)), u, v)
				}
			})
			return out, err
		},
		row: func(u int, buf, out []float64) {
			widen(buf, e.Row(u))
			for v := range out {
				out[v] = of(dot(buf, e.Row(v)), u, v)
			}
		},
	}, nil
}

// NewSimilarity returns what scores links by the similarities of Similarity, from several vectors of each end; see there for
// scorings and errors.
func NewSimilarity(ctx context.Context, s MultiEmbedding, scoring string, threads int) (*LinkScorer, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	out := &LinkScorer{Scoring: scoring, N: s.N(), d: s.D}
	var err error
	if scoring == ScoringSum || scoring == ScoringWeighted && s.Share != nil {
		share := s.Share
		if scoring == ScoringSum {
			share = nil
		}
		var sums []float64
		if sums, err = unitSums(ctx, s, share, threads); err != nil {
			return nil, err
		}
		out.row = func(u int, _, scores []float64) {
			own := sums[u*s.D : (u+1)*s.D]
			for v := range scores {
				scores[v] = floats.Dot(own, sums[v*s.D:(v+1)*s.D])
			}
		}
	}
	out.score, err = similarity(ctx, s, scoring, threads)
	return out, err
}

// Probability turns log odds in nats into the probability of a link, in [0,1], among as many links as random pairs: the
// classifier has learnt from as many of each.
func Probability(logOdds float64) float64 { return 1 / (1 + math.Exp(-logOdds)) }
