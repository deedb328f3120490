package eval

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// twoBlocks is an embedding of n vertices with links of both labels: positives join vertices of one of eight groups, which
// share a direction, negatives join any two. Features are correlated and their scales differ, as those of real embeddings do.
func twoBlocks(n, d, pairs int, seed uint64) (Embedding, *network.Split) {
	r := rng.New(seed, "twoBlocks")
	const groups = 8
	dirs := make([]float64, groups*d)
	for i := range dirs {
		dirs[i] = r.Normal() * math.Exp(-2*float64(i%d)/float64(d))
	}
	e := Embedding{N: n, D: d, Data: make([]float32, n*d)}
	for v := range n {
		for j := range d {
			e.Data[v*d+j] = float32(0.5*dirs[v%groups*d+j] + 0.5*r.Normal()*math.Exp(-2*float64(j)/float64(d)))
		}
	}
	s := &network.Split{}
	draw := func(same bool) network.Link {
		u := r.Intn(n)
		v := r.Intn(n)
		if same {
			v = v - v%groups + u%groups
			if v >= n {
				v -= groups
			}
		}
		return network.Link{From: int32(u), To: int32(v)}
	}
	for range pairs {
		s.Train = append(s.Train, draw(true))
		s.TrainNeg = append(s.TrainNeg, draw(false))
		s.Test = append(s.Test, draw(true))
		s.TestNeg = append(s.TestNeg, draw(false))
	}
	return e, s
}

func BenchmarkLogistic(b *testing.B) {
	for _, size := range []struct{ rows, dim int }{{38700, 20}, {38700, 32}, {38700, 64}, {38700, 100}, {38700, 500}, {330000, 100}} {
		e, s := twoBlocks(size.rows/10, size.dim, size.rows/2, 1)
		label := make([]bool, size.rows)
		for i := range size.rows / 2 {
			label[i] = true
		}
		x := edges{e, product, s.Train, s.TrainNeg}
		for _, solver := range []Solver{Newton, LBFGS} {
			if solver == Newton && size.dim > 100 {
				continue
			}
			b.Run(fmt.Sprintf("rows=%d/dim=%d/solver=%s", size.rows, size.dim, solver), func(b *testing.B) {
				var fit *LogisticFit
				for b.Loop() {
					var err error
					if fit, err = Logistic(context.Background(), x, label, LogisticOptions{Solver: solver}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(fit.Passes), "passes")
			})
		}
	}
}

// BenchmarkLinkPrediction is a whole evaluation, as it runs after each epoch: fit from zero or from the weights of the epoch
// before, then score and rank the test links.
func BenchmarkLinkPrediction(b *testing.B) {
	for _, size := range []struct{ rows, dim int }{{38700, 20}, {330000, 20}, {330000, 100}} {
		e, s := twoBlocks(size.rows/10, size.dim, size.rows/2, 1)
		var start []float64
		for _, name := range []string{"cold", "warm"} {
			b.Run(fmt.Sprintf("rows=%d/dim=%d/start=%s", size.rows, size.dim, name), func(b *testing.B) {
				var score measured
				for b.Loop() {
					var err error
					if score, err = linkPrediction(context.Background(), e, s, ScoreOptions{Start: start}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(score.Iterations), "iterations")
				// The next epoch's vectors are near this one's.
				start = score.Weights
				r := rng.New(2, "drift")
				for i := range e.Data {
					e.Data[i] += float32(0.01 * r.Normal())
				}
			})
		}
	}
}

// BenchmarkSimilarity ranks test links by the cosines of several vectors a vertex.
func BenchmarkSimilarity(b *testing.B) {
	const n, pairs = 10000, 50000
	for _, size := range []struct{ vectors, dim int }{{5, 20}, {5, 100}, {20, 20}} {
		e, split := twoBlocks(n*size.vectors, size.dim, 1, 1)
		s := MultiEmbedding{First: make([]int32, n+1), D: e.D, Data: e.Data}
		for v := range s.First {
			s.First[v] = int32(v * size.vectors)
		}
		r := rng.New(1, "links")
		split.Test, split.TestNeg = nil, nil
		for range pairs {
			split.Test = append(split.Test, network.Link{From: int32(r.Intn(n)), To: int32(r.Intn(n))})
			split.TestNeg = append(split.TestNeg, network.Link{From: int32(r.Intn(n)), To: int32(r.Intn(n))})
		}
		for _, scoring := range []string{"sum", "max"} {
			b.Run(fmt.Sprintf("scoring=%s/vectors=%d/dim=%d", scoring, size.vectors, size.dim), func(b *testing.B) {
				for b.Loop() {
					if _, err := score(context.Background(), scoring, Vectors{Several: s}, split, ScoreOptions{Threads: 2}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
