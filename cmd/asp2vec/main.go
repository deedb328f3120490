// Command asp2vec trains and measures multi-aspect network embeddings.
//
// Results go to standard output; the log and the progress bar go to standard error. Exit codes: 0 done, 1 the run failed or
// was interrupted, 2 bad usage or bad input.
package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/term"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
)

func main() {
	ctx := stoppable()
	p := &shell.Program{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) {
		p.Terminal = true
		p.Width, _, _ = term.GetSize(fd)
	}
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		width, err = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if err == nil {
		p.BreakAt = max(width, 60)
	}
	os.Exit(p.Run(ctx, groups(), complete, os.Args))
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
