package kernel

import (
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// paged is the arena that puts every slice right before, or right after, a page that must not be touched.
type paged struct {
	t     *testing.T
	after bool // slices start behind the forbidden page, to catch reads before the start
	maps  [][]byte
}

func (a *paged) bytes(n int) []byte {
	page := syscall.Getpagesize()
	whole := (n + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, whole+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		a.t.Skipf("mmap: %v", err)
	}
	a.maps = append(a.maps, m)
	for _, edge := range [][]byte{m[:page], m[page+whole:]} {
		if err := syscall.Mprotect(edge, syscall.PROT_NONE); err != nil {
			a.t.Skipf("mprotect: %v", err)
		}
	}
	if a.after {
		return m[page:][:n:n]
	}
	return m[page+whole-n:][:n:n]
}

func (a *paged) floats(n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(a.bytes(4*n)))), n)
}

func (a *paged) ints(n int) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(a.bytes(4*n)))), n)
}

func (a *paged) check(t *testing.T) {
	for _, m := range a.maps {
		call.OK(t, syscall.Munmap(m))
	}
	a.maps = nil
}

// TestBounds runs the kernels with all their slices against forbidden pages, where an access beyond them faults.
func TestBounds(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	eachVariant(t, func(t *testing.T) {
		for name, after := range map[string]bool{"before": false, "after": true} {
			t.Run(name, func(t *testing.T) {
				a := &paged{t: t, after: after}
				r := newRand(3)
				for i, z := range shapes() {
					if i%3 == 0 || z.d > 120 {
						testRows(t, a, r, z)
					}
				}
				for _, z := range products(r, 60) {
					testGemm(t, a, r, 1, z)
				}
				for n := range 40 {
					testElementwise(t, a, r, n)
					testUniform(t, a, n, r.Uint64())
					testArrays(t, a, r, n)
					testMiddle(t, a, r, n%7, 1+n%4, 1+n)
				}
			})
		}
	})
}
