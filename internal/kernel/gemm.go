package kernel

import "github.com/asp2vec/asp2vec/internal/par"

// Gemm computes a matrix product on up to threads threads:
//
//	C = A' B'     or, with add,     C += A' B'
//
// A' (m,k) is a or, with transA, the transpose of a (k,m); B' (k,n) is b or, with transB, the transpose of b (n,k); c (m,n).
// Matrices are stored by rows, lda, ldb and ldc words apart, of which a row may use fewer. Without add, what c held does not
// matter; c may not overlap a or b.
//
// The bits of the result do not depend on threads.
func Gemm(threads int, transA, transB bool, m, n, k int, a []float32, lda int, b []float32, ldb int, add bool, c []float32, ldc int) {
	checkMatrix("A", transA, m, k, a, lda)
	checkMatrix("B", transB, k, n, b, ldb)
	checkMatrix("C", false, m, n, c, ldc)
	par.Blocks(threads, m, func(_, i int) {
		row := c[i*ldc:][:n]
		if !add {
			clear(row)
		}
		for p := range k {
			at := i*lda + p
			if transA {
				at = p*lda + i
			}
			x := a[at]
			for j := range row {
				if transB {
					row[j] += x * b[j*ldb+p]
				} else {
					row[j] += x * b[p*ldb+j]
				}
			}
		}
	})
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
