// Package atomicfile writes files and folders that appear whole or not at all.
//
// A run that is killed, or that fills the disk, leaves either the old result or the new one under the final name, never half of one. The
// new content is made beside the target, flushed to the device, and then renamed, which file systems do in one step.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Named returns the paths of the files in a folder whose names match a pattern of filepath.Match, sorted; none where there is no such folder, whose own name is no pattern.
func Named(dir, pattern string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if fits, _ := filepath.Match(pattern, e.Name()); fits {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}

// Write creates or replaces the file at path with what fill writes.
//
// The file is visible under its name only after fill has returned nil and every byte has reached the device. If fill fails or panics, or the
// disk is full, the temporary file is removed and a previous file at path stays as it was. fill's writer is buffered; fill must not keep it.
// Permissions are those of the file being replaced, or 0666 before the umask. Folders that are missing are made. A symbolic link is followed.
// A path that exists and is no regular file, such as /dev/stdout or a pipe, is written to directly.
func Write(path string, fill func(w io.Writer) error) error {
	if err := write(path, fill); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	return nil
}

func write(path string, fill func(w io.Writer) error) error {
	target, err := realPath(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a folder: expected a file name")
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(fillFile(f, fill), f.Close())
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	temp := tempName(target)
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return unnamed(err)
	}
	defer os.Remove(temp) // also when fill panics; it fails once the file has its name
	defer f.Close()
	if info != nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return unnamed(err)
		}
	}
	if err := errors.Join(fillFile(f, fill), f.Sync(), f.Close()); err != nil {
		return unnamed(err)
	}
	if err := os.Rename(temp, target); err != nil {
		return err
	}
	sweep(target)
	return nil
}

// fillFile has fill write to a file through a buffer.
func fillFile(f *os.File, fill func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<20)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}

// unnamed takes temporary names, which nobody knows, out of errors.
func unnamed(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) && strings.Contains(filepath.Base(pe.Path), ".tmp-") {
		return fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return err
}

// ErrExists is wrapped by the error of Dir and CheckDir when the folder is there already, is not empty, and force is false.
var ErrExists = errors.New("exists and is not empty")

// Dir creates the folder at path with the files that fill puts into tmp.
//
// tmp is a new, empty sibling of path; it takes path's name only after fill has returned nil and its files are flushed. Missing parents of
// path are created. If fill fails or panics, tmp is removed. A folder with something in it at path is an error that wraps ErrExists, unless
// force is true: then the old folder is moved aside, and put back if the new one cannot take its place. A run that is killed between the two
// renames leaves both complete, under hidden names beside path.
func Dir(path string, force bool, fill func(tmp string) error) error {
	if err := CheckDir(path, force); err != nil {
		return err
	}
	if err := dir(path, force, fill); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	return nil
}

func dir(path string, force bool, fill func(tmp string) error) error {
	target, err := realPath(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	tmp := tempName(target)
	if err := os.Mkdir(tmp, 0o777); err != nil {
		return unnamed(err)
	}
	defer os.RemoveAll(tmp) // also when fill panics; nothing is there once the folder has its name
	if err := fill(tmp); err != nil {
		return err
	}
	if err := syncTree(tmp); err != nil {
		return err
	}
	switch there := os.Remove(target); { // removes an empty folder only
	case there == nil || errors.Is(there, fs.ErrNotExist):
		err = os.Rename(tmp, target)
	case force:
		err = replace(tmp, target)
	default:
		return fmt.Errorf("%w (%w)", ErrExists, there)
	}
	if err == nil {
		sweep(target)
	}
	return err
}

// replace gives tmp the name target, whose folder it removes.
func replace(tmp, target string) error {
	old := tempName(target)
	if err := os.Rename(target, old); err != nil {
		return err
	}
	if err := os.Rename(tmp, target); err != nil {
		if back := os.Rename(old, target); back != nil {
			return fmt.Errorf("%w; the old folder is at %s: %w", err, old, back)
		}
		return err
	}
	if err := os.RemoveAll(old); err != nil {
		return fmt.Errorf("the new folder is in place, but the old one is left at %s: %w", old, err)
	}
	return nil
}

// syncTree flushes the files under root, since fill may have used plain os.Create.
func syncTree(root string) error {
	return filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		f, err := os.OpenFile(name, os.O_RDWR, 0) // Windows flushes only files that are open for writing
		if errors.Is(err, fs.ErrPermission) {
			return nil // read-only by choice of fill
		}
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// CheckDir reports what would make Dir(path, force, ...) fail, so that a long run can find out before it starts. It leaves nothing behind.
func CheckDir(path string, force bool) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() {
			err = errors.New("is a file: expected a folder")
		}
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	case len(entries) > 0 && !force:
		return fmt.Errorf("atomicfile: %s: %w", path, ErrExists)
	}
	return CheckWritable(path)
}

// CheckWritable reports why a file or a folder could not be created, or replaced, at path: for use before a long run, so that an output that
// cannot be written fails at the start. It creates a temporary file in the nearest folder above path that exists, and leaves nothing behind.
// It cannot foresee a disk that fills up later.
func CheckWritable(path string) error {
	target, err := realPath(path)
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	if info, err := os.Stat(target); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // a device or a pipe; opening it just to look would wait for its reader
	}
	above := filepath.Dir(target)
	for {
		info, err := os.Stat(above)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("atomicfile: %s: %s is a file: expected a folder", path, above)
		}
		if err == nil {
			break
		}
		if up := filepath.Dir(above); errors.Is(err, fs.ErrNotExist) && up != above {
			above = up
			continue
		}
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	temp := tempName(filepath.Join(above, filepath.Base(target)))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("atomicfile: %s: cannot be written: %w", path, unnamed(err))
	}
	return errors.Join(f.Close(), os.Remove(temp))
}

// realPath is path without symbolic links and relative parts ("." has no name to rename), where it exists.
func realPath(path string) (string, error) {
	if path == "" {
		return "", errors.New("no name")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		abs = real
	} else if info, err := os.Lstat(abs); err == nil && info.Mode()&fs.ModeSymlink != 0 && !devices(abs) {
		return "", errors.New("a symbolic link to nothing: expected a link to a file or a folder")
	}
	if filepath.Dir(abs) == abs {
		return "", errors.New("is the root of the file system: expected a name below it")
	}
	return abs, nil
}

// devices says whether a path is one that the system gives to what has no path of its own, such as /dev/stdout of a pipe.
func devices(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// tempName returns another name for target each time, hidden and in the same folder, since a rename cannot cross file systems.
func tempName(target string) string {
	dir, base := filepath.Split(target)
	return filepath.Join(dir, fmt.Sprintf(".%s.tmp-%016x", base, rand.Uint64()))
}

// IsTemporary reports whether a path is one that a file or a folder has here until it is whole; what is
// killed leaves it.
func IsTemporary(path string) bool {
	base := filepath.Base(path)
	return strings.HasPrefix(base, ".") && strings.Contains(base, ".tmp-")
}

// leftOver is the age from which on a temporary file or folder is of a process that was killed.
const leftOver = 24 * time.Hour

// sweep removes what killed processes have left of a file or folder that is now there. What cannot be removed stays.
func sweep(target string) {
	dir, base := filepath.Split(target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "."+base+".tmp-") || !e.Type().IsRegular() && !e.IsDir() {
			continue
		}
		temp := filepath.Join(dir, e.Name())
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftOver {
			_ = os.RemoveAll(temp)
		}
	}
}
