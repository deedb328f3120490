package results

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// freeMemory is what other programs leave, with what this one holds.
func freeMemory() Memory {
	free := kibibytes("/proc/meminfo", "MemAvailable")
	if free == 0 {
		return Memory{}
	}
	return Memory{Bytes: free + kibibytes("/proc/self/status", "VmRSS"), Bound: "free memory"}
}

// groupMemory is the least limit of the process's control group (version 2) and of those around it. A container shows its own as the root.
func groupMemory() (least Memory) {
	const root = "/sys/fs/cgroup"
	group := lineOf("/proc/self/cgroup", "::", "0")
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		if text, err := os.ReadFile(filepath.Join(root, group, "memory.max")); err == nil {
			least = least.Less(Memory{Bytes: whole(strings.TrimSpace(string(text))), Bound: "the control group", Hard: true}) // "max" is no number
		}
		if group == "/" {
			return least
		}
	}
}

// kibibytes returns a field of a file under /proc that is in KiB, in bytes; 0 where it is unknown.
func kibibytes(path, key string) uint64 {
	return whole(strings.TrimSuffix(lineOf(path, ":", key), " kB")) << 10
}

// whole returns the number that a text is, or 0.
func whole(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
