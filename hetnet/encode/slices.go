package encode

import (
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/par"
)

// UpTo returns the numbers from 0 to n-1.
func UpTo(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

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

// Index returns where each name stands.
func Index(names []string) map[string]int32 {
	at := make(map[string]int32, len(names))
	for i, name := range names {
		at[name] = int32(i)
	}
	return at
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
