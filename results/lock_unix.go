//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package results

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock waits until no other process holds the file. Closing the file, or the end of the process, lets go of it.
func lock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if err != unix.EINTR {
			return err
		}
	}
}
