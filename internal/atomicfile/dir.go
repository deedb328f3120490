package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/internal/disk"
)

// ErrExists is wrapped by the error of Dir and CheckDir when the folder is there already, is not empty, and force is false.
var ErrExists = errors.New("exists and is not empty")

// Dir creates the folder at path with the files that fill puts into tmp.
//
// tmp is a new, empty sibling of path; it takes path's name only after fill has returned nil and its files are flushed.
// Missing parents of path are created. If fill fails or panics, tmp is removed, and the parents that were created. A folder
// with something in it at path is an error that wraps ErrExists, unless force is true: then the two exchange their names once
// the new one is complete, and the old one is removed. Where the system cannot exchange names (other than Linux, and some file
// systems), the old folder is moved aside, and put back if the new one cannot take its place: a run that is killed between the
// two renames leaves both complete, under hidden names beside path.
func Dir(path string, force bool, fill func(tmp string) error) error {
	if err := CheckDir(path, force); err != nil {
		return err
	}
	target, err := realPath(path)
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	made := disk.Missing(filepath.Dir(target))
	done := false
	defer func() {
		if !done { // also when fill panics
			disk.RemoveEmpty(made)
		}
	}()
	if err := disk.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	var claimed *os.File
	tmp, err := freeName(target, func(name string) (err error) {
		claimed, err = createDir(name)
		return err
	})
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	defer claimed.Close()
	defer func() {
		if !done {
			disk.RemoveAll(tmp)
		}
	}()
	if err := fill(tmp); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	if err := syncTree(tmp); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	if err := swap(tmp, target, force); err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	done = true
	sweep(target)
	if err := syncDir(filepath.Dir(target)); err != nil {
		return fmt.Errorf("atomicfile: %s: the folder is complete, but its parent could not be flushed: %w", path, err)
	}
	return nil
}

// createDir makes a folder, and locks it until the file that it returns is closed. Its error is fs.ErrExist where another is there.
func createDir(name string) (*os.File, error) {
	if err := disk.Mkdir(name, 0o777); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrExist // it was swept: another name
	}
	if err == nil && !claim(f) {
		f.Close()
		return nil, fs.ErrExist
	}
	return f, err
}

// swap gives tmp the name target, and removes what target held.
func swap(tmp, target string, force bool) error {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		if err := disk.Rename(tmp, target); err == nil || !force {
			return err
		} // another process may just have made it
	}
	if !force {
		// Only an empty folder may be replaced without force, and Remove refuses any other: also one filled meanwhile.
		if err := disk.Remove(target); err != nil {
			return fmt.Errorf("%w (%w)", ErrExists, err)
		}
		return disk.Rename(tmp, target)
	}
	switch err := disk.Do("exchange", target, func() error { return exchange(tmp, target) }); {
	case err == nil:
		return removeOld(tmp)
	case errors.Is(err, errors.ErrUnsupported) || isInvalid(err) || errors.Is(err, fs.ErrPermission): // of the call, in some sandboxes; of the folder, it is so in steps too
		return swapInSteps(tmp, target)
	default:
		return err
	}
}

// swapInSteps moves what target holds aside first, because renaming onto a folder is not portable.
func swapInSteps(tmp, target string) error {
	old, err := freeName(target, func(name string) error {
		if _, err := os.Lstat(name); err == nil {
			return fs.ErrExist
		}
		return disk.Rename(target, name)
	})
	if err != nil {
		return err
	}
	if err := disk.Rename(tmp, target); err != nil {
		if back := disk.Rename(old, target); back != nil {
			return fmt.Errorf("%w; the old folder is at %s: %w", err, old, back)
		}
		return err
	}
	return removeOld(old)
}

func removeOld(old string) error {
	if err := disk.RemoveAll(old); err != nil {
		return fmt.Errorf("the new folder is in place, but the old one is left at %s: %w", old, err)
	}
	return nil
}

// CheckDir reports what would make Dir(path, force, ...) fail, so that a long run can find out before it starts. It leaves
// nothing behind.
func CheckDir(path string, force bool) error {
	if path == "" {
		return errors.New("atomicfile: no folder name")
	}
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isLink(path):
		return fmt.Errorf("atomicfile: %s: a symbolic link to nothing: want a folder, or a link to one", path)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("atomicfile: %w", err)
	case !fi.IsDir():
		return fmt.Errorf("atomicfile: %s: is a file: want a folder", path)
	default:
		entries, err := os.ReadDir(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may just have replaced it
			return fmt.Errorf("atomicfile: %w", err)
		}
		if len(entries) > 0 && !force {
			return fmt.Errorf("atomicfile: %s: %w", path, ErrExists)
		}
	}
	return CheckWritable(path)
}

// CheckWritable reports why a file or a folder could not be created, or replaced, at path: for use before a long run, so that
// an output that cannot be written fails at the start. It tries the nearest folder above path that exists by creating a
// temporary file there, and leaves nothing behind. It cannot foresee a disk that fills up later.
func CheckWritable(path string) error {
	target, err := realPath(path)
	if err != nil {
		return fmt.Errorf("atomicfile: %s: %w", path, err)
	}
	if fi, err := os.Stat(target); err == nil && !fi.IsDir() && !fi.Mode().IsRegular() {
		return nil // a device or a pipe is written to directly; opening a pipe just to look would wait for its reader
	}
	dir := filepath.Dir(target)
	for {
		fi, err := os.Stat(dir)
		if err == nil && !fi.IsDir() {
			return fmt.Errorf("atomicfile: %s: %s is a file: want a folder", path, dir)
		}
		if err == nil {
			break
		}
		up := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) || up == dir {
			return fmt.Errorf("atomicfile: %s: %w", path, err)
		}
		dir = up
	}
	f, err := createTemp(filepath.Join(dir, filepath.Base(target)))
	if err != nil {
		return fmt.Errorf("atomicfile: %s: cannot be written: %w", path, err)
	}
	if err := discard(f); err != nil {
		return err
	}
	sweep(target)
	sweep(filepath.Join(dir, filepath.Base(target))) // where the folder was not there yet
	return nil
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
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if filepath.Dir(abs) == abs {
		return "", errors.New("is the root of the file system: want a name below it")
	}
	return abs, nil
}

// freeName calls take with temporary names for target until one is not in use, and returns that name.
func freeName(target string, take func(name string) error) (string, error) {
	for i := 0; ; i++ {
		name := tempName(target)
		err := take(name)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) || i >= maxTries {
			return "", err
		}
	}
}

// syncTree flushes every file and folder under root, since fill may have used plain os.Create.
func syncTree(root string) error {
	return filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return syncDir(name)
		case !e.Type().IsRegular():
			return nil
		}
		f, err := disk.OpenFile(name, os.O_RDWR, 0) // Windows flushes only files that are open for writing
		if errors.Is(err, fs.ErrPermission) {
			return nil // read-only by choice of fill
		}
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}
