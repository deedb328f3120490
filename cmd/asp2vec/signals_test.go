//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/filelock"
)

// waiting starts the program with an input that nothing comes from, and returns it once it has had time to wait for that.
func waiting(t *testing.T, errs *bytes.Buffer, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe, args...)
	c.Env = append(os.Environ(), beProgram+"=1")
	c.Stderr = errs
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // if it is not waiting yet, the signal comes before it does, and ends it too
	return c
}

// The first signal ends a command that waits for input, or for a lock, and the second one ends it at once.
func TestSignalsWhileWaiting(t *testing.T) {
	karate(t)
	if err := syscall.Mkfifo("fifo", 0o600); err != nil {
		t.Skip(err)
	}
	write(t, "store/runs.jsonl", "")
	f, err := os.OpenFile("store/runs.jsonl", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if free, err := filelock.Try(f); !free || err != nil {
		t.Fatal(free, err)
	}
	var wg sync.WaitGroup
	for _, c := range []struct {
		args   []string
		signal syscall.Signal
		again  bool
	}{
		{[]string{"walk", "--network", "-"}, syscall.SIGTERM, false},
		{[]string{"walk", "--network", "fifo"}, syscall.SIGINT, false},
		{append(append([]string{"train"}, quick...), "--split", "split", "--results", "store", "--out", "run"), syscall.SIGTERM, false},
		{[]string{"walk", "--network", "-"}, syscall.SIGTERM, true},
	} {
		wg.Go(func() {
			// Where this test is kept waiting between two signals, the program may have ended by itself: then once more.
			for try := 1; ; try++ {
				var errs bytes.Buffer
				p := waiting(t, &errs, c.args...)
				if strings.Contains(strings.Join(c.args, " "), "store") {
					untilChanged("run/record.json", time.Time{})
				}
				_ = p.Process.Signal(c.signal)
				ended := make(chan error, 1)
				go func() { ended <- p.Wait() }()
				if c.again {
					for range 100 {
						_ = p.Process.Signal(syscall.SIGINT)
						time.Sleep(10 * time.Millisecond)
					}
				}
				err := <-ended
				state := p.ProcessState.Sys().(syscall.WaitStatus)
				var exit *exec.ExitError
				switch {
				case c.again && (!state.Signaled() || state.Signal() != syscall.SIGINT):
					if try < 5 {
						continue
					}
					t.Errorf("%v: %v, want it ended by the second signal", c.args, err)
				case !c.again && state.Signaled() && state.Signal() == c.signal: // it came before the program had begun
				case !c.again && (!errors.As(err, &exit) || exit.ExitCode() != 128+int(c.signal) || strings.Count(errs.String(), "asp2vec: ") != 1):
					t.Errorf("%v: %v\n%s", c.args, err, errs.String())
				}
				return
			}
		})
	}
	wg.Wait()
	if !exists("run/record.json") {
		t.Error("the run that waited for its store is not in its folder")
	}
}

// A log that is full and that nobody reads keeps no run from its end, nor from its checkpoint.
func TestFullPipe(t *testing.T) {
	karate(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() // which ends the writing below too
	c := process(t, w, append(long(100_000, "run"), "--log-level", "debug")...)
	untilChanged("run.checkpoint/train.checkpoint", time.Time{})
	// Whatever of the pipe is free is filled here, so that the program's next line finds no room.
	var filled atomic.Int64
	go func() {
		for {
			n, err := w.Write(make([]byte, 512))
			if filled.Add(int64(n)); err != nil {
				return // the pipe is closed
			}
		}
	}()
	for was := int64(-1); was != filled.Load(); time.Sleep(100 * time.Millisecond) {
		was = filled.Load()
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(syscall.SIGTERM) || !exists("run.checkpoint/train.checkpoint") {
		t.Errorf("%v: want it stopped, with its checkpoint", err)
	}
}
