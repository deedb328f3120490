package eval

import (
	"context"
	"runtime"

	"github.com/asp2vec/asp2vec/internal/par"
)

// Features is a matrix of Rows vectors of Cols float32 numbers, read a block of rows at a time, so that it need not be stored.
// Block must be safe for several goroutines.
type Features interface {
	Rows() int
	Cols() int
	// Block returns rows lo to hi, row-major: either a view, or buf filled, whose length is at least (hi-lo)*Cols.
	Block(lo, hi int, buf []float32) []float32
}

// Rows returns N. With Cols and Block it makes an embedding a Features.
func (e Embedding) Rows() int { return e.N }

// Cols returns D.
func (e Embedding) Cols() int { return e.D }

// Block returns a view of vectors lo to hi.
func (e Embedding) Block(lo, hi int, _ []float32) []float32 { return e.Data[lo*e.D : hi*e.D] }

// The rows are cut into at most maxChunks chunks by their number alone, and sums are taken chunk after chunk: so the result
// does not depend on how many threads work on the chunks, or on which of them comes first.
const (
	maxChunks    = 64
	minChunkRows = 256
	blockFloats  = 4096 // numbers in a block: 16 KiB of float32 stay in the first-level cache between the two uses of a row
)

func chunkRows(n int) (rows, chunks int) {
	rows = max(minChunkRows, (n+maxChunks-1)/maxChunks)
	return rows, (n + rows - 1) / rows
}

// threads resolves a request: 0 or less means all that Go may use.
func threads(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// forChunks calls work for each of n chunks on up to threads goroutines, and skips the rest once ctx is done.
func forChunks(ctx context.Context, chunks, threads int, work func(chunk int)) error {
	par.Blocks(threads, chunks, func(_, chunk int) {
		if ctx.Err() == nil {
			work(chunk)
		}
	})
	return ctx.Err()
}

// forRows does the same for ranges of n rows.
func forRows(ctx context.Context, n, workers int, work func(lo, hi int)) error {
	rows, chunks := chunkRows(n)
	return forChunks(ctx, chunks, threads(workers), func(k int) { work(k*rows, min((k+1)*rows, n)) })
}
