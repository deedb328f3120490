package memory

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages asks for huge pages under the whole ones of b; an answer of no is fine.
func hugePages(b []byte) {
	page := uintptr(unix.Getpagesize())
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	skip := (page - start%page) % page
	whole := (uintptr(len(b)) - skip) / page * page
	_ = unix.Madvise(b[skip:skip+whole], unix.MADV_HUGEPAGE)
}
