package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/asp2vec/asp2vec/internal/disk"
	"github.com/asp2vec/asp2vec/internal/filelock"
)

// Whoever makes a temporary file or folder locks it for as long as it is in use. The system lets go of the lock when the process
// ends, however it ends: what can be locked is left over from a process that was killed, on this machine or, where the file system
// knows locks of others, on another one. Windows keeps others from reading what is locked, so nothing is locked or swept there.

// claim locks what a process has just made under a name. It says whether it still is there: somebody may have swept it before it
// was locked. Where locks are not to be had it is.
func claim(f *os.File) (there bool) {
	if runtime.GOOS == "windows" {
		return true
	}
	if free, err := filelock.Try(f); err == nil && !free {
		return false
	}
	return inPlace(f)
}

// inPlace says whether a file or a folder still is where it was opened.
func inPlace(f *os.File) bool {
	there, err := os.Stat(f.Name())
	mine, mineErr := f.Stat()
	return err == nil && mineErr == nil && os.SameFile(there, mine)
}

// discard removes a temporary file, while it is locked where the system lets open files be removed.
func discard(f *disk.File) error {
	if runtime.GOOS == "windows" {
		return errors.Join(f.Close(), disk.Remove(f.Name()))
	}
	return errors.Join(disk.Remove(f.Name()), f.Close())
}

// sweep removes what processes that were killed have left of a file or a folder that was to be target. Folders stay as long as
// target is not there: one of them may be the earlier result that was moved aside. What cannot be removed stays too.
func sweep(target string) {
	if runtime.GOOS == "windows" {
		return
	}
	dir, base := filepath.Split(target)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	_, missing := os.Stat(target)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "."+base+".tmp-") || e.IsDir() && errors.Is(missing, fs.ErrNotExist) {
			continue
		}
		if e.IsDir() || e.Type().IsRegular() {
			sweepOne(filepath.Join(dir, e.Name()))
		}
	}
}

func sweepOne(name string) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if free, err := filelock.Try(f); err == nil && free && inPlace(f) {
		_ = disk.RemoveAll(name)
	}
}
