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
		if model = lineOf("/proc/cpuinfo", ":", key); model != "" {
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

// lineOf returns the value of the first line of a file that is the key, the separator and a value; "" where there is none.
func lineOf(path, separator, key string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if k, v, ok := strings.Cut(sc.Text(), separator); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
