//go:build !purego

package memory

import "unsafe"

// prefetch asks for every cache line of the bytes from p on, of which there is at least one.
//
//go:noescape
func prefetch(p unsafe.Pointer, bytes int)
