package graphs

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// gradients returns numbers for every step and row of a table of the given size.
func gradients(steps, rows, width int) [][]float32 {
	var all [][]float32
	s := rng.New(1, "test")
	for range steps * rows {
		g := make([]float32, width)
		for i := range g {
			g[i] = float32(s.Normal())
		}
		all = append(all, g)
	}
	return all
}

// starts returns the index that says which of some rows are used.
func starts(rows int, used func(v int) bool) []int32 {
	list := make([]int32, rows+1)
	for v := range rows {
		list[v+1] = list[v]
		if used(v) {
			list[v+1]++
		}
	}
	return list
}

// run takes a few steps on a table of random numbers, with gradients for the rows that used names in each step, and a
// penalty of v for row v. It returns the sums of the penalties.
func run(kind string, threads, rows, width int, used func(step, v int) bool) (t *engine.Table, penalties []float64) {
	const steps = 3
	t = engine.NewTable("test", rows, width)
	t.InitNormal(1, 1)
	o := engine.NewOptimizer(Optimizers.Get(kind), nil, 0.01, threads)
	all := gradients(steps, rows, width)
	for step := range steps {
		o.Begin(1)
		penalties = append(penalties, o.Move(engine.RowWork{
			Table:    t,
			Start:    starts(rows, func(v int) bool { return used(step, v) }),
			Prefetch: func(int) {},
			Gradient: func(g []float32, v int) float64 {
				for i := range g {
					g[i] += all[step*rows+v][i] // added: it must have been zero
					if !used(step, v) {
						g[i] = 0
					}
				}
				return float64(v)
			},
		}))
	}
	return t, penalties
}

func everyRow(_, _ int) bool { return true }

// Where every row is used at every step, being lazy makes no difference, not in a bit; sizes are on both sides of a worker's
// block of 32 rows.
func TestLazyAdamIsAdamOnUsedRows(t *testing.T) {
	for _, rows := range []int{1, 31, 32, 33, 100} {
		for _, width := range []int{1, 7, 20} {
			dense, a := run(OptimizerAdam, 2, rows, width, everyRow)
			lazy, b := run(OptimizerLazyAdam, 3, rows, width, everyRow)
			if !slices.Equal(dense.X, lazy.X) || !slices.Equal(a, b) {
				t.Errorf("%d rows of %d: lazy-adam differs from adam", rows, width)
			}
			if want := float64(rows*(rows-1)) / 2; a[0] != want {
				t.Errorf("%d rows: penalties add up to %v, expected %v", rows, a[0], want)
			}
		}
	}
}

// Rows that no step uses stay as they are, under the optimizers that say so; under Adam a row that one step used moves on.
func TestUnusedRows(t *testing.T) {
	const rows, width = 40, 5
	start, _ := run(OptimizerSGD, 1, rows, width, func(_, _ int) bool { return false })
	firstStepOnly := func(step, v int) bool { return v%2 == 0 && step == 0 }
	for _, kind := range []string{OptimizerAdam, OptimizerLazyAdam, OptimizerSGD} {
		end, _ := run(kind, 2, rows, width, firstStepOnly)
		once, _ := run(kind, 2, rows, width, func(step, v int) bool { return v == 38 && step == 0 })
		for v := range rows {
			still := slices.Equal(end.Row(v), start.Row(v))
			if still != (v%2 == 1) {
				t.Errorf("%s: row %d, used: %v, stays as it is: %v", kind, v, v%2 == 0, still)
			}
		}
		if !slices.Equal(once.Row(38), end.Row(38)) {
			t.Errorf("%s: row 38 depends on what other rows do", kind)
		}
	}
	after := func(kind string, steps int) []float32 {
		tab := engine.NewTable("test", 1, 1)
		o := engine.NewOptimizer(Optimizers.Get(kind), nil, 0.01, 1)
		for step := range steps {
			o.Begin(1)
			o.Move(engine.RowWork{Table: tab, Start: starts(1, func(int) bool { return step == 0 }), Prefetch: func(int) {}, Gradient: func(g []float32, _ int) float64 {
				if step == 0 {
					g[0] = 1
				}
				return 0
			}})
		}
		return tab.X
	}
	// Adam's first step is the learning rate against the gradient's sign, whatever its size. The second goes by what is left
	// of the moments, lr·(β1(1-β1)/(1-β1²))/√(β2(1-β2)/(1-β2²)) = 0.01·(0.09/0.19)/√(0.000999/0.001999).
	for kind, want := range map[string]float64{OptimizerAdam: -0.01 - 0.01*(0.09/0.19)/math.Sqrt(0.000999/0.001999), OptimizerLazyAdam: -0.01} {
		if got := after(kind, 2)[0]; math.Abs(float64(got)-want) > 1e-8 {
			t.Errorf("%s: %v after a step with a gradient and one without, expected %v", kind, got, want)
		}
	}
}

func TestSGD(t *testing.T) {
	tab := engine.NewTable("test", 3, 2)
	copy(tab.X, []float32{1, 2, 3, 4, 5, 6})
	o := engine.NewOptimizer(Optimizers.Get(OptimizerSGD), nil, 0.25, 1)
	for range 2 {
		o.Begin(1)
		penalty := o.Move(engine.RowWork{Table: tab, Start: starts(3, func(v int) bool { return v > 0 }), Prefetch: func(int) {}, Gradient: func(g []float32, v int) float64 {
			g[0], g[1] = float32(v), -2
			return 0.5
		}})
		if penalty != 1 {
			t.Errorf("penalties add up to %v, expected 1, of two rows", penalty)
		}
	}
	// x - 2·0.25·g, exact in binary; row 0 is not used.
	if want := []float32{1, 2, 2.5, 5, 4, 7}; !slices.Equal(tab.X, want) {
		t.Errorf("got %v, expected %v", tab.X, want)
	}
	if tab.Moments[0] != nil || tab.Moments[1] != nil {
		t.Error("sgd keeps moments")
	}
}
