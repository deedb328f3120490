package results

import (
	"bufio"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// groupLimit returns the least limit of memory that a control group sets this process, in bytes; 0 where there is none.
func groupLimit() uint64 { return groupLimitIn("/proc/self/cgroup", "/sys/fs/cgroup") }

// groupLimitIn reads the groups of a process from a file like /proc/self/cgroup, and their limits below root: of version 2,
// and of the memory controller of version 1. A container may show its own group as the root, so that is looked at as well.
func groupLimitIn(groups, root string) (least uint64) {
	look := func(file string) {
		b, err := os.ReadFile(file)
		if err != nil {
			return
		}
		// "max" is no number, and version 1 has a number near 2^63 for it.
		limit, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
		if err == nil && limit > 0 && limit < 1<<60 && (least == 0 || limit < least) {
			least = limit
		}
	}
	f, err := os.Open(groups)
	if err != nil {
		return 0
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		parts := strings.SplitN(sc.Text(), ":", 3) // number:controllers:group
		if len(parts) != 3 {
			continue
		}
		folder, file := root, "memory.max"
		if parts[1] != "" {
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			folder, file = filepath.Join(root, "memory"), "memory.limit_in_bytes"
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			look(filepath.Join(folder, group, file))
			if group == "/" {
				break
			}
		}
	}
	return least
}
