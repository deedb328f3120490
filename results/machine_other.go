//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package results

// machine returns nothing: the description of such a system is left out of the record.
func machine() (model string, memory uint64) { return "", 0 }

// PeakMemory returns the most physical memory that the process held so far, in bytes; 0 when unknown, as it is here.
func PeakMemory() uint64 { return 0 }
