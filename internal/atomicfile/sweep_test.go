package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/asp2vec/asp2vec/internal/filelock"
)

// leave puts what a killed process leaves: a file, or a folder with a file in it.
func leave(t *testing.T, path string, folder bool) {
	t.Helper()
	if folder {
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(path, "embedding.vec")
	}
	if err := os.WriteFile(path, []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What killed processes have left is removed by the next one that writes the same name; what is in use, or of another name, is not.
func TestSweep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is locked there")
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	leave(t, path(".a.txt.tmp-999999-0"), false)
	leave(t, path(".a.txt.tmp-999999-1"), false)
	leave(t, path(".b.txt.tmp-999999-0"), false)
	leave(t, path(".run.tmp-999999-0"), true)
	leave(t, path(".a.txt.tmp-1-0"), false)
	used, err := os.Open(path(".a.txt.tmp-1-0"))
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	if free, err := filelock.Try(used); err != nil || !free {
		t.Skip("no locks on this file system")
	}
	if err := Write(path("a.txt"), text("whole")); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{".a.txt.tmp-1-0", ".b.txt.tmp-999999-0", ".run.tmp-999999-0", "a.txt"}; !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
	if err := CheckDir(path("run"), false); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path(".run.tmp-999999-0")); err != nil {
		t.Errorf("what may be an earlier result went before there is another: %v", err)
	}
	if err := Dir(path("run"), false, func(tmp string) error { return os.WriteFile(filepath.Join(tmp, "x"), nil, 0o666) }); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{".a.txt.tmp-1-0", ".b.txt.tmp-999999-0", "a.txt", "run"}; !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
}

// Writers of one name who sweep at the same time do not take one another's files away.
func TestSweepAmongWriters(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				if err := Write(filepath.Join(dir, "a.txt"), text("whole")); err != nil {
					t.Error(err)
				}
				err := Dir(filepath.Join(dir, "run"), true, func(tmp string) error { return os.WriteFile(filepath.Join(tmp, "x"), nil, 0o666) })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if got, want := names(t, dir), []string{"a.txt", "run"}; !slices.Equal(got, want) {
		t.Errorf("left: %q, want %q", got, want)
	}
}

// A link to nothing is a disk that is not there, not a free name.
func TestDirThroughLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "unmounted", "x"), link); err != nil {
		t.Skip(err)
	}
	if err := Dir(link, true, func(string) error { return nil }); err == nil || errors.Is(err, ErrExists) {
		t.Errorf("error %v: want one of a link to nothing", err)
	}
	if fi, err := os.Lstat(link); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
}
