package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// stopSignal is why a context was cancelled: a signal asked the program to stop.
type stopSignal struct{ syscall.Signal }

func (s stopSignal) Error() string { return fmt.Sprintf("stopped by a signal: %v", s.Signal) }

// grace is how long a command may take to end by itself that a signal stopped and that has nothing to keep: it may be waiting for
// input, or for a reader of its output, and never notice.
const grace = time.Second

// stopper ends the program where a signal asks for it.
type stopper struct {
	keeping atomic.Int32 // how many have something to keep before the end
}

// delay lets the program run on after a signal until release: what it does heeds its context, and keeps what it has. It may be called
// on nil, for a program that no signal reaches.
func (s *stopper) delay() (release func()) {
	if s == nil {
		return func() {}
	}
	s.keeping.Add(1)
	return sync.OnceFunc(func() { s.keeping.Add(-1) })
}

// stoppable returns a context that the first signal cancels that asks to stop: an interrupt, a terminal that was closed, or what a
// batch system sends before it ends a job. A command that does not end then, and that nobody holds, is ended after a while. The second
// signal ends the program at once. A signal that the program was started to ignore, as under nohup, stays ignored. Writing to a pipe that
// nobody reads any more is an error like others, and ends nothing; what is written to errs waits for standard error until the program is
// to stop.
func stoppable() (ctx context.Context, stop *stopper, errs io.Writer) {
	ctx, cancel := context.WithCancelCause(context.Background())
	errs = newPatient(os.Stderr, ctx.Done())
	stop = new(stopper)
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
		const tick = 50 * time.Millisecond
		for left := grace; left > 0; left -= tick {
			time.Sleep(tick)
			if stop.keeping.Load() > 0 {
				left = grace
			}
		}
		fmt.Fprintf(errs, "asp2vec: %v\n", context.Cause(ctx))
		os.Exit(stopCode(ctx))
	}()
	return ctx, stop, errs
}

// patient writes what it is given to another writer, and waits for that as any writer does; but once the program is to stop it waits no
// longer: a pipe that is full, and that nobody reads, must not keep the program from its end.
type patient struct {
	w       io.Writer
	stopped <-chan struct{}
	turn    chan struct{} // holds one while nothing is being written
}

func newPatient(w io.Writer, stopped <-chan struct{}) *patient {
	p := &patient{w, stopped, make(chan struct{}, 1)}
	p.turn <- struct{}{}
	return p
}

// await waits for what comes on a channel, but only for a moment once the program is to stop.
func await[T any](c <-chan T, stopped <-chan struct{}) (x T, came bool) {
	select {
	case x = <-c:
		return x, true
	case <-stopped:
	}
	select {
	case x = <-c:
		return x, true
	case <-time.After(100 * time.Millisecond):
		return x, false
	}
}

// Write writes, or drops what cannot be written after the stop.
func (p *patient) Write(b []byte) (int, error) {
	if _, free := await(p.turn, p.stopped); !free {
		return len(b), nil
	}
	type written struct {
		n   int
		err error
	}
	done := make(chan written, 1)
	text := bytes.Clone(b)
	go func() {
		n, err := p.w.Write(text)
		p.turn <- struct{}{}
		done <- written{n, err}
	}()
	w, came := await(done, p.stopped)
	if !came {
		return len(b), nil
	}
	return w.n, w.err
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
