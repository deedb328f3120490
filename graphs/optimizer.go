package graphs

import (
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Names of optimizers.
const (
	// OptimizerAdam is Adam as in the paper: every row moves at every step, also by momentum alone.
	OptimizerAdam = "adam"
	// OptimizerLazyAdam moves only the rows that the batch used, and regularizes only those. A row's moments wait while it
	// is not used, so a rare vertex keeps its momentum for longer than under Adam; in exchange a step costs what the batch
	// costs, whatever the size of the tables.
	OptimizerLazyAdam = "lazy-adam"
	// OptimizerSGD is gradient descent on the rows that the batch used; it keeps no moments. The loss is a mean over pairs
	// and aspects, so its learning rate must be larger than Adam's by orders of magnitude.
	OptimizerSGD = "sgd"
)

// Adam's constants, as in PyTorch and the authors' code.
const (
	beta1   = 0.9
	beta2   = 0.999
	adamEps = 1e-8
)

// optimizer moves the rows of tables against their gradients, many rows at a time and in parallel.
type optimizer struct {
	kind    string
	rate    float64
	threads int

	steps     int // taken; the same for all tables
	scratch   [][]float32
	penalties []float64
}

// rowGradient adds the gradient of row v of a table to g. It says whether the batch used the row, and what the row adds to
// the loss beyond the pairs: its share of the regularizer.
type rowGradient func(g []float32, v int) (used bool, penalty float64)

// rowsPerBlock is how many rows a worker takes at a time.
const rowsPerBlock = 32

// begin starts a step: all tables that move until the next one belong to it.
func (o *optimizer) begin() { o.steps++ }

// move applies one step to every row of a table and returns the sum of the penalties, in the order of rows. gradient is
// called once for each row (in any order, by several goroutines), before that row moves.
func (o *optimizer) move(t *Table, gradient rowGradient) float64 {
	width := t.Width()
	if t.m == nil && o.kind != OptimizerSGD {
		t.m, t.v = make([]float32, len(t.X)), make([]float32, len(t.X))
	}
	if o.scratch == nil {
		o.scratch = make([][]float32, max(o.threads, 1))
	}
	blocks := (t.Rows + rowsPerBlock - 1) / rowsPerBlock
	if len(o.penalties) < blocks {
		o.penalties = make([]float64, blocks)
	}
	step := kernel.NewAdamStep(o.rate, beta1, beta2, adamEps, o.steps)
	par.Blocks(o.threads, blocks, func(worker, block int) {
		g := o.scratch[worker]
		if len(g) < rowsPerBlock*width {
			g = make([]float32, rowsPerBlock*width)
			o.scratch[worker] = g
		}
		lo := block * rowsPerBlock
		hi := min(lo+rowsPerBlock, t.Rows)
		g = g[:(hi-lo)*width]
		clear(g)
		var penalty float64
		for v := lo; v < hi; v++ {
			row := g[(v-lo)*width:][:width]
			used, p := gradient(row, v)
			penalty += p
			if o.kind == OptimizerAdam || !used {
				continue
			}
			x := t.Row(v)
			if o.kind == OptimizerSGD {
				kernel.SGD(x, row, nil, float32(o.rate))
			} else {
				kernel.Adam(x, t.m[v*width:][:width], t.v[v*width:][:width], row, nil, &step)
			}
		}
		if o.kind == OptimizerAdam {
			a, b := lo*width, hi*width
			kernel.Adam(t.X[a:b], t.m[a:b], t.v[a:b], g, nil, &step)
		}
		o.penalties[block] = penalty
	})
	var sum float64
	for _, p := range o.penalties[:blocks] {
		sum += p
	}
	return sum
}
