// Package memory makes tables that outgrow the caches cheaper to visit at random. Nothing in it changes a result: all of it
// is hints, and does nothing where a system or processor does not know them.
package memory

import "unsafe"

// Prefetch asks the processor to bring x into the cache, and does not wait for it.
func Prefetch[T any](x []T) {
	if len(x) > 0 {
		prefetch(unsafe.Pointer(unsafe.SliceData(x)), len(x)*int(unsafe.Sizeof(x[0])))
	}
}

// Sizes of tables, in float32, from which on something is worth what it costs: to ask for rows ahead from 4 MiB, more than a
// core's own cache, and huge pages from 8 MiB, about what its page translations cover.
const (
	outgrowsCache = 1 << 20
	outgrowsPages = 1 << 21
)

// OutgrowsCache says whether a table of n float32 is too large to be at hand when it is visited at random.
func OutgrowsCache(n int) bool { return n >= outgrowsCache }

// Zeros returns n zeros for random visits, on huge pages where there are many and the system has such pages: with pages of
// 4 KiB, every visit of a row of a large table would first have to find its page.
func Zeros[T any](n int) []T {
	x := make([]T, n)
	if bytes := n * int(unsafe.Sizeof(*new(T))); bytes >= 4*outgrowsPages {
		hugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), bytes))
	}
	return x
}
