package results

import (
	"bufio"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// machine returns the processor's model and the memory in bytes, "" and 0 where they are unknown.
func machine() (model string, memory uint64) {
	for _, key := range []string{"model name", "Model", "cpu model", "uarch"} { // x86, some ARM boards, MIPS, RISC-V
		if model = procField("/proc/cpuinfo", key); model != "" {
			break
		}
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		memory = uint64(info.Totalram) * uint64(info.Unit)
	}
	return model, memory
}

// PeakMemory returns the most physical memory that the process held so far, in bytes; 0 when unknown.
func PeakMemory() uint64 {
	return kibibytes("/proc/self/status", "VmHWM")
}

// procField returns the first "key: value" of a file under /proc.
func procField(path, key string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if k, v, ok := strings.Cut(sc.Text(), ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
