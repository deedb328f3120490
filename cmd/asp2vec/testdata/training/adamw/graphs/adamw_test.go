package graphs

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
)

// A row without a gradient only shrinks. The others move as under Adam besides.
func TestAdamW(t *testing.T) {
	const rate, steps = 0.1, 20
	train := func(optimizer string) []float32 {
		table := engine.NewTable("x", 2, 3)
		for i := range table.X {
			table.X[i] = 1
		}
		options := Default()
		options.Optimizer, options.LearningRate = optimizer, rate
		o := newOptimizer(options, 1)
		for range steps {
			o.Begin(1)
			o.Move(engine.RowWork{Table: table, Gradient: func(g []float32, v int) float64 {
				g[0] += float32(v)
				return 0
			}})
		}
		return table.X
	}
	adam, adamW := train("adam"), train("adamw")
	if want := math.Pow(1-rate*0.01, steps); math.Abs(float64(adamW[0])-want) > 1e-6 || adam[0] != 1 {
		t.Errorf("without a gradient 1 becomes %v under AdamW and %v under Adam: expected %v and 1", adamW[0], adam[0], want)
	}
	if adamW[3] >= 0 || adamW[3] == adam[3] {
		t.Errorf("with a gradient 1 becomes %v under AdamW and %v under Adam", adamW[3], adam[3])
	}
}
