//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package results

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// machine returns the processor's model and the memory in bytes, "" and 0 where they are unknown; the memory is asked for on macOS alone.
func machine() (model string, memory uint64) {
	if runtime.GOOS == "darwin" {
		model, _ = unix.Sysctl("machdep.cpu.brand_string")
		memory, _ = unix.SysctlUint64("hw.memsize")
		return model, memory
	}
	model, _ = unix.Sysctl("hw.model")
	return model, 0
}

// PeakMemory returns the most physical memory that the process held so far, in bytes; 0 when unknown.
func PeakMemory() uint64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return uint64(u.Maxrss) // bytes there, where other systems count KiB
	}
	return uint64(u.Maxrss) << 10
}
