package graphs

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
)

// Three steps on a table of which each step's gradient knows every other row, against Adam and the decay's gradient 2·decay·x
// written out in float64 (Kingma and Ba, ICLR 2015, Algorithm 1). The rate changes before the last.
func TestMoveDecayed(t *testing.T) {
	const rows, width, steps, decay = 70, 5, 3, 0.25
	for _, threads := range []int{1, 2, 5} {
		table := engine.NewTable("test", rows, width)
		table.InitNormal(1, 1)
		all := gradients(steps, rows, width)
		x, m, v := make([]float64, rows*width), make([]float64, rows*width), make([]float64, rows*width)
		for i := range x {
			x[i] = float64(table.X[i])
		}
		o := NewAdam(0.01, threads)
		rate := 0.01
		for step := range steps {
			if step == 2 {
				rate = 0.002
				o.SetRate(rate)
			}
			var want float64
			for i := range x {
				want += decay * x[i] * x[i]
				g := 2 * decay * x[i]
				if row := i / width; row%2 == step%2 {
					g += float64(all[step*rows+row][i%width])
				}
				m[i] = 0.9*m[i] + 0.1*g
				v[i] = 0.999*v[i] + 0.001*g*g
				at := float64(step + 1)
				x[i] -= rate * m[i] / (1 - math.Pow(0.9, at)) / (math.Sqrt(v[i]/(1-math.Pow(0.999, at))) + 1e-8)
			}
			o.Begin(1)
			got := o.MoveDecayed(table, decay, func(row int) []float32 {
				if row%2 != step%2 {
					return nil
				}
				return all[step*rows+row]
			})
			if math.Abs(got-want) > 1e-4*want {
				t.Errorf("step %d: penalty %v: expected %v", step, got, want)
			}
		}
		for i := range x {
			if math.Abs(float64(table.X[i])-x[i]) > 1e-5 {
				t.Fatalf("%d threads: element %d is %v: expected %v", threads, i, table.X[i], x[i])
			}
		}
	}
}

func TestMoveWhole(t *testing.T) {
	whole, byRows := engine.NewTable("test", 40, 3), engine.NewTable("test", 40, 3)
	grad := slices.Concat(gradients(1, 40, 3)...)
	a, b := NewAdam(0.01, 1), NewAdam(0.01, 1)
	a.Begin(1)
	b.Begin(1)
	if penalty := a.MoveWhole(whole, 0, grad); penalty != 0 {
		t.Errorf("penalty %v without decay: expected 0", penalty)
	}
	b.MoveDecayed(byRows, 0, func(v int) []float32 { return grad[3*v:][:3] })
	if !slices.Equal(whole.X, byRows.X) || whole.X[0] == 0 {
		t.Error("a whole gradient moves a table otherwise than its rows do")
	}
}
