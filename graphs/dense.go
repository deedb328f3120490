package graphs

import "github.com/asp2vec/asp2vec/internal/kernel"

// NewAdam returns an optimizer that moves every row of a table at every step, as published. rate is above 0; threads at least 1, whose
// number does not change the result.
func NewAdam(rate float64, threads int) *Optimizer {
	return &Optimizer{update: Optimizers.Get(OptimizerAdam), rate: rate, threads: threads}
}

// Rate returns the learning rate.
func (o *Optimizer) Rate() float64 { return o.rate }

// SetRate sets the learning rate of the steps to come. It is above 0.
func (o *Optimizer) SetRate(rate float64) { o.rate = rate }

// MoveDecayed applies one step to all rows of a table, whose loss has decay times the sum of the table's squares besides, and
// returns that term at the numbers before the step. gradient returns the rest of row v's gradient, or nil for zeros; several
// goroutines call it. The optimizer must be Adam. decay is at least 0.
func (o *Optimizer) MoveDecayed(t *Table, decay float64, gradient func(v int) []float32) (penalty float64) {
	return o.Move(RowWork{Table: t, Gradient: func(g []float32, v int) float64 {
		copy(g, gradient(v))
		return Decayed(g, t.Row(v), decay)
	}})
}

// Decayed adds the gradient of decay times the sum of x's squares to g, and returns that term.
func Decayed(g, x []float32, decay float64) (penalty float64) {
	if decay == 0 {
		return 0
	}
	kernel.Axpy(g, x, float32(2*decay))
	return decay * float64(kernel.Dot(x, x))
}

// MoveWhole is MoveDecayed by a gradient of all rows, (N,Block...).
func (o *Optimizer) MoveWhole(t *Table, decay float64, grad []float32) (penalty float64) {
	w := t.Width()
	return o.MoveDecayed(t, decay, func(v int) []float32 { return grad[v*w:][:w] })
}
