package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// eps is the unit roundoff of float32. A sum of n products in any order is off by at most n+1 of it, times the sum of the
// products' magnitudes (Higham, Accuracy and Stability, section 3.1); the tests allow that, at most for the real lengths.
const eps = 0x1p-24

// A shape is one size of a call.
type shape struct{ k, d, s, n int }

func (x shape) String() string { return fmt.Sprintf("k=%d/d=%d/s=%d/n=%d", x.k, x.d, x.s, x.n) }

// shapes covers every d up to 130, hence all residues of both vector widths and both ways of Dots, with k up to 10 (and
// 16) and up to 40 vertices in turn, then the sizes of the paper.
func shapes() []shape {
	var all []shape
	for d := 1; d <= 130; d++ {
		all = append(all, shape{1 + d%10, d, (d * 7) % 41, 1 + d%13}, shape{1 + (d*3+5)%10, d, d % 19, 3})
	}
	for k := 1; k <= 16; k++ {
		all = append(all, shape{k, 20, 18, 50}, shape{k, 37, 5, 4})
	}
	return append(all, shape{5, 20, 0, 4}, shape{5, 100, 18, 30}, shape{5, 128, 18, 30}, shape{1, 512, 18, 9}, shape{10, 512, 3, 2})
}

// testRows checks all kernels on rows for one shape against float64, with slices from a.
func testRows(t *testing.T, a arena, r *rand.Rand, z shape) {
	t.Helper()
	k, d, s := z.k, z.d, z.s
	table, x := fill(r, a.floats(z.n*k*d)), fill(r, a.floats(d))
	rows := a.ints(s)
	for i := range rows {
		rows[i] = int32(r.IntN(z.n))
	}
	if s > 0 {
		rows[r.IntN(s)] = int32(z.n - 1) // the last block touches the end of the table
	}
	row := func(i, j int) []float32 { return table[(int(rows[i])*k+j)*d:][:d] }

	out := fill(r, a.floats(s*k))
	Dots(out, x, table, rows, k, d)
	want, scale := make([]float64, s*k), make([]float64, s*k)
	for q := range want {
		for c, v := range row(q/k, q%k) {
			p := float64(v) * float64(x[c])
			want[q], scale[q] = want[q]+p, scale[q]+math.Abs(p)
		}
	}
	within(t, "Dots", out, want, scale, float64(d+1)*eps)

	coef := fill(r, a.floats(s*k))
	dst := fill(r, a.floats(d))
	want, scale = widen(dst)
	for q, w := range coef {
		for c, v := range row(q/k, q%k) {
			want[c] += float64(w) * float64(v)
			scale[c] += math.Abs(float64(w) * float64(v))
		}
	}
	Combine(dst, coef, table, rows, k, d)
	within(t, "Combine", dst, want, scale, float64(s*k+2)*eps)

	// The table serves as the packed vectors of Outer, n*k of them.
	slots, owners := a.ints(2*s), a.ints(2*s)
	block := fill(r, a.floats(k*d))
	want, scale = widen(block)
	for i := range slots {
		slots[i], owners[i] = int32(r.IntN(s)), int32(r.IntN(z.n*k))
		if i == 0 {
			slots[i], owners[i] = int32(s-1), int32(z.n*k-1)
		}
		for q := range want {
			p := float64(coef[int(slots[i])*k+q/d]) * float64(table[int(owners[i])*d+q%d])
			want[q], scale[q] = want[q]+p, scale[q]+math.Abs(p)
		}
	}
	Outer(block, coef, table, slots, owners, k, d)
	within(t, "Outer", block, want, scale, float64(2*s+2)*eps)

	last := table[(z.n-1)*k*d:]
	want, scale = nil, nil
	for i := range k {
		for j := i; j < k; j++ {
			w, m := 0.0, 0.0
			for c := range d {
				p := float64(last[i*d+c]) * float64(last[j*d+c])
				w, m = w+p, m+math.Abs(p)
			}
			want, scale = append(want, w), append(scale, m)
		}
	}
	groups := a.floats(GramSize(k)) // to see that no more than whole groups are written
	Gram(groups, last, k, d)
	within(t, "Gram", groups, want, scale, float64(d+1)*eps)
	within(t, "Dot", []float32{Dot(last[:d], last[(k-1)*d:])}, want[k-1:k], scale[k-1:k], float64(d+1)*eps)

	grad, alpha, ratio := fill(r, a.floats(k*d)), someZero(r, fill(r, a.floats(k*k))), fill(r, a.floats(k*k))
	want, scale = make([]float64, k*d), make([]float64, k*d)
	for i := range want {
		for j := range k {
			w, y, x := float64(alpha[i/d*k+j]), float64(last[j*d+i%d]), float64(ratio[i/d*k+j])*float64(last[i])
			want[i], scale[i] = want[i]+w*(y-x), scale[i]+math.Abs(w)*(math.Abs(y)+math.Abs(x))
		}
	}
	Repel(grad, last, alpha, ratio, k, d)
	within(t, "Repel", grad, want, scale, float64(k+4)*eps)

	y := fill(r, a.floats(d))
	want, scale = widen(y)
	for c, v := range x {
		want[c] += 0.3 * float64(v)
		scale[c] += 0.3 * math.Abs(float64(v))
	}
	Axpy(y, x, 0.3)
	within(t, "Axpy", y, want, scale, 3*eps)
	a.check(t)
}

// widen returns x and its magnitudes in float64.
func widen(x []float32) (value, magnitude []float64) {
	for _, v := range x {
		value, magnitude = append(value, float64(v)), append(magnitude, math.Abs(float64(v)))
	}
	return value, magnitude
}

func TestRows(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(1), &fenced{}
		for _, z := range shapes() {
			t.Run(z.String(), func(t *testing.T) { testRows(t, a, r, z) })
		}
	})
}

// TestDotsPosition: the value of a row must not depend on its place in a window, nor on alignment.
func TestDotsPosition(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r := newRand(2)
		for _, d := range []int{1, 7, 20, 31, 33, 64, 65, 100, 128, 200} {
			const n, k = 6, 3
			shift := r.IntN(7)
			table := fill(r, make([]float32, n*k*d+shift))[shift:]
			x := fill(r, make([]float32, d))
			all := make([]float32, n*k)
			Dots(all, x, table, []int32{0, 1, 2, 3, 4, 5}, k, d)
			for v := range int32(n) {
				for before := range 5 {
					rows := append(slices.Repeat([]int32{2}, before), v)
					out := make([]float32, len(rows)*k)
					moved := append(make([]float32, before), table...)[before:]
					Dots(out, x, moved, rows, k, d)
					if got, want := out[before*k:], all[v*k:][:k]; !slices.Equal(got, want) {
						t.Fatalf("d = %d, vertex %d after %d others: %v, expected %v as alone", d, v, before, got, want)
					}
				}
			}
		}
	})
}

// TestNotFinite: lanes outside a row must not leak in, and values inside must come through.
func TestNotFinite(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		inf := float32(math.Inf(1))
		for d := 1; d < 40; d++ {
			table := make([]float32, 3*d) // the rows around the middle one hold infinities
			for i := range table {
				table[i] = inf
				if i/d == 1 {
					table[i] = 1
				}
			}
			x, out := slices.Repeat([]float32{1}, d), make([]float32, 1)
			if Dots(out, x, table, []int32{1}, 1, d); out[0] != float32(d) {
				t.Fatalf("d = %d: %g between rows of infinities, expected %d", d, out[0], d)
			}
			table[2*d-1] = inf
			if Dots(out, x, table, []int32{1}, 1, d); out[0] != inf {
				t.Fatalf("d = %d: %g with an infinite last word, expected +Inf", d, out[0])
			}
		}
	})
}
