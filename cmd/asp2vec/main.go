// Command asp2vec trains and measures multi-aspect network embeddings.
//
// Results go to standard output; the log and the progress bar go to standard error. Exit codes: 0 done, 1 the run failed or
// was interrupted, 2 bad usage or bad input.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"golang.org/x/term"
)

func main() {
	ctx := stoppable()
	p := &program{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) {
		p.terminal = true
		p.width, _, _ = term.GetSize(fd)
	}
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		width, err = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if err == nil {
		p.breakAt = max(width, 60)
	}
	os.Exit(p.run(ctx, os.Args))
}

// stoppable returns a context that the first signal cancels that asks to stop. The second one ends the program at once. A signal that
// the program was started to ignore, as in the background of a script, stays ignored.
func stoppable() context.Context {
	signal.Ignore(syscall.SIGPIPE) // a log that nobody reads ends nothing
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	if len(signals) == 0 {
		return context.Background()
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx
}

// program is one run of the command line: its streams, and what the global flags say.
type program struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is one
	width    int  // of the terminal in columns; 0 if unknown
	breakAt  int  // the width of out in letters, to break lines and tables at; 0 where neither a terminal nor COLUMNS tells

	memory func() results.Memory // that runs can have; nil asks the system

	args []string // as one would type them
	settings
	log *slog.Logger
	bar *bar // while there is one
}

// run does what args ask for and returns the exit code.
func (p *program) run(ctx context.Context, args []string) (code int) {
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
	err := graphs.Conflict()
	if err == nil {
		err = p.execute(ctx, args)
	}
	p.clearBar()
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE):
		return 0 // whoever read the output has seen enough
	case errors.Is(err, context.Canceled):
		err = unfinished(err, p.args)
	}
	fmt.Fprintf(p.err, "asp2vec: %s\n", message(err))
	return exitCode(err)
}
