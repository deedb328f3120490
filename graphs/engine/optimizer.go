package engine

import (
	"slices"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Update is a way to move numbers: an optimizer.
type Update struct {
	Dense   bool // every row moves at every step, and is regularized; else only the rows that the batch used
	Moments int  // arrays like the table's numbers, zeros at first, that it keeps beside them: 0 to 2
	PerPair bool // the rate is that of one pair: it descends the batch's sum, not its mean
	// Begin returns what moves numbers in a step.
	Begin      func(s Step) Mover
	Parameters []option.Param // whose values are in Step
}

// Step is a step of an optimizer.
type Step struct {
	Rate   float64       // the learning rate, above 0; of the batch's sum where the optimizer is PerPair
	Number int           // from 1
	Values option.Values // of the optimizer's Parameters
}

// Optimizer moves the rows of tables against their gradients, many rows at a time and in parallel.
type Optimizer struct {
	update  Update
	values  option.Values
	rate    float64
	threads int

	steps     int      // taken; the same for all tables
	terms     int      // of the batch's mean, pairs by aspects
	moving    []moving // by the present call of Move
	scratch   []moveScratch
	penalties []float64
}

// NewOptimizer returns an optimizer with the values of its Parameters, nil for none. rate is above 0; threads is at least 1, and their number does not
// change the result.
func NewOptimizer(update Update, values option.Values, rate float64, threads int) *Optimizer {
	return &Optimizer{update: update, values: values, rate: rate, threads: threads}
}

// OptimizerState is what an optimizer's steps to come depend on, besides the moments of the tables.
type OptimizerState struct {
	Steps int
	Rate  float64
}

// State returns the number of steps taken, and the learning rate.
func (o *Optimizer) State() OptimizerState { return OptimizerState{o.steps, o.rate} }

// Resume takes over a state.
func (o *Optimizer) Resume(s OptimizerState) { o.steps, o.rate = s.Steps, s.Rate }

// RowWork is a table that moves, and how the gradients of its rows come about. Its functions are called by several goroutines.
type RowWork struct {
	Table *Table
	// The batch used the rows v with Start[v] < Start[v+1].
	Start []int32
	// Prefetch asks for the memory that Gradient will read for row v.
	Prefetch func(v int)
	// Penalty, unless nil, sets g to the gradients of what some rows add to the loss beyond the pairs, and returns that: their share of the
	// regularizer. worker, below the number of threads, says whose memory the call may use.
	Penalty func(worker int, g []float32, rows []int32) float64
	// Gradient adds the gradient of row v to g, and returns what the row adds to the loss besides.
	Gradient func(g []float32, v int) (penalty float64)
}

// Begin starts a step over the mean of a number of terms: all tables that move until the next one belong to it.
func (o *Optimizer) Begin(terms int) {
	o.steps++
	o.terms = terms
}

// Move applies one step to the rows of tables that are not held, to all of them under Adam and else to those that the batch used, and
// returns the sum of their penalties, in the order of tables and rows. Gradients are asked for once, in any order, just before their row
// moves: those of one table must not depend on rows of another one that moves with it. One call for all such tables is faster than one
// for each, since threads wait for one another at the end of a call.
func (o *Optimizer) Move(tables ...RowWork) float64 {
	if o.scratch == nil {
		o.scratch = make([]moveScratch, max(o.threads, 1))
	}
	blocks := 0
	o.moving = o.moving[:0]
	for _, work := range tables {
		t := work.Table
		for i := range o.update.Moments {
			if t.Moments[i] == nil {
				t.Moments[i] = memory.Zeros[float32](len(t.X))
			}
		}
		rows := o.rowsPerBlock(t.Rows)
		o.moving = append(o.moving, moving{work, rows, blocks})
		blocks += (t.Rows - t.Held + rows - 1) / rows
	}
	if len(o.penalties) < blocks {
		o.penalties = make([]float64, blocks)
	}
	step := Step{Rate: o.rate, Number: o.steps, Values: o.values}
	if o.update.PerPair {
		step.Rate *= float64(o.terms)
	}
	move := o.update.Begin(step)
	par.Blocks(o.threads, blocks, func(worker, block int) {
		i := len(o.moving) - 1
		for block < o.moving[i].first {
			i--
		}
		m := &o.moving[i]
		t := m.Table
		lo := t.Held + (block-m.first)*m.rows
		hi := min(lo+m.rows, t.Rows)
		if s := &o.scratch[worker]; o.update.Dense {
			o.penalties[block] = o.moveAll(s, t, m.RowWork, worker, lo, hi, move)
		} else {
			o.penalties[block] = o.moveUsed(s, t, m.RowWork, worker, lo, hi, move)
		}
	})
	var sum float64
	for _, p := range o.penalties[:blocks] {
		sum += p
	}
	return sum
}

// Mover moves numbers x against their gradients g. Several goroutines call it, for numbers that no other one has.
type Mover = func(x, g []float32, moments [2][]float32)

// moving is a table whose rows move in blocks of so many, the first of which has a number among those of all tables.
type moving struct {
	RowWork
	rows, first int
}

// rowsPerBlock returns how many rows a worker takes at a time. Where most rows may be skipped it is more in large tables,
// so that prefetching has a run.
func (o *Optimizer) rowsPerBlock(rows int) int {
	if o.update.Dense {
		return rowsAtOnce
	}
	return min(max(rows/256, 32), 512)
}

// moveScratch is a worker's memory.
type moveScratch struct {
	g    []float32
	used []int32
	_    par.Pad
}

// moveAll moves rows lo to hi-1.
func (o *Optimizer) moveAll(s *moveScratch, t *Table, work RowWork, worker, lo, hi int, move Mover) (penalty float64) {
	width := t.Width()
	s.used = s.used[:0]
	for v := lo; v < hi; v++ {
		s.used = append(s.used, int32(v))
	}
	penalty = s.penalty(t, work, worker, s.used)
	for v := lo; v < hi; v++ {
		penalty += work.Gradient(s.g[(v-lo)*width:][:width], v)
	}
	a, b := lo*width, hi*width
	move(t.X[a:b], s.g, t.momentsOf(a, b))
	return penalty
}

// penalty sets the gradients of some rows to those of their penalty, which it returns; to zeros where there is none.
func (s *moveScratch) penalty(t *Table, work RowWork, worker int, rows []int32) float64 {
	n := len(rows) * t.Width()
	s.g = slices.Grow(s.g[:0], n)[:n]
	clear(s.g)
	if work.Penalty == nil || len(rows) == 0 {
		return 0
	}
	return work.Penalty(worker, s.g, rows)
}

// rowsAtOnce is how many rows a penalty is asked for at a time, at most.
const rowsAtOnce = 32

// ahead is how many rows before it is worked on a row is asked for.
const ahead = 2

// moveUsed moves those of rows lo to hi-1 that the batch used.
func (o *Optimizer) moveUsed(s *moveScratch, t *Table, work RowWork, worker, lo, hi int, move Mover) (penalty float64) {
	width := t.Width()
	s.used = s.used[:0]
	for v := lo; v < hi; v++ {
		if work.Start[v] < work.Start[v+1] {
			s.used = append(s.used, int32(v))
		}
	}
	large := memory.OutgrowsCache(len(t.X))
	for i, v := range s.used {
		if i%rowsAtOnce == 0 {
			penalty += s.penalty(t, work, worker, s.used[i:min(i+rowsAtOnce, len(s.used))])
		}
		if large && i+ahead < len(s.used) {
			next := int(s.used[i+ahead])
			work.Prefetch(next)
			memory.Prefetch(t.Row(next))
			for _, m := range t.momentsOf(next*width, (next+1)*width) {
				memory.Prefetch(m)
			}
		}
		v := int(v)
		g := s.g[i%rowsAtOnce*width:][:width]
		penalty += work.Gradient(g, v)
		move(t.Row(v), g, t.momentsOf(v*width, (v+1)*width))
	}
	return penalty
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
