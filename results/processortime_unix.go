//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package results

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime returns how long processors have worked for the process so far; 0 when unknown.
func ProcessorTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
