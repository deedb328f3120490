// Package filelock keeps processes from doing the same work at once, by locks on files that the system lets go of when a process
// ends, however it ends.
package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock is a lock that is held.
type Lock struct{ *flock.Flock }

// Take locks the file at path, which it makes along with its folder, or returns nil if someone else has locked it. It fails if
// the file cannot be made or locked.
func Take(path string) (*Lock, error) {
	const tries = 100 // that someone takes the folder or the file away in between
	var err error
	for range tries {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
		var free bool
		free, err = f.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("lock %s: %w", path, err)
		case !free:
			return nil, nil
		case inPlace(f):
			return &Lock{f}, nil
		}
		err = errors.Join(f.Unlock(), fmt.Errorf("lock %s: %w", path, fs.ErrNotExist))
	}
	return nil, err
}

// inPlace says whether a locked file still is where it was opened: who held it before may have removed it since.
func inPlace(f *flock.Flock) bool {
	there, err := os.Stat(f.Path())
	mine, mineErr := f.Stat()
	return err == nil && mineErr == nil && os.SameFile(there, mine)
}

// Release lets go of the lock. The file goes first, while nobody else can hold it; where a system does not remove open files
// it stays, and does no harm.
func (h *Lock) Release() {
	_ = os.Remove(h.Path())
	_ = h.Unlock()
}
