//go:build !windows

package results

import (
	"os"

	"github.com/asp2vec/asp2vec/internal/filelock"
)

// tryLock locks a file until it is closed, unless another process has locked it.
func tryLock(f *os.File) (bool, error) { return filelock.Try(f) }
