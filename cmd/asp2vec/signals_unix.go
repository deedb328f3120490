//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals ask the program to stop.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1}

// notePipes has a write to a pipe that nobody reads fail, also of the standard streams, where it would end the program.
func notePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// timeUpSignals say that a task's time is nearly up.
var timeUpSignals = []os.Signal{syscall.SIGUSR1}
