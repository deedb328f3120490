package runner

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/internal/filelock"
)

// lockRun keeps other processes, and other runners in this one, from the run of a key, or returns nil if someone else does. Files of
// runs that are held lie in dir. The system lets go of one when the process ends, however it ends; the empty file that is then left
// over holds nothing.
func lockRun(dir, key string) (*filelock.Lock, error) {
	h, err := filelock.Take(filepath.Join(dir, key))
	if err != nil {
		return nil, fmt.Errorf("experiments: store: %w", err)
	}
	return h, nil
}

// removeStaleLocks removes what processes that were killed left in dir, and dir itself if nobody holds a run.
func removeStaleLocks(dir string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return // it is gone
	}
	for _, f := range files {
		if h, err := lockRun(dir, f.Name()); err == nil && h != nil {
			h.Release()
		}
	}
	_ = os.Remove(dir) // fails if there is something in it
}
