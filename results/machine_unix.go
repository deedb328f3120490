//go:build dragonfly || freebsd || netbsd || openbsd

package results

import "golang.org/x/sys/unix"

// machine returns the processor's model; the memory is not asked for.
func machine() (model string, memory uint64) {
	model, _ = unix.Sysctl("hw.model")
	return model, 0
}

// PeakMemory returns the most physical memory that the process held so far, in bytes; 0 when unknown.
func PeakMemory() uint64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return uint64(u.Maxrss) << 10
}
