package results

import (
	"os"
	"path/filepath"
	"testing"
)

// The least limit on the way up counts, in either version of control groups.
func TestGroupLimit(t *testing.T) {
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
		"a container's root":       {"0::/outside\n", map[string]string{"memory.max": "2048\n"}, 2048},
		"odd lines":                {"\nx\n0::\n", nil, 0},
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
		if got := groupLimitIn(groups, filepath.Join(root, "fs")); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := groupLimitIn("/nowhere", "/nowhere"); got != 0 {
		t.Errorf("no file: %d", got)
	}
	if _, all := machine(); MemoryLimit() == 0 || MemoryLimit() > all {
		t.Errorf("limit %d of %d", MemoryLimit(), all)
	}
}
