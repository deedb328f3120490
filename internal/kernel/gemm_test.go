package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A productSize is one call of Gemm, but for its matrices.
type productSize struct {
	m, n, k             int
	transA, transB, add bool
}

func (z productSize) String() string {
	return fmt.Sprintf("m=%d/n=%d/k=%d/transA=%t/transB=%t/add=%t", z.m, z.n, z.k, z.transA, z.transB, z.add)
}

// A matrix is stored by rows, ld words apart.
type matrix struct {
	x  []float32
	ld int
}

// newMatrix draws a matrix of rows by columns, or its transpose, with rows up to 3 words longer than they need. What lies between
// the rows is NaN.
func newMatrix(a arena, r *rand.Rand, trans bool, rows, columns int) matrix {
	if trans {
		rows, columns = columns, rows
	}
	m := matrix{ld: columns + r.IntN(4)}
	if rows > 0 {
		m.x = a.floats((rows-1)*m.ld + columns)
	}
	for i := range m.x {
		m.x[i] = float32(math.NaN())
		if i%m.ld < columns {
			m.x[i] = float32(r.NormFloat64())
		}
	}
	return m
}

// at returns a word of the matrix or, with trans, of its transpose.
func (m matrix) at(trans bool, i, j int) float64 {
	if trans {
		i, j = j, i
	}
	return float64(m.x[i*m.ld+j])
}

// testGemm checks one product against float64 sums, with slices from a: C's words within a forward error bound, and everything
// between C's rows untouched.
func testGemm(t *testing.T, a arena, r *rand.Rand, threads int, z productSize) {
	t.Helper()
	x, y := newMatrix(a, r, z.transA, z.m, z.k), newMatrix(a, r, z.transB, z.k, z.n)
	c := newMatrix(a, r, false, z.m, z.n)
	old := matrix{slices.Clone(c.x), c.ld}
	if !z.add { // what C held must not matter
		for i := range c.x {
			c.x[i] = float32(math.NaN())
		}
	}
	Gemm(threads, z.transA, z.transB, z.m, z.n, z.k, x.x, x.ld, y.x, y.ld, z.add, c.x, c.ld)
	for i, v := range c.x {
		if i%c.ld >= z.n && v == v {
			t.Fatalf("%v: word %d between the rows of C was written", z, i)
		}
	}
	for i := range z.m {
		for j := range z.n {
			want, scale := 0.0, 0.0
			if z.add {
				want = old.at(false, i, j)
				scale = math.Abs(want)
			}
			for p := range z.k {
				v := x.at(z.transA, i, p) * y.at(z.transB, p, j)
				want += v
				scale += math.Abs(v)
			}
			if e := math.Abs(c.at(false, i, j) - want); !(e <= eps*float64(z.k+1)*scale) {
				t.Fatalf("%v: C[%d,%d] = %g, want %g", z, i, j, c.at(false, i, j), want)
			}
		}
	}
	a.check(t)
}

// products lists n products of random shapes, a third of them with an empty, single or whole tile's side.
func products(r *rand.Rand, n int) []productSize {
	side := func() int {
		if r.IntN(3) == 0 {
			return []int{0, 1, 4, 6, 8, 12, 16, 32, 48}[r.IntN(9)]
		}
		return 1 + r.IntN(70)
	}
	all := make([]productSize, n)
	for i := range all {
		all[i] = productSize{side(), side(), side(), i&1 != 0, i&2 != 0, i&4 != 0}
	}
	return all
}

func TestGemm(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(11), &fenced{}
		for _, z := range products(r, 600) {
			testGemm(t, a, r, 1+r.IntN(3), z)
		}
	})
}
