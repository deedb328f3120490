//go:build unix

package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the processor time that this process used so far, in user and kernel mode.
func cpuTime() time.Duration {
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
