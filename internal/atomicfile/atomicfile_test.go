package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func read(t *testing.T, path string) string {
	t.Helper()
	b := call.Of(os.ReadFile(path))(t)
	return string(b)
}

// names lists a folder, hidden temporary files included: nothing may be left over.
func names(t *testing.T, dir string) []string {
	t.Helper()
	es := call.Of(os.ReadDir(dir))(t)
	var out []string
	for _, e := range es {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteReplacesWholeFileOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	call.OK(t, Write(path, text("one")))
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("x", 3*(1<<20))) // past the buffer, so part of it is in the file
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), path) {
		t.Fatalf("error %v: expected one that wraps fill's and names %s", err, path)
	}
	if got := read(t, path); got != "one" {
		t.Errorf("after a failed write the file holds %d bytes: expected the old %q", len(got), "one")
	}
	call.OK(t, Write(path, text("two")))
	if got := read(t, path); got != "two" {
		t.Errorf("got %q, expected %q", got, "two")
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %q: expected a.txt alone", got)
	}
}

func TestWriteCleansUpAfterPanic(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() { recover() }()
		Write(filepath.Join(dir, "a"), func(io.Writer) error { panic("no") })
	}()
	func() {
		defer func() { recover() }()
		Dir(filepath.Join(dir, "d"), false, func(string) error { panic("no") })
	}()
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("left over: %q", got)
	}
}

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "made", "of", "folders")
	if err := Write(below, text("x")); err != nil || read(t, below) != "x" {
		t.Errorf("missing folders: %v", err)
	}
	for name, path := range map[string]string{
		"empty name":   "",
		"a folder":     dir,
		"below a file": filepath.Join(below, "file"),
	} {
		if err := Write(path, text("x")); err == nil || strings.Contains(err.Error(), ".tmp-") {
			t.Errorf("%s: %v: expected an error without a temporary name", name, err)
		}
	}
}

func TestWritePermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no Unix permissions")
	}
	dir := t.TempDir()
	f := call.Of(os.Create(filepath.Join(dir, "plain")))(t)
	f.Close()
	want, _ := os.Stat(f.Name())
	path := filepath.Join(dir, "atomic")
	call.OK(t, Write(path, text("x")))
	if got, _ := os.Stat(path); got.Mode() != want.Mode() {
		t.Errorf("new file has mode %v, os.Create gives %v", got.Mode(), want.Mode())
	}
	call.OK(t, os.Chmod(path, 0o640))
	call.OK(t, Write(path, text("y")))
	if got, _ := os.Stat(path); got.Mode().Perm() != 0o640 {
		t.Errorf("replaced file has mode %v, the old one had 0640", got.Mode())
	}
}

func TestWriteFollowsLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	call.OK(t, Write(path, text("old")))
	if err := os.Symlink("file", link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	call.OK(t, Write(link, text("new")))
	if fi, _ := os.Lstat(link); fi.Mode()&os.ModeSymlink == 0 || read(t, path) != "new" {
		t.Error("the link was replaced: expected the file it points to replaced")
	}
}

func TestWriteFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	for _, size := range []int{1, 3 * (1 << 20)} { // found at the flush, and inside fill
		call.Refused(t, "/dev/full")(Write("/dev/full", text(strings.Repeat("x", size))))
	}
}

func fillWith(s string) func(string) error {
	return func(tmp string) error { return os.WriteFile(filepath.Join(tmp, "f"), []byte(s), 0o666) }
}

func TestDir(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "deep", "run") + string(filepath.Separator)
	file := filepath.Join(path, "f")
	call.OK(t, Dir(path, false, fillWith("one")))
	if err := Dir(path, false, fillWith("two")); !errors.Is(err, ErrExists) {
		t.Errorf("second write: %v: expected ErrExists", err)
	}
	broken := errors.New("broken")
	err := Dir(path, true, func(tmp string) error {
		fillWith("half")(tmp)
		if got := read(t, file); got != "one" {
			t.Errorf("while filling, the old folder holds %q: expected it whole", got)
		}
		return broken
	})
	if !errors.Is(err, broken) || read(t, file) != "one" {
		t.Errorf("failed replacement: error %v, file %q: expected fill's error and the old file", err, read(t, file))
	}
	call.OK(t, Dir(path, true, fillWith("two")))
	if got := read(t, file); got != "two" {
		t.Errorf("after force: %q, expected %q", got, "two")
	}
	if got := names(t, filepath.Dir(filepath.Clean(path))); len(got) != 1 {
		t.Errorf("the parent holds %q: expected run alone", got)
	}
	empty := filepath.Join(root, "empty")
	call.OK(t, os.Mkdir(empty, 0o777))
	if err := Dir(empty, false, fillWith("x")); err != nil {
		t.Errorf("an empty folder needs no force: %v", err)
	}
	call.Refused(t)(Dir(file, true, fillWith("x")))
}

// A replacement that fails half way must put the old folder back; the new one missing is a way to make it fail.
func TestReplaceRestoresOldFolder(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "run")
	call.OK(t, Dir(path, false, fillWith("old")))
	call.Refused(t)(replace(filepath.Join(root, "missing"), path))
	if got := read(t, filepath.Join(path, "f")); got != "old" {
		t.Errorf("got %q, expected the old folder back", got)
	}
	if got := names(t, root); len(got) != 1 {
		t.Errorf("left over: %q", got)
	}
}

// What a killed process has left is removed a day later, once there is a whole one.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-25 * time.Hour)
	for _, name := range []string{".a.tmp-1", ".a.tmp-2", ".b.tmp-1", ".b.tmp-2", ".c.tmp-1"} {
		call.OK(t, os.Mkdir(filepath.Join(dir, name), 0o777))
		if strings.HasSuffix(name, "1") {
			call.OK(t, os.Chtimes(filepath.Join(dir, name), long, long))
		}
	}
	call.OK(t, Write(filepath.Join(dir, "a"), text("x")), Dir(filepath.Join(dir, "b"), false, fillWith("x")))
	if got := names(t, dir); !slices.Equal(got, []string{".a.tmp-2", ".b.tmp-2", ".c.tmp-1", "a", "b"}) {
		t.Errorf("left: %q", got)
	}
}

func TestCheckWritable(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "file")
	call.OK(t, Write(file, text("x")))
	for _, ok := range []string{file, filepath.Join(root, "new"), filepath.Join(root, "a", "b", "c")} {
		if err := CheckWritable(ok); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	if got := names(t, root); len(got) != 1 {
		t.Errorf("left over: %q", got)
	}
	call.Refused(t)(CheckWritable(filepath.Join(file, "below")))
	if err := CheckDir(root, false); !errors.Is(err, ErrExists) {
		t.Errorf("CheckDir of a full folder: %v, expected ErrExists", err)
	}
	call.Refused(t)(CheckDir(file, true))
	closed := filepath.Join(root, "closed")
	call.OK(t, os.Mkdir(closed, 0o555))
	if f, err := os.Create(filepath.Join(closed, "probe")); err == nil {
		f.Close()
		t.Skip("permissions do not bind this user")
	}
	call.Refused(t)(CheckWritable(filepath.Join(closed, "x")))
}
