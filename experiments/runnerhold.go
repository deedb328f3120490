package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// hold keeps other processes, and other runners in this one, from the run whose key is the file's name. The system lets go of
// it when the process ends, however it ends; the empty file that is then left over holds nothing.
type hold struct{ f *os.File }

// take holds the run of a key, or returns nil if someone else does. Files of runs that are held lie in dir.
func take(dir, key string) (*hold, error) {
	const tries = 100 // that something takes the folder or the file away in between
	var last error
	for range tries {
		h, err := tryTake(dir, key)
		if !errors.Is(err, fs.ErrNotExist) {
			return h, err
		}
		last = err
	}
	return nil, last
}

func tryTake(dir, key string) (*hold, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("experiments: store: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, key), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("experiments: store: %w", err)
	}
	if free, err := tryLock(f); err != nil || !free {
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("experiments: store: lock %s: %w", f.Name(), err)
		}
		return nil, nil
	}
	// Whoever held it before may have removed the file after it was opened here: a lock on that one would hold nothing.
	there, err := os.Stat(f.Name())
	mine, mineErr := f.Stat()
	if err != nil || mineErr != nil || !os.SameFile(there, mine) {
		f.Close()
		return nil, fmt.Errorf("experiments: store: %s: %w", f.Name(), fs.ErrNotExist)
	}
	return &hold{f}, nil
}

// release lets go of the run. The file goes first, while nobody else can hold it; where a system does not remove open files
// it stays, and does no harm.
func (h *hold) release() {
	_ = os.Remove(h.f.Name())
	_ = h.f.Close()
}

// tidy removes what processes that were killed left in dir, and dir itself if nobody holds a run.
func tidy(dir string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return // it is gone
	}
	for _, f := range files {
		if h, err := take(dir, f.Name()); err == nil && h != nil {
			h.release()
		}
	}
	_ = os.Remove(dir) // fails if there is something in it
}
