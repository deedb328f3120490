package kernel

// Dots scores every aspect row of every picked vertex against one vector:
//
//	out[s*k+j] = <x, row j of vertex rows[s]>
//
// x (d), table (N,k,d), rows (S) with 0 <= rows[s] < N, out (S,k), overwritten. The value of a row does not depend on its
// position in rows.
func Dots(out, x, table []float32, rows []int32, k, d int) {
	checkShape(k, d)
	dots(cut(out, len(rows)*k), cut(x, d), table, rows, k, d)
}

// Combine adds to dst the weighted sum of all aspect rows of the picked vertices:
//
//	dst += Σ_s Σ_j coef[s*k+j] * row j of vertex rows[s]
//
// dst (d), coef (S,k), table (N,k,d), rows (S) with 0 <= rows[s] < N.
func Combine(dst, coef, table []float32, rows []int32, k, d int) {
	checkShape(k, d)
	combine(cut(dst, d), cut(coef, len(rows)*k), table, rows, k, d)
}

// Outer adds to the k rows of one vertex its contributions, each a column of k coefficients times one vector:
//
//	dst[j] += Σ_i coef[slots[i]*k+j] * x[owners[i]]     for each row j of dst
//
// dst (k,d), coef (B,k) with 0 <= slots[i] < B, x (W,d) with 0 <= owners[i] < W; slots and owners have the same length.
// Contributions are added in the order of slots.
func Outer(dst, coef, x []float32, slots, owners []int32, k, d int) {
	checkShape(k, d)
	if len(owners) != len(slots) {
		panic("kernel: Outer: slots and owners differ in length")
	}
	outer(cut(dst, k*d), coef, x, slots, owners, k, d)
}

// Gram writes the inner products among the k rows of a block, the upper triangle packed by rows:
//
//	out[p] = <row i, row j>     for p = 0, 1, ... over (0,0), (0,1), ... (0,k-1), (1,1), ... (k-1,k-1)
//
// block (k,d). out has room for GramSize(k) words, which the assembly fills in groups of eight. Equal rows have bitwise
// equal inner products.
func Gram(out, block []float32, k, d int) {
	checkShape(k, d)
	gram(cut(out, GramSize(k)), cut(block, k*d), k, d)
}

// GramSize is k(k+1)/2, rounded up to whole groups of eight: the words that Gram writes.
func GramSize(k int) int { return (k*(k+1)/2 + 7) &^ 7 }

// Repel moves each row of a block away from the others, as the gradient of a function of their cosines does:
//
//	grad[i] = Σ_j alpha[i*k+j] * (row j - ratio[i*k+j] * row i)
//
// block and grad (k,d), alpha and ratio (k,k); grad is overwritten and may not overlap an input. Pairs where alpha is 0 do not
// take part. The difference is worked out first, so that equal rows with a ratio of 1 give exactly zero.
func Repel(grad, block, alpha, ratio []float32, k, d int) {
	checkShape(k, d)
	repel(cut(grad, k*d), cut(block, k*d), cut(alpha, k*k), cut(ratio, k*k), k, d)
}

// Dot returns Σ x[i]*y[i]; y is at least as long as x.
func Dot(x, y []float32) float32 { return dot(x, cut(y, len(x))) }

// Axpy adds a*x to y, elementwise; y is at least as long as x. y may be x itself.
func Axpy(y, x []float32, a float32) { axpy(cut(y, len(x)), x, a) }

// checkShape panics unless a block has at least one row and one column: the assembly loops assume it.
func checkShape(k, d int) {
	if k < 1 || d < 1 {
		panic("kernel: rows or columns of a block: expected at least 1")
	}
}

// cut returns the first n words of x, and panics if x has fewer; a plain slice expression would reach into its capacity.
func cut(x []float32, n int) []float32 {
	if n > len(x) {
		panic("kernel: a slice is shorter than the shapes imply")
	}
	return x[:n]
}
