package encode

import (
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/par"
)

// EachRow calls do for each of n rows, several at a time.
func EachRow(threads, n int, do func(i int)) {
	const block = 64
	par.Blocks(threads, (n+block-1)/block, func(_, b int) {
		for i := b * block; i < min((b+1)*block, n); i++ {
			do(i)
		}
	})
}

// Grown returns a slice of n numbers, in the memory of s if it fits.
func Grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return memory.Zeros[float32](n)
	}
	return s[:n]
}

// Gathered returns some rows of x (N,W), in the memory of dst.
func Gathered(dst, x []float32, rows []int32, w int) []float32 {
	dst = dst[:0]
	for _, v := range rows {
		dst = append(dst, x[int(v)*w:][:w]...)
	}
	return dst
}

// Places returns where each name stands, -1 for one that is not there.
func Places(names []string, at map[string]int32) []int32 {
	places := make([]int32, len(names))
	for i, name := range names {
		place, there := at[name]
		if !there {
			place = -1
		}
		places[i] = place
	}
	return places
}

// Squared returns <x,x>.
func Squared(x []float32) (sum float64) {
	for _, c := range x {
		sum += float64(c) * float64(c)
	}
	return sum
}
