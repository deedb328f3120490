package kernel

import (
	"sync"

	"github.com/asp2vec/asp2vec/internal/par"
)

// A product long in k and small otherwise, as the gradient of weights is, is split along k: chunks have sums of their own, which
// are then added up in order, a group of them at a time to bound the memory.
const (
	chunkDepth  = 1024
	chunkGroup  = 16
	chunkLimit  = 1 << 18 // words of C up to which chunks are worth their sums
	chunkAtOnce = 1 << 14 // words of C that one block of a sum has at least
)

// fewRows is the number of rows of A' up to which the transpose of B is not worth packing: it is multiplied from the left.
const fewRows = 8

// Gemm computes a matrix product on up to threads threads:
//
//	C = A' B'     or, with add,     C += A' B'
//
// A' (m,k) is a or, with transA, the transpose of a (k,m); B' (k,n) is b or, with transB, the transpose of b (n,k); c (m,n).
// Matrices are stored by rows, lda, ldb and ldc words apart, of which a row may use fewer. Without add, what c held does not
// matter; c may not overlap a or b.
//
// The bits of the result do not depend on threads. The scratch memory is kept for later calls.
func Gemm(threads int, transA, transB bool, m, n, k int, a []float32, lda int, b []float32, ldb int, add bool, c []float32, ldc int) {
	checkMatrix("A", transA, m, k, a, lda)
	checkMatrix("B", transB, k, n, b, ldb)
	checkMatrix("C", false, m, n, c, ldc)
	if m == 0 || n == 0 {
		return
	}
	if k == 0 {
		for i := 0; !add && i < m; i++ {
			clear(c[i*ldc:][:n])
		}
		return
	}
	g := product{threads: threads, m: m, n: n, k: k, a: view(a, lda, transA), b: view(b, ldb, transB), add: add, c: c, ldc: ldc}
	if transB && m <= fewRows {
		g.transposed()
		return
	}
	g.compute()
}

// A strided matrix has word (i,j) at x[i*row+j*column]: a transpose is the same words with the strides exchanged.
type strided struct {
	x           []float32
	row, column int
}

// view returns a matrix stored by rows, or its transpose.
func view(x []float32, ld int, trans bool) strided {
	if trans {
		return strided{x, 1, ld}
	}
	return strided{x, ld, 1}
}

// from returns the part that starts at word (i,j).
func (v strided) from(i, j int) strided { return strided{v.x[i*v.row+j*v.column:], v.row, v.column} }

func (v strided) transposed() strided { return strided{v.x, v.column, v.row} }

// A product is a call of Gemm or a part of one; m, n, k >= 1.
type product struct {
	threads, m, n, k int
	a, b             strided
	add              bool
	c                []float32
	ldc              int
}

// A scratchPool lends memory; one for each purpose, so that the sizes in it are alike.
type scratchPool struct{ sync.Pool }

// take returns n words, to be put back.
func (p *scratchPool) take(n int) *[]float32 {
	s, _ := p.Get().(*[]float32)
	if s == nil || cap(*s) < n {
		made := make([]float32, n)
		return &made
	}
	*s = (*s)[:n]
	return s
}

var sums, packedPanels scratchPool

// compute chooses a way. Which one must not depend on threads.
func (g *product) compute() {
	if g.k > slabDepth && g.m*g.n <= chunkLimit {
		g.byChunks()
		return
	}
	for p := 0; p < g.k; p += slabDepth {
		slab := *g
		slab.k, slab.a, slab.b, slab.add = min(slabDepth, g.k-p), g.a.from(0, p), g.b.from(p, 0), g.add || p > 0
		slab.byTiles()
	}
}

// transposed computes C' = B A: the few rows of A' are packed instead of all of B.
func (g *product) transposed() {
	s := sums.take(g.n * g.m)
	defer sums.Put(s)
	t := product{g.threads, g.n, g.m, g.k, g.b.transposed(), g.a.transposed(), false, *s, g.m}
	t.compute()
	for i := range g.m {
		row := g.c[i*g.ldc:][:g.n]
		if !g.add {
			clear(row)
		}
		for j := range row {
			row[j] += t.c[j*g.m+i]
		}
	}
}

// byChunks splits k evenly into chunks of at most chunkDepth.
func (g *product) byChunks() {
	chunks := (g.k + chunkDepth - 1) / chunkDepth
	start := func(i int) int { return i * g.k / chunks }
	size := g.m * g.n
	s := sums.take(min(chunks, chunkGroup) * size)
	defer sums.Put(s)
	for base := 0; base < chunks; base += chunkGroup {
		group := min(chunkGroup, chunks-base)
		par.Blocks(g.threads, group, func(_, i int) {
			p, end := start(base+i), start(base+i+1)
			part := product{1, g.m, g.n, end - p, g.a.from(0, p), g.b.from(p, 0), false, (*s)[i*size:][:size], g.n}
			part.byTiles()
		})
		rows := min(g.m, 1+chunkAtOnce/g.n)
		par.Blocks(g.threads, (g.m+rows-1)/rows, func(_, block int) {
			for i := block * rows; i < min((block+1)*rows, g.m); i++ {
				row, parts := g.c[i*g.ldc:][:g.n], (*s)[i*g.n:]
				if base == 0 && !g.add {
					clear(row)
				}
				for q := range group {
					axpy(row, parts[q*size:][:g.n], 1)
				}
			}
		})
	}
}

// checkMatrix panics unless x holds a matrix of rows by columns, or its transpose, with rows ld words apart.
func checkMatrix(name string, trans bool, rows, columns int, x []float32, ld int) {
	if rows < 0 || columns < 0 {
		panic("kernel: Gemm: negative size of " + name)
	}
	if rows == 0 || columns == 0 {
		return
	}
	if trans {
		rows, columns = columns, rows
	}
	if ld < columns {
		panic("kernel: Gemm: rows of " + name + " overlap")
	}
	if (rows-1)*ld+columns > len(x) {
		panic("kernel: Gemm: " + name + " is shorter than its shape implies")
	}
}
