package results

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
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

// addressLimit is how many addresses ulimit -v allows; 0 for any number.
func addressLimit() uint64 {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &r) != nil || r.Cur > 1<<60 {
		return 0
	}
	return r.Cur
}

// addressMemory is what ulimit -v leaves, with what this process holds.
func addressMemory() Memory {
	const arena = 64 << 20 // of addresses, which Go takes so many of at a time
	limit, taken := addressLimit(), kibibytes("/proc/self/status", "VmSize")+arena
	if limit == 0 {
		return Memory{}
	}
	return Memory{Bytes: max(limit, taken) - taken + kibibytes("/proc/self/status", "VmRSS"), Bound: "ulimit -v", Hard: true}
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
