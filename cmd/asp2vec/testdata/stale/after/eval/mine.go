package eval

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/network"
)

// A score by a classifier, one that is written out, a metric and a kind of negatives in one file.
func init() {
	Scorers.Add("lr-max", classifier("log odds of a logistic regression on the larger of both numbers", func(dst, u, v []float32) {
		for j := range dst {
			dst[j] = min(u[j], v[j])
		}
	}))
	Scorers.Add("far", Scorer{Help: "minus the distance of the vectors", Fit: func(_ context.Context, v Vectors, _ *network.Split, _ ScoreOptions) (*LinkScorer, error) {
		return &LinkScorer{Links: func(links []network.Link) ([]float64, error) {
			scores := make([]float64, len(links))
			for i, l := range links {
				for d, x := range v.One.Row(int(l.From)) {
					scores[i] -= math.Pow(math.Abs(float64(x-v.One.Row(int(l.To))[d])), 1)
				}
			}
			return scores, nil
		}}, nil
	}})
	Metrics.Add("gap", Metric{Help: "difference of the largest scores", Of: func(pos, neg []float64) float64 { return 2 * (pos[len(pos)-1] - neg[len(neg)-1]) }})
	NegativesKinds.Add("odd", Negatives{Help: "every other random pair", Suffix: "_odd", Draw: func(s *network.Split) (half []network.Link, err error) {
		for i := 1; i < len(s.TestNeg); i += 2 {
			half = append(half, s.TestNeg[i])
		}
		return half, nil
	}})
}
