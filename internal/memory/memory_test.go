package memory

import (
	"fmt"
	"slices"
	"testing"
)

// Hints must neither change memory nor reach outside of it: a fault here would end the process.
func TestHintsChangeNothing(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 1000, outgrowsPages - 1, outgrowsPages, outgrowsPages + 4097} {
		t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
			x := Zeros[float32](n)
			if len(x) != n || slices.ContainsFunc(x, func(v float32) bool { return v != 0 }) {
				t.Fatalf("%d numbers, some not zero: expected %d zeros", len(x), n)
			}
			for i := range x {
				x[i] = float32(i)
			}
			for _, lo := range []int{0, n / 3, max(n-1, 0)} {
				Prefetch(x[lo:])
				Prefetch(x[lo:lo])
				Prefetch([]struct{ _ [100]byte }{{}})
			}
			for i, v := range x {
				if v != float32(i) {
					t.Fatalf("number %d became %v", i, v)
				}
			}
		})
	}
}
