package results

import (
	"bufio"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// memoryBounds are what bounds the memory of this process.
func memoryBounds() []Memory {
	held := kibibytes("/proc/self/status", "VmRSS")
	bounds := []Memory{groupMemory("/proc/self/cgroup", "/sys/fs/cgroup", held)}
	if free := kibibytes("/proc/meminfo", "MemAvailable"); free > 0 {
		bounds = append(bounds, Memory{Bytes: free + held, Bound: "free memory"})
	}
	for _, l := range []struct {
		resource    int
		field, name string
	}{{unix.RLIMIT_AS, "VmSize", "ulimit -v"}, {unix.RLIMIT_DATA, "VmData", "ulimit -d"}} {
		var r unix.Rlimit
		if unix.Getrlimit(l.resource, &r) == nil && r.Cur < 1<<60 {
			bounds = append(bounds, Memory{Bytes: left(r.Cur, kibibytes("/proc/self/status", l.field)) + held, Bound: l.name, Hard: true})
		}
	}
	return bounds
}

// left is what a limit of addresses leaves beside those that are taken, but for one more arena of the Go runtime, which takes so many at a
// time whether it fills them or not.
func left(limit, taken uint64) uint64 {
	const arena = 64 << 20
	if limit <= taken+arena {
		return 0
	}
	return limit - taken - arena
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

// groupMemory returns what the control groups of a process that holds so many bytes leave it. It reads them from a file like
// /proc/self/cgroup, and their limits and use below root: of version 2, and of the memory controller of version 1. A container may show its
// own group as the root, so that is looked at as well. What a group holds of files counts as free: it goes when it is needed.
func groupMemory(groups, root string, held uint64) (least Memory) {
	f, err := os.Open(groups)
	if err != nil {
		return Memory{}
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		parts := strings.SplitN(sc.Text(), ":", 3) // number:controllers:group
		if len(parts) != 3 {
			continue
		}
		folder, limit, use, ofFiles := root, "memory.max", "memory.current", []string{"inactive_file", "active_file"}
		if parts[1] != "" {
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			folder, limit, use = filepath.Join(root, "memory"), "memory.limit_in_bytes", "memory.usage_in_bytes"
			ofFiles = []string{"total_inactive_file", "total_active_file"}
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			dir := filepath.Join(folder, group)
			// "max" is no number, and version 1 has a number near 2^63 for it.
			if most := numberIn(filepath.Join(dir, limit)); most > 0 && most < 1<<60 {
				taken := numberIn(filepath.Join(dir, use))
				for _, name := range ofFiles {
					taken -= min(taken, whole(lineOf(filepath.Join(dir, "memory.stat"), " ", name)))
				}
				taken -= min(taken, held)
				least = least.Less(Memory{Bytes: max(1, most-min(most, taken)), Bound: "the control group", Hard: true})
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// numberIn returns what a file holds that holds a number, or 0.
func numberIn(path string) uint64 {
	b, _ := os.ReadFile(path)
	return whole(strings.TrimSpace(string(b)))
}
