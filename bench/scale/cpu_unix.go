//go:build unix

package main

import "golang.org/x/sys/unix"

// processorTime returns the processor time that this process used so far, in seconds, in user and kernel mode.
func processorTime() float64 {
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
