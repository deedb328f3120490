//go:build !linux

package atomicfile

import "errors"

// exchange gives two files or folders each other's name in one step, which only Linux can.
func exchange(_, _ string) error { return errors.ErrUnsupported }
