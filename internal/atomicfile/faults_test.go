package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/asp2vec/asp2vec/internal/disk"
)

var errCrashed = errors.New("crashed")

// faults are what goes wrong with one call; after a crash no later call does anything.
var faults = map[string]struct {
	disk.Fault
	crash bool
}{
	"EIO":                {disk.Fault{Before: syscall.EIO}, false},
	"EROFS":              {disk.Fault{Before: syscall.EROFS}, false},
	"short, ENOSPC":      {disk.Fault{Before: syscall.ENOSPC, Half: true}, false},
	"done, and says EIO": {disk.Fault{After: syscall.EIO}, false},
	"crash before":       {disk.Fault{Before: errCrashed}, true},
	"crash amid":         {disk.Fault{Before: errCrashed, Half: true}, true},
	"crash after":        {disk.Fault{After: errCrashed}, true},
}

// inMemory returns a new folder, in memory where there is such a file system: flushing takes no time there.
func inMemory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "asp2vec-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Whatever call fails, and at whatever call the process ends, what was there is whole, or what is new; and the next try leaves nothing
// but that.
func TestFaults(t *testing.T) {
	fileWith := func(path, s string) error { return Write(path, text(s)) }
	dirWith := func(path, s string) error {
		return Dir(path, true, func(tmp string) error {
			return errors.Join(disk.WriteFile(filepath.Join(tmp, "f"), []byte(s), 0o666), Write(filepath.Join(tmp, "g"), text(s)))
		})
	}
	content := func(path string) string {
		var all string
		for _, name := range []string{path, filepath.Join(path, "f"), filepath.Join(path, "g")} {
			if b, err := os.ReadFile(name); err == nil {
				all += string(b) + " "
			}
		}
		return all
	}
	points := 0
	for name, c := range map[string]struct {
		write   func(path, s string) error
		before  string
		old, is string
	}{
		"new file":    {fileWith, "", "", "new "},
		"file":        {fileWith, "old", "old ", "new "},
		"new folder":  {dirWith, "", "", "new new "},
		"folder":      {dirWith, "old", "old old ", "new new "},
		"deep folder": {func(path, s string) error { return dirWith(path, s) }, "", "", "new new "},
	} {
		for fault, f := range faults {
			for at := 1; ; at++ {
				dir := inMemory(t)
				path := filepath.Join(dir, "result")
				if name == "deep folder" {
					path = filepath.Join(dir, "a", "b", "result")
				}
				if c.before != "" {
					if err := c.write(path, c.before); err != nil {
						t.Fatal(err)
					}
				}
				calls, crashed := 0, false
				restore := disk.Intercept(func(op, _ string) disk.Fault {
					calls++
					switch {
					case crashed:
						return disk.Fault{Before: errCrashed}
					case calls != at:
						return disk.Fault{}
					}
					crashed = f.crash
					return f.Fault
				})
				err := c.write(path, "new")
				restore()
				if calls < at {
					break // there are no more
				}
				points++
				where := fmt.Sprintf("%s, %s at call %d", name, fault, at)
				switch got := content(path); {
				case err == nil && got != c.is:
					t.Errorf("%s: no error, and %q", where, got)
				case got != c.is && got != c.old:
					t.Errorf("%s: %q, want %q or %q (%v)", where, got, c.old, c.is, err)
				}
				if err := c.write(path, "new"); err != nil {
					t.Errorf("%s: the next try: %v", where, err)
				}
				if got := names(t, filepath.Dir(path)); content(path) != c.is || len(got) != 1 {
					t.Errorf("%s: after the next try %q in %q", where, content(path), got)
				}
			}
		}
	}
	t.Logf("%d faults", points)
	if points < 200 {
		t.Errorf("%d faults: want some hundreds", points)
	}
}

// Of a file or a folder that cannot be written nothing is left, not even the folders above it that were made; what lay in them stays.
func TestNoFolderLeftOfAFailure(t *testing.T) {
	full := errors.New("full")
	fails := map[string]func(path string) error{
		"file":   func(path string) error { return Write(path, func(io.Writer) error { return full }) },
		"folder": func(path string) error { return Dir(path, false, func(string) error { return full }) },
	}
	for name, write := range fails {
		dir := t.TempDir()
		if err := write(filepath.Join(dir, "a", "b", "c")); !errors.Is(err, full) {
			t.Errorf("%s: error %v", name, err)
		}
		if got := names(t, dir); len(got) != 0 {
			t.Errorf("%s: left over: %q", name, got)
		}
		if err := Write(filepath.Join(dir, "a", "kept"), text("x")); err != nil {
			t.Fatal(err)
		}
		if err := write(filepath.Join(dir, "a", "b", "c")); !errors.Is(err, full) {
			t.Errorf("%s: error %v", name, err)
		}
		if got := names(t, filepath.Join(dir, "a")); len(got) != 1 || got[0] != "kept" {
			t.Errorf("%s: beside what was there: %q", name, got)
		}
	}
}
