package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// stopSignal is why a context was cancelled: a signal asked the program to stop.
type stopSignal struct{ syscall.Signal }

func (s stopSignal) Error() string { return fmt.Sprintf("stopped by a signal: %v", s.Signal) }

// stoppable returns a context that the first signal cancels that asks to stop: an interrupt, a terminal that was closed, or what a
// batch system sends before it ends a job. The second one ends the program at once. A signal that the program was started to ignore,
// as under nohup, stays ignored. Writing to a pipe that nobody reads any more is an error like others, and ends nothing.
func stoppable() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	came := make(chan os.Signal, 1)
	for _, s := range stopSignals {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	notePipes()
	go func() {
		s := <-came
		signal.Stop(came)
		number, _ := s.(syscall.Signal)
		cancel(stopSignal{number})
	}()
	return ctx
}

// stopCode returns the exit code of a program that a signal stopped, which batch systems and shells know: 128 and the signal's
// number; 0 if none did.
func stopCode(ctx context.Context) int {
	var s stopSignal
	if errors.As(context.Cause(ctx), &s) {
		return 128 + int(s.Signal)
	}
	return 0
}
