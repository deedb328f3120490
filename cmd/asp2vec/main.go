// Command asp2vec trains and measures multi-aspect network embeddings.
//
// Results go to standard output; the log and the progress bar go to standard error. Exit codes: 0 done, 1 the run failed or
// was interrupted, 2 bad usage or bad input, 128 and a signal's number if the signal stopped the program.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/asp2vec/asp2vec/results"
	"golang.org/x/term"
)

func main() {
	ctx, stop, errs := stoppable()
	p := &program{in: os.Stdin, out: os.Stdout, err: errs, stop: stop}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) {
		p.terminal = true
		p.width, _, _ = term.GetSize(fd)
	}
	if fd := int(os.Stdout.Fd()); term.IsTerminal(fd) {
		p.page, _, _ = term.GetSize(fd)
	}
	os.Exit(p.run(ctx, os.Args))
}

// program is one run of the command line: its streams, and what the global flags say.
type program struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is one
	width    int  // of the terminal in columns; 0 if unknown
	page     int  // columns of out if that is a terminal too, else 0

	stop       *stopper              // keeps signals from ending the program before it has kept what it has; nil where none do
	memory     func() results.Memory // that runs can have; nil asks the system
	executable string                // that tasks of a cluster run; "" for this program's own file
	patience   time.Duration         // with another submission; 0 for a minute

	args []string // with every flag under its own name
	settings
	log *slog.Logger
	bar *bar // while there is one
}

// run does what args ask for and returns the exit code.
func (p *program) run(ctx context.Context, args []string) (code int) {
	p.args = args
	p.log = slog.New(newLineHandler(p.err, slog.LevelInfo))
	procs, limit := runtime.GOMAXPROCS(0), debug.SetMemoryLimit(-1)
	defer runtime.GOMAXPROCS(procs)
	defer debug.SetMemoryLimit(limit)
	defer func() {
		// The last resort: whatever comes here is a fault of the program.
		if r := recover(); r != nil {
			p.clearBar()
			p.log.Debug("panic", "stack", string(debug.Stack()))
			fmt.Fprintf(p.err, "asp2vec: internal error: %v: please report it with the command line; --log-level debug shows where\n", r)
			code = 1
		}
	}()
	err := p.execute(ctx, args)
	p.clearBar()
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE):
		return 0 // whoever read the output has seen enough
	}
	fmt.Fprintf(p.err, "asp2vec: %s\n", message(err))
	if code := stopCode(ctx); code > 0 {
		return code
	}
	return exitCode(err)
}
