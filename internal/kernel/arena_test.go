package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// An arena hands out the slices of a test in places where mistakes show: at odd offsets between guard words whose change is
// an error, or (guard_linux_test.go) against a page that cannot be touched.
type arena interface {
	floats(n int) []float32
	ints(n int) []int32
	check(t *testing.T) // and give everything back
}

const (
	guardWords = 40
	guardBits  = 0x7fc0dead // a NaN, so that a kernel that reads it shows it
)

// fenced is the arena of guard words; slices start at all offsets modulo 64 bytes in turn.
type fenced struct {
	blocks [][]float32
	inner  [][2]int
	next   int
}

func (a *fenced) floats(n int) []float32 {
	a.next = (a.next + 5) % 16
	start := guardWords + a.next
	block := make([]float32, start+n+guardWords)
	for i := range block {
		block[i] = math.Float32frombits(guardBits)
	}
	a.blocks, a.inner = append(a.blocks, block), append(a.inner, [2]int{start, start + n})
	clear(block[start : start+n])
	return block[start : start+n : start+n]
}

func (a *fenced) ints(n int) []int32 { return make([]int32, n) }

func (a *fenced) check(t *testing.T) {
	t.Helper()
	for b, block := range a.blocks {
		for i, v := range block {
			if (i < a.inner[b][0] || i >= a.inner[b][1]) && math.Float32bits(v) != guardBits {
				t.Fatalf("slice %d of length %d: word %d outside was written", b, a.inner[b][1]-a.inner[b][0], i-a.inner[b][0])
			}
		}
	}
	*a = fenced{next: a.next}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// fill draws normal values.
func fill(r *rand.Rand, x []float32) []float32 {
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// within fails unless each got[i] is within tol times scale[i] of want[i].
func within(t *testing.T, what string, got []float32, want, scale []float64, tol float64) {
	t.Helper()
	for i, w := range want {
		if e := math.Abs(float64(got[i]) - w); !(e <= tol*scale[i]+1e-37) {
			t.Fatalf("%s: [%d] = %g, expected %g: off by %.3g of the sum of magnitudes, expected at most %.3g",
				what, i, got[i], w, e/scale[i], tol)
		}
	}
}
