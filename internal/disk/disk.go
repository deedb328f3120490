// Package disk has the calls that change files and folders, as package os has them. Records, runs, checkpoints, data
// and exports are written through it, so that tests can have each call fail, do half of its work, or be the last before a crash. Locks
// are not, nor is what a command prints.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// Fault is what is to go wrong with a call; the zero value is nothing.
type Fault struct {
	Before error // the call does nothing, and fails with this
	Half   bool  // a write that fails does half of its work before
	After  error // the call does what it should, and fails with this
}

// intercept is asked what is to go wrong with each call; it is nil but in tests.
var intercept atomic.Pointer[func(op, path string) Fault]

// Intercept has a function asked before each call what is to go wrong with it, until restore is called. It is for tests: one at a time.
func Intercept(f func(op, path string) Fault) (restore func()) {
	intercept.Store(&f)
	return func() { intercept.Store(nil) }
}

func fault(op, path string) (f Fault) {
	if ask := intercept.Load(); ask != nil {
		f = (*ask)(op, path)
	}
	return f
}

// Do makes a call, with what is to go wrong with it. It returns the error of the call, or else the one that a test injects.
func Do(op, path string, call func() error) error {
	f := fault(op, path)
	if f.Before != nil {
		return &fs.PathError{Op: op, Path: path, Err: f.Before}
	}
	if err := call(); err != nil {
		return err
	}
	if f.After != nil {
		return &fs.PathError{Op: op, Path: path, Err: f.After}
	}
	return nil
}

// File is an os.File that is written to.
type File struct{ *os.File }

// OpenFile is os.OpenFile. It fails as Do does.
func OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	var f *os.File
	open := func() (err error) { f, err = os.OpenFile(name, flag, perm); return err }
	if err := Do("open", name, open); err != nil {
		if f != nil {
			f.Close()
		}
		return nil, err
	}
	return &File{f}, nil
}

// Create is os.Create. It fails as Do does.
func Create(name string) (*File, error) {
	return OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Write is that of os.File. It fails as Do does, and may then have written a part.
func (f *File) Write(b []byte) (n int, err error) {
	if x := fault("write", f.Name()); x.Before != nil {
		if x.Half {
			n, _ = f.File.Write(b[:len(b)/2])
		}
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: x.Before}
	} else if x.After != nil {
		if n, err = f.File.Write(b); err == nil {
			err = &fs.PathError{Op: "write", Path: f.Name(), Err: x.After}
		}
		return n, err
	}
	return f.File.Write(b)
}

// ReadFrom copies through Write. It returns the error of reading r, or that of Write.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

// Sync is that of os.File. It fails as Do does.
func (f *File) Sync() error { return Do("sync", f.Name(), f.File.Sync) }

// Truncate is that of os.File. It fails as Do does.
func (f *File) Truncate(size int64) error {
	return Do("truncate", f.Name(), func() error { return f.File.Truncate(size) })
}

// Chmod is that of os.File. It fails as Do does.
func (f *File) Chmod(mode fs.FileMode) error {
	return Do("chmod", f.Name(), func() error { return f.File.Chmod(mode) })
}

// Mkdir is os.Mkdir. It fails as Do does.
func Mkdir(name string, perm fs.FileMode) error {
	return Do("mkdir", name, func() error { return os.Mkdir(name, perm) })
}

// MkdirAll is os.MkdirAll. It fails as Do does.
func MkdirAll(name string, perm fs.FileMode) error {
	return Do("mkdir", name, func() error { return os.MkdirAll(name, perm) })
}

// Missing returns the folders that MkdirAll would make for a name, itself first, for RemoveEmpty if what they were made for fails.
func Missing(name string) (folders []string) {
	for name = filepath.Clean(name); ; name = filepath.Dir(name) {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(name) == name {
			return folders
		}
		folders = append(folders, name)
	}
}

// RemoveEmpty removes folders in their order, up to the first that is not empty or cannot be removed.
func RemoveEmpty(folders []string) {
	for _, name := range folders {
		if err := Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// Rename is os.Rename. It fails as Do does.
func Rename(from, to string) error {
	return Do("rename", to, func() error { return os.Rename(from, to) })
}

// Remove is os.Remove. It fails as Do does.
func Remove(name string) error { return Do("remove", name, func() error { return os.Remove(name) }) }

// RemoveAll is os.RemoveAll. It fails as Do does.
func RemoveAll(name string) error {
	return Do("remove", name, func() error { return os.RemoveAll(name) })
}

// WriteFile is os.WriteFile. It returns the errors of OpenFile and Write, or that of closing the file.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	f, err := OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
