// Package atomicfile writes files and folders that appear whole or not at all.
//
// A run that is killed, or that fills the disk, leaves either the old result or the new one under the final name, never half
// of one. The new content is made beside the target, flushed to the device, and then renamed, which file systems do in one
// step; the folder that holds the name is flushed last, so that the rename itself survives a power cut. The exception is a
// folder that replaces another where names cannot be exchanged: see Dir.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/asp2vec/asp2vec/internal/disk"
)

// bufferSize is the size in bytes of the buffer between fill and the file.
const bufferSize = 1 << 20

// Write creates or replaces the file at path with what fill writes.
//
// The file is visible under its name only after fill has returned nil and every byte has reached the device. If fill fails or
// panics, or the disk is full, the temporary file is removed and a previous file at path stays as it was. fill's writer is
// buffered; fill must not keep it. Permissions are those that os.Create would give: those of the file being replaced, or 0666
// before the umask. Folders that are missing are made. A symbolic link is followed. A path that exists and is no regular file, such as /dev/stdout or a pipe,
// cannot be replaced and is written to directly.
func Write(path string, fill func(w io.Writer) error) error {
	target, mode, err := resolve(path)
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	if mode != nil && !mode.IsRegular() {
		return writeThrough(path, fill)
	}
	var made []string
	f, err := createTemp(target)
	if errors.Is(err, fs.ErrNotExist) {
		made = disk.Missing(filepath.Dir(target))
		if err = disk.MkdirAll(filepath.Dir(target), 0o777); err == nil {
			f, err = createTemp(target)
		}
	}
	if err != nil {
		disk.RemoveEmpty(made)
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	done := false
	defer func() {
		if !done { // also when fill panics
			_ = discard(f)
			disk.RemoveEmpty(made)
		}
	}()
	if mode != nil {
		if err := f.Chmod(mode.Perm()); err != nil {
			return fmt.Errorf("atomicfile: %s: %w", path, err)
		}
	}
	if err := flushInto(f, fill); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, unnamed(err, f.Name()))
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, unnamed(err, f.Name()))
	}
	if err := renameTemp(f, target); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	done = true
	sweep(target)
	if err := syncDir(filepath.Dir(target)); err != nil {
		return fmt.Errorf("atomicfile: %s: the file is complete, but its folder could not be flushed: %w", path, err)
	}
	return nil
}

// unnamed takes a temporary name, which nobody knows, out of an error of the file that has it.
func unnamed(err error, temp string) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) && pe.Path == temp {
		return pe.Err
	}
	return err
}

// renameTemp gives a temporary file its name, and closes it only then, so that nobody takes it for left over. Windows renames no
// open files, and locks none here.
func renameTemp(f *disk.File, target string) error {
	if runtime.GOOS == "windows" {
		if err := f.Close(); err != nil {
			return err
		}
		return disk.Rename(f.Name(), target)
	}
	if err := disk.Rename(f.Name(), target); err != nil {
		return err
	}
	_ = f.Close() // its content has reached the device
	return nil
}

// resolve follows symbolic links. The mode is nil where nothing exists at path.
func resolve(path string) (target string, mode *fs.FileMode, err error) {
	if path == "" {
		return "", nil, errors.New("no file name")
	}
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if isLink(path) {
			return "", nil, errors.New("a symbolic link to nothing: want a file, or a link to one")
		}
		return path, nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	if fi.IsDir() {
		return "", nil, errors.New("is a folder: want a file name")
	}
	m := fi.Mode()
	if !m.IsRegular() {
		return path, &m, nil // /dev/stdout may be a link to something without a path of its own
	}
	target, err = filepath.EvalSymlinks(path)
	return target, &m, err
}

// isLink says whether a symbolic link is at path.
func isLink(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.Mode()&fs.ModeSymlink != 0
}

// createTemp creates a file beside target with the permissions that os.Create gives (os.CreateTemp would give 0600), and locks it.
func createTemp(target string) (*disk.File, error) {
	for i := 0; ; i++ {
		f, err := disk.OpenFile(tempName(target), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil && i < maxTries && !claim(f.File) {
			f.Close()
			continue
		}
		if !errors.Is(err, fs.ErrExist) || i >= maxTries {
			var pe *fs.PathError
			if errors.As(err, &pe) { // nobody knows the temporary name
				err = &fs.PathError{Op: pe.Op, Path: filepath.Dir(target), Err: pe.Err}
			}
			return f, err
		}
	}
}

// maxTries bounds the search for a free temporary name; left-overs of killed runs with the same process id use up a few.
const maxTries = 10000

// tempName returns another temporary name for target each time, hidden and in the same folder, since a rename cannot cross file
// systems.
func tempName(target string) string {
	dir, base := filepath.Split(target)
	return filepath.Join(dir, fmt.Sprintf(".%s.tmp-%d-%d", base, os.Getpid(), named.Add(1)-1))
}

// named counts the temporary names that this process has given.
var named atomic.Int64

func flushInto(f *disk.File, fill func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, bufferSize)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}

func writeThrough(path string, fill func(w io.Writer) error) error {
	f, err := disk.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("atomicfile: %w", err)
	}
	err = flushInto(f, fill)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	return nil
}

// syncDir flushes the names in a folder. Windows has no such call, and orders renames itself.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := disk.Do("sync", dir, d.Sync); err != nil && !errors.Is(err, errors.ErrUnsupported) && !isInvalid(err) {
		return err
	}
	return nil
}
