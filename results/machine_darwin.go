package results

import "golang.org/x/sys/unix"

// machine returns the processor's model and the memory in bytes, "" and 0 where they are unknown.
func machine() (model string, memory uint64) {
	model, _ = unix.Sysctl("machdep.cpu.brand_string")
	memory, _ = unix.SysctlUint64("hw.memsize")
	return model, memory
}

// PeakMemory returns the most physical memory that the process held so far, in bytes; 0 when unknown.
func PeakMemory() uint64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return uint64(u.Maxrss) // bytes here, where other systems count KiB
}
