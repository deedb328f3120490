//go:build unix

package main

import (
	"os"
	"syscall"
)

// timeUpSignals say that a task's time is nearly up.
var timeUpSignals = []os.Signal{syscall.SIGUSR1}
