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
				t.Fatalf("%v: C[%d,%d] = %g, expected %g", z, i, j, c.at(false, i, j), want)
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

// blocked are products of several tiles, blocks of k, and chunks of k in one group and in more.
var blocked = []productSize{
	{200, 40, 300, false, true, true}, {97, 515, 30, false, false, false}, {195, 33, 257, true, false, true}, {100, 1030, 3, true, true, false},
	{7, 20, 2500, true, false, true}, {3, 600, 20, false, true, true}, {2, 3, 17500, true, false, false}, {12, 6, 2049, false, true, true},
}

func TestGemmBlocks(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(13), &fenced{}
		for _, z := range blocked {
			testGemm(t, a, r, 2, z)
		}
	})
}

// TestGemmSlabs has more words of C than chunks are for, and more of k than is packed at once. C's sums are whole numbers that
// float32 holds exactly, and whose value is known: A' (i,p) is 1 for p = i mod k, and the B' (p,j) are small.
func TestGemmSlabs(t *testing.T) {
	const m, n, k = 520, 512, slabDepth + 9
	a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for i := range b {
		b[i] = float32(i % 1009)
	}
	for i := range m {
		a[i*k+i], a[i*k+slabDepth+i%9] = 1, 2 // one in each slab
	}
	eachVariant(t, func(t *testing.T) {
		Gemm(2, false, false, m, n, k, a, k, b, n, false, c, n)
		for i := range m {
			for j := range n {
				if want := b[i*n+j] + 2*b[(slabDepth+i%9)*n+j]; c[i*n+j] != want {
					t.Fatalf("C[%d,%d] = %g, expected %g", i, j, c[i*n+j], want)
				}
			}
		}
	})
}

// The bits are the same on any number of threads.
func TestGemmThreads(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r := newRand(14)
		for _, z := range append(products(r, 20), blocked...) {
			x, y := newMatrix(&fenced{}, r, z.transA, z.m, z.k), newMatrix(&fenced{}, r, z.transB, z.k, z.n)
			start := fill(r, make([]float32, z.m*z.n))
			var want []float32
			for _, threads := range []int{1, 2, 5} {
				c := slices.Clone(start)
				Gemm(threads, z.transA, z.transB, z.m, z.n, z.k, x.x, x.ld, y.x, y.ld, z.add, c, z.n)
				if want == nil {
					want = c
				}
				for i := range c {
					if math.Float32bits(c[i]) != math.Float32bits(want[i]) {
						t.Fatalf("%v: word %d is %g on %d threads, %g on one", z, i, c[i], threads, want[i])
					}
				}
			}
		}
	})
}

// NaN and Inf reach the words of C that they belong to, and no others.
func TestGemmNaN(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		const m, n, k = 15, 21, 9
		a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
		a[13*k+4], b[4*n+20] = float32(math.NaN()), float32(math.Inf(1))
		Gemm(1, false, false, m, n, k, a, k, b, n, false, c, n)
		for i, v := range c {
			if bad := i/n == 13 || i%n == 20; bad != (v != v) { // 0 * Inf is NaN
				t.Fatalf("C[%d,%d] = %g", i/n, i%n, v)
			}
		}
	})
}
