//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package filelock

import (
	"os"

	"golang.org/x/sys/unix"
)

// Try locks a file until it is closed, unless it is locked already, which is no error. It returns that of the system where it cannot
// lock at all.
func Try(f *os.File) (bool, error) {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case nil:
			return true, nil
		case unix.EWOULDBLOCK:
			return false, nil
		case unix.EINTR:
		default:
			return false, err
		}
	}
}
