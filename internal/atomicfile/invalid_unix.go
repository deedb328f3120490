//go:build unix

package atomicfile

import (
	"errors"
	"syscall"
)

// isInvalid reports that a file system does not flush folders at all (some network file systems answer EINVAL).
func isInvalid(err error) bool { return errors.Is(err, syscall.EINVAL) }
