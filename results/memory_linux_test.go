package results

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// The least limit on the way up counts, in either version of control groups.
func TestGroupMemory(t *testing.T) {
	for name, c := range map[string]struct {
		groups string
		files  map[string]string
		want   uint64
	}{
		"version 2":                {"0::/a/b\n", map[string]string{"a/memory.max": "4096\n", "a/b/memory.max": "max\n"}, 4096},
		"version 2, the inner one": {"0::/a/b\n", map[string]string{"a/memory.max": "4096\n", "a/b/memory.max": "1024\n"}, 1024},
		"version 2, another group": {"0::/a\n", map[string]string{"b/memory.max": "1024\n"}, 0},
		"version 1":                {"9:cpu:/x\n4:hugetlb,memory:/c\n", map[string]string{"memory/c/memory.limit_in_bytes": "8192\n"}, 8192},
		"version 1, none":          {"4:memory:/c\n", map[string]string{"memory/c/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"version 2, used by others": {"0::/a\n", map[string]string{"a/memory.max": "4096\n", "a/memory.current": "3000\n",
			"a/memory.stat": "anon 9\ninactive_file 200\nactive_file 100\n"}, 4096 - (3000 - 300 - 512)},
		"version 1, used by others": {"4:memory:/c\n", map[string]string{"memory/c/memory.limit_in_bytes": "4096\n",
			"memory/c/memory.usage_in_bytes": "3000\n", "memory/c/memory.stat": "total_inactive_file 200\ntotal_active_file 100\n"}, 4096 - (3000 - 300 - 512)},
		"used by this process alone": {"0::/a\n", map[string]string{"a/memory.max": "4096\n", "a/memory.current": "500\n"}, 4096},
		"full":                       {"0::/a\n", map[string]string{"a/memory.max": "4096\n", "a/memory.current": "9000\n"}, 1},
		"a container's root":         {"0::/outside\n", map[string]string{"memory.max": "2048\n"}, 2048},
		"odd lines":                  {"\nx\n0::\n", nil, 0},
	} {
		root := t.TempDir()
		for file, text := range c.files {
			path := filepath.Join(root, "fs", file)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		groups := filepath.Join(root, "cgroup")
		if err := os.WriteFile(groups, []byte(c.groups), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := groupMemory(groups, filepath.Join(root, "fs"), 512); got.Bytes != c.want || got.Hard != (c.want > 0) {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
	if got := groupMemory("/nowhere", "/nowhere", 0); got.Bytes != 0 {
		t.Errorf("no file: %+v", got)
	}
}

// The smallest bound counts, and an unknown one is none.
func TestAvailableMemory(t *testing.T) {
	_, all := machine()
	if m := AvailableMemory(); m.Bytes == 0 || m.Bytes > all || m.Bound == "" {
		t.Errorf("%+v of %d", m, all)
	}
	some, more := Memory{Bytes: 1}, Memory{Bytes: 2}
	if some.Less(more) != some || more.Less(some) != some || some.Less(Memory{}) != some || (Memory{}).Less(more) != more {
		t.Error("not the smaller one")
	}
}

// What ulimit -v allows is heeded, less what the Go runtime takes at a time.
func TestAddressLimit(t *testing.T) {
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &old); err != nil {
		t.Skip(err)
	}
	taken := kibibytes("/proc/self/status", "VmSize")
	limit := unix.Rlimit{Cur: taken + 1<<30, Max: old.Max}
	if err := unix.Setrlimit(unix.RLIMIT_AS, &limit); err != nil {
		t.Skip(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_AS, &old)
	if m := HardMemory(); m.Bound != "ulimit -v" || !m.Hard || m.Bytes > 1<<30 || m.Bytes < 1<<29 {
		t.Errorf("%+v, want somewhat less than 1 GiB by ulimit -v", m)
	}
	if left(1<<20, 1<<21) != 0 {
		t.Error("something left of what is taken already")
	}
}
