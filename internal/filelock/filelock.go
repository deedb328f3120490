// Package filelock keeps processes from doing the same work at once, by locks on files that the system lets go of when a process
// ends, however it ends.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/asp2vec/asp2vec/internal/disk"
)

// Lock is a lock that is held.
type Lock struct {
	f    *os.File
	made []string // folders that were missing
}

// Take locks the file at path, which it makes along with its folder, or returns nil if someone else has locked it. It fails if
// the file cannot be made or locked.
func Take(path string) (*Lock, error) {
	const tries = 100 // that something takes the folder or the file away in between
	var last error
	for range tries {
		h, err := tryTake(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return h, err
		}
		last = err
	}
	return nil, last
}

// Wait is Take that waits until the lock is free or ctx is done, and calls waiting once if it has to. It returns the context's
// error in the latter case.
func Wait(ctx context.Context, path string, waiting func()) (*Lock, error) {
	for first := true; ; first = false {
		h, err := Take(path)
		if h != nil || err != nil {
			return h, err
		}
		if first && waiting != nil {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func tryTake(path string) (*Lock, error) {
	made := disk.Missing(filepath.Dir(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if free, err := Try(f); err != nil || !free {
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		return nil, nil
	}
	// Whoever held it before may have removed the file after it was opened here: a lock on that one would hold nothing.
	there, err := os.Stat(f.Name())
	mine, mineErr := f.Stat()
	if err != nil || mineErr != nil || !os.SameFile(there, mine) {
		f.Close()
		return nil, fmt.Errorf("%s: %w", f.Name(), fs.ErrNotExist)
	}
	return &Lock{f, made}, nil
}

// Release lets go of the lock. The file goes first, while nobody else can hold it; where a system does not remove open files
// it stays, and does no harm. Folders that Take made go too if they are empty.
func (h *Lock) Release() {
	_ = os.Remove(h.f.Name())
	_ = h.f.Close()
	for _, dir := range h.made {
		if os.Remove(dir) != nil {
			return
		}
	}
}
