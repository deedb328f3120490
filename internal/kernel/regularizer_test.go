package kernel

import (
	"math"
	"testing"

	goldenfile "github.com/asp2vec/asp2vec/internal/test/golden"
)

// regularizer64 is the formula in float64, for one vertex and without the floor.
func regularizer64(block []float64, k, d int, epsilon float64) float64 {
	dot := func(i, j int) (s float64) {
		for c := range d {
			s += block[i*d+c] * block[j*d+c]
		}
		return s
	}
	sum := 0.0
	for i := range k {
		for j := i + 1; j < k; j++ {
			if c := math.Abs(dot(i, j)) / math.Sqrt(dot(i, i)*dot(j, j)); c > epsilon {
				sum += c
			}
		}
	}
	return sum
}

// TestRegularizerGolden compares with the published model's values. Its cases that mask with >= are of another variant.
func TestRegularizerGolden(t *testing.T) {
	file, err := goldenfile.Load()
	if err != nil {
		t.Fatal(err)
	}
	g := file.Regularizer
	const weight = -0.25 // not 1, and negative, to see the weight's sign pass through
	tried := 0
	eachVariant(t, func(t *testing.T) {
		for _, c := range g.Cases {
			if c.Comparison != ">" {
				continue
			}
			tried++
			k, d, value := g.K, g.D, 0.0
			for v := range g.N {
				var block, grad []float32
				var want []float64
				for i := range k {
					for j, q := range g.Q[i][v] {
						block = append(block, float32(q))
						want, grad = append(want, weight*c.GradQ[i][v][j]), append(grad, 7) // overwritten
					}
				}
				value += float64(Regularizer(grad, block, k, d, float32(c.Epsilon), weight))
				for i, w := range want {
					if math.Abs(float64(grad[i])-w) > 3e-7 { // float32 rounding of values up to 2
						t.Errorf("epsilon %g, vertex %d: gradient %v, want %v", c.Epsilon, v, grad, want)
						break
					}
				}
			}
			if math.Abs(value-c.Value) > 1e-6 {
				t.Errorf("epsilon %g: penalty %.9g, want %.9g", c.Epsilon, value, c.Value)
			}
		}
	})
	if tried == 0 {
		t.Error("no golden case was tried")
	}
}

// TestRegularizerGradient compares with central differences of the float64 formula, on blocks whose cosines are not near
// the threshold, where the mask jumps.
func TestRegularizerGradient(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(5), &fenced{}
		const epsilon, weight, step = 0.3, 0.7, 1e-5
		for k := 1; k <= 18; k++ {
			for _, d := range []int{2, 3, 8, 20, 33} {
				block := fill(r, a.floats(k*d))
				grad := a.floats(k * d)
				wide, _ := widen(block)
				penalty := Regularizer(grad, block, k, d, epsilon, weight)
				if want := regularizer64(wide, k, d, epsilon); math.Abs(float64(penalty)-want) > 1e-6*(1+want) {
					t.Errorf("k = %d, d = %d: penalty %g, want %g", k, d, penalty, want)
				}
				for i, x := range wide {
					wide[i] = x + step
					up := regularizer64(wide, k, d, epsilon)
					wide[i] = x - step
					down := regularizer64(wide, k, d, epsilon)
					wide[i] = x
					if up-down > 0.2 || up-down < -0.2 {
						continue // a pair crossed the threshold
					}
					want := weight * (up - down) / (2 * step)
					if math.Abs(float64(grad[i])-want) > 1e-5*(1+math.Abs(want)*float64(k)) {
						t.Fatalf("k = %d, d = %d: gradient %d = %g, want %g", k, d, i, grad[i], want)
					}
				}
			}
		}
		a.check(t)
	})
}

// TestRegularizerEqualRows: after a warm start all aspects are equal; each pair then counts 1, or nothing at epsilon = 1, and
// the gradient is zero to the last bit: only the noise of the selection breaks the tie.
func TestRegularizerEqualRows(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r := newRand(6)
		for k := 2; k <= 10; k++ {
			for d := 1; d < 70; d++ {
				row := fill(r, make([]float32, d))
				var block []float32
				for range k {
					block = append(block, row...)
				}
				grad := make([]float32, k*d)
				if got, want := Regularizer(grad, block, k, d, 0.5, 1), float32(k*(k-1)/2); got != want {
					t.Fatalf("k = %d, d = %d: penalty %g, want %g", k, d, got, want)
				}
				for i, g := range grad {
					if g != 0 {
						t.Fatalf("k = %d, d = %d: gradient %d = %g, want 0", k, d, i, g)
					}
				}
				if got := Regularizer(grad, block, k, d, 1, 1); got != 0 {
					t.Fatalf("k = %d, d = %d, epsilon 1: penalty %g, want 0", k, d, got)
				}
			}
		}
	})
}

// TestRegularizerFloor: tiny and zero rows give finite numbers, with the gradient of the floored cosine.
func TestRegularizerFloor(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		grad := make([]float32, 4)
		if p := Regularizer(grad, make([]float32, 4), 2, 2, 0, 1); p != 0 || grad[0] != 0 || grad[3] != 0 {
			t.Errorf("zero rows: penalty %g, gradient %v: want zeros", p, grad)
		}
		// |Q_1||Q_2| = 3e-9 < 1e-8: c = 3e-9/1e-8 = 0.3, dQ_1 = Q_2/1e-8, dQ_2 = Q_1/1e-8.
		p := Regularizer(grad, []float32{1, 0, 3e-9, 0}, 2, 2, 0.1, 1)
		for i, want := range []float64{0.3, 0, 1e8, 0} {
			if math.Abs(float64(grad[i])-want) > 1e-6*(1+want) {
				t.Errorf("gradient %v, want 0.3, 0, 1e8, 0", grad)
			}
		}
		if math.Abs(float64(p)-0.3) > 1e-6 {
			t.Errorf("penalty %g, want 0.3", p)
		}
		if p := Regularizer(grad, []float32{1, 0, float32(math.NaN()), 0}, 2, 2, 0.1, 1); p == p {
			t.Errorf("penalty %g of a row with NaN, want NaN", p)
		}
	})
}
