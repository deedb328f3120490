//go:build !amd64 || purego

package memory

import "unsafe"

func prefetch(unsafe.Pointer, int) {}
