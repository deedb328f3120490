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
	chunkLimit  = 1 << 20 // words of C up to which chunks are worth their sums
	chunkAtOnce = 1 << 14 // words of C that one block of a sum has at least
)

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
	if k > slabDepth && m*n <= chunkLimit {
		g.byChunks()
		return
	}
	for p := 0; p < k; p += slabDepth {
		slab := g
		slab.k, slab.a, slab.b, slab.add = min(slabDepth, k-p), g.a.from(0, p), g.b.from(p, 0), add || p > 0
		slab.byTiles()
	}
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

// scratches holds memory for packed panels and for chunks' sums.
var scratches = sync.Pool{New: func() any { return new([]float32) }}

// scratch returns n words, to be put back into scratches.
func scratch(n int) *[]float32 {
	s := scratches.Get().(*[]float32)
	if cap(*s) < n {
		*s = make([]float32, n)
	}
	*s = (*s)[:n]
	return s
}

// byChunks splits k evenly into chunks of at most chunkDepth.
func (g *product) byChunks() {
	chunks := (g.k + chunkDepth - 1) / chunkDepth
	start := func(i int) int { return i * g.k / chunks }
	size := g.m * g.n
	s := scratch(min(chunks, chunkGroup) * size)
	defer scratches.Put(s)
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
				row, sums := g.c[i*g.ldc:][:g.n], (*s)[i*g.n:]
				if base == 0 && !g.add {
					clear(row)
				}
				for q := range group {
					axpy(row, sums[q*size:][:g.n], 1)
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
