package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// sameBits fails unless got has the bits of want; any NaN is as good as another.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i, w := range want {
		if math.Float32bits(got[i]) != math.Float32bits(w) && !(got[i] != got[i] && w != w) {
			t.Fatalf("%s: [%d] = %g, expected the bits of %g", what, i, got[i], w)
		}
	}
}

// special replaces some words by infinities, NaN and zeros of both signs.
func special(r *rand.Rand, x []float32) []float32 {
	values := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e-40}
	for i := range x {
		if r.IntN(8) == 0 {
			x[i] = values[r.IntN(len(values))]
		}
	}
	return x
}

// someZero replaces some weights by 0, of either sign.
func someZero(r *rand.Rand, w []float32) []float32 {
	for i := range w {
		switch r.IntN(6) {
		case 0:
			w[i] = 0
		case 1:
			w[i] = float32(math.Copysign(0, -1))
		}
	}
	return w
}

// testArrays checks the elementwise arithmetic for one length against a plain loop, also in place.
func testArrays(t *testing.T, a arena, r *rand.Rand, n int) {
	t.Helper()
	const c = 1.7
	for name, f := range map[string]struct {
		do  func(out, x, y []float32)
		one func(x, y float32) float32
	}{
		"Add":   {Add, func(x, y float32) float32 { return x + y }},
		"Sub":   {Sub, func(x, y float32) float32 { return x - y }},
		"Mul":   {Mul, func(x, y float32) float32 { return x * y }},
		"Div":   {Div, func(x, y float32) float32 { return x / y }},
		"Scale": {func(out, x, _ []float32) { Scale(out, x, c) }, func(x, _ float32) float32 { return c * x }},
		"Shift": {func(out, x, _ []float32) { Shift(out, x, c) }, func(x, _ float32) float32 { return x + c }},
		"ReluSlope": {ReluSlope, func(x, y float32) float32 {
			if x > 0 {
				return y
			}
			return 0
		}},
	} {
		x, y, out := special(r, fill(r, a.floats(n))), special(r, fill(r, a.floats(n))), a.floats(n)
		want := make([]float32, n)
		for i := range want {
			want[i] = f.one(x[i], y[i])
		}
		f.do(out, x, y)
		sameBits(t, name, out, want)
		copy(out, x)
		f.do(out, out, y)
		sameBits(t, name+" in x", out, want)
		copy(out, y)
		f.do(out, x, out)
		sameBits(t, name+" in y", out, want)
	}
	x := fill(r, a.floats(n))
	var lanes [16]float64
	var want float64
	for i, v := range x {
		lanes[i%16] += float64(v)
	}
	for _, v := range lanes {
		want += v
	}
	if got := Total(x); got != want {
		t.Fatalf("Total of %d words = %v, expected %v", n, got, want)
	}
	a.check(t)
}

// testMiddle checks the kernels on short rows for one shape against plain loops.
func testMiddle(t *testing.T, a arena, r *rand.Rand, rows, m, k int) {
	t.Helper()
	shape := fmt.Sprintf(" of (%d,%d,%d)", rows, m, k)
	cube, row := special(r, fill(r, a.floats(rows*m*k))), special(r, fill(r, a.floats(rows*k)))
	weight := someZero(r, fill(r, a.floats(rows*m)))
	sum, top, bag := make([]float32, rows*k), make([]float32, rows*k), make([]float32, rows*k)
	spread, scaled := make([]float32, rows*m*k), make([]float32, rows*m*k)
	for at, v := range cube {
		j, o := at/k%m, at/(m*k)*k+at%k
		spread[at] = row[o]
		if w := weight[at/k]; w != 0 {
			bag[o] += float32(w * v)
			scaled[at] = w * row[o]
		}
		switch {
		case j == 0:
			sum[o], top[o] = v, v
		default:
			sum[o] += v
			if !(top[o] > v) {
				top[o] = v
			}
		}
	}
	out := fill(r, a.floats(rows*k))
	SumMiddle(out, cube, rows, m, k)
	sameBits(t, "SumMiddle"+shape, out, sum)
	MaxMiddle(out, cube, rows, m, k)
	sameBits(t, "MaxMiddle"+shape, out, top)
	WeightedRows(out, cube, weight, rows, m, k)
	sameBits(t, "WeightedRows"+shape, out, bag)
	wide := fill(r, a.floats(rows*m*k))
	SpreadMiddle(wide, row, rows, m, k)
	sameBits(t, "SpreadMiddle"+shape, wide, spread)
	SpreadWeighted(wide, row, weight, rows, m, k)
	sameBits(t, "SpreadWeighted"+shape, wide, scaled)
	ScaleRows(wide, cube, weight, rows*m, k)
	for at, v := range cube {
		if scaled[at] = 0; weight[at/k] != 0 {
			scaled[at] = weight[at/k] * v
		}
	}
	sameBits(t, "ScaleRows"+shape, wide, scaled)
	OneHot(wide, cube, rows*m, k)
	sameBits(t, "OneHot"+shape, wide, oneHots(cube, k))

	p, g := fill(r, a.floats(rows*m*k)), special(r, fill(r, a.floats(rows*m*k)))
	SoftmaxSlope(wide, p, g, rows*m, k)
	for at := 0; at < len(p); at += k {
		var mean float32
		lanes := make([]float32, max(8, k))
		for i := range k {
			lanes[i] = p[at+i] * g[at+i]
		}
		if k > 8 {
			for _, v := range lanes {
				mean += v
			}
		} else {
			l := lanes
			mean = ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
		}
		for i := range k {
			scaled[at+i] = p[at+i] * (g[at+i] - mean)
		}
	}
	sameBits(t, "SoftmaxSlope"+shape, wide, scaled)

	x := fill(r, a.floats(rows*m*k))
	for i, w := range weight { // a row of weight 0 takes no part
		if w == 0 {
			x[i*k] = float32(math.NaN())
		}
	}
	got, want := WeightedTotal(x, weight, rows*m, k), total64(x, weight, k)
	if got != want {
		t.Fatalf("WeightedTotal%s = %v, expected %v", shape, got, want)
	}
	a.check(t)
}

func oneHots(x []float32, k int) []float32 {
	out := make([]float32, len(x))
	for at := 0; at < len(x); at += k {
		best, row := 0, x[at:at+k]
		for i, v := range row {
			if v > row[best] {
				best = i
			}
		}
		out[at+best] = 1
		for _, v := range row {
			for i := range row {
				if v != v {
					out[at+i] = v
				}
			}
		}
	}
	return out
}

// total64 sums in the order of WeightedTotal: by columns of every other row, or row by row where they are long.
func total64(x, weight []float32, k int) (sum float64) {
	columns := make([]float64, 2*k)
	for r, w := range weight {
		var row float64
		if w == 0 {
			continue
		}
		for i, v := range x[r*k : (r+1)*k] {
			row += float64(v)
			columns[r%2*k+i] += float64(w) * float64(v)
		}
		if k > 8 {
			sum += float64(float64(w) * row)
		}
	}
	if k > 8 {
		return sum
	}
	for i := range k {
		sum += columns[i] + columns[k+i]
	}
	return sum
}

func TestArrays(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(11), &fenced{}
		for n := range 70 {
			testArrays(t, a, r, n)
		}
	})
}

func TestMiddle(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(12), &fenced{}
		for k := 1; k <= 70; k++ {
			for m := 1; m <= 4; m++ {
				for _, rows := range []int{0, 1, 2, 3, 5, 9} {
					testMiddle(t, a, r, rows, m, k)
				}
			}
		}
		testMiddle(t, a, r, 192, 2, 5)
		testMiddle(t, a, r, 3, 10, 100)
	})
}
