// Package kernel holds the float32 inner loops of training: dot products and weighted sums of table rows picked by vertex
// index, exponentials and logarithms, and the optimizers' update; the matrix product and the squashing functions of recurrent
// networks; and the arithmetic of small arrays, of which a graph's ops are made.
//
// # Layout
//
// A table of N vertices gives each vertex a block of k rows of d floats: aspect j of vertex v is
// table[(v*k+j)*d : (v*k+j+1)*d]. d >= 1, k >= 1, no padding, no alignment. A window is one centre vector x of d floats and
// S vertex indices: its contexts and their negatives.
//
// # Bounds
//
// Each function panics, as an index expression does, when a slice is shorter than the shapes imply. Indices into a table
// (rows, slots, owners) are trusted: the caller has checked them once, where the batch was made. Except where it is said, an
// output may not overlap an input.
//
// # Scheduling
//
// Assembly is not preempted, so that a call delays a garbage collection until it ends: work on rows or windows, not on tables
// of millions of words at once; Gemm does that by itself. No function allocates, but Gemm,
// which keeps what it allocated for later calls. All may be called from several goroutines.
//
// # Variants
//
// The same functions exist as AVX2+FMA assembly, as AVX-512 where that was measured to be faster, and in Go (other
// architectures, old processors, build tag purego). Variant tells which one runs. Variants differ by float32 rounding, but for
// the arithmetic of small arrays; each is deterministic, and independent of alignment and of threads. The assembly is
// generated: see gen.
package kernel

//go:generate go -C gen run . -out ../kernel_amd64.s -stubs ../kernel_amd64.go -pkg kernel

// A variant is one implementation of all kernels.
type variant uint8

const (
	pureGo variant = iota
	avx2
	avx512
)

// String returns the variant's name, as results records hold it.
func (v variant) String() string { return [...]string{"purego", "avx2", "avx512"}[v] }

// Variant returns the implementation in use: "avx512", "avx2" or "purego".
func Variant() string { return variant(use).String() }
