package eval

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/network"
)

func init() {
	Scorers.Add("distance", Scorer{
		Help:       "minus the distance of the vectors",
		Parameters: []option.Param{{Key: "score-order", Help: "order of the norm", Default: 2, Min: 1, Max: 100}},
		Fit:        fitDistance,
	})
	Scorers.Add("lr-max", classifier("log odds of a logistic regression on the larger of both numbers", func(dst, u, v []float32) {
		for j := range dst {
			dst[j] = max(u[j], v[j])
		}
	}))
}

// fitDistance scores links by
//
//	s(u,v) = -(Σ_d |u_d - v_d|^p)^(1/p)
func fitDistance(_ context.Context, v Vectors, _ *network.Split, o ScoreOptions) (*LinkScorer, error) {
	p := o.Values.Of("score-order")
	return &LinkScorer{Links: func(links []network.Link) ([]float64, error) {
		scores := make([]float64, len(links))
		for i, l := range links {
			sum := 0.
			for d, x := range v.One.Row(int(l.From)) {
				sum += math.Pow(math.Abs(float64(x-v.One.Row(int(l.To))[d])), p)
			}
			scores[i] = -math.Pow(sum, 1/p)
		}
		return scores, nil
	}}, nil
}
