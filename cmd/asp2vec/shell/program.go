// Package shell is what every command stands on, and knows none of them: the program with its streams and global flags, the parsing of
// command lines, flags, errors and exit codes, help, documents (Doc) that are printed as text or JSON, the log and the progress bar.
package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/urfave/cli/v2"
)

// Program is one run of the command line: its streams, and what the global flags say. Streams are set by who makes it, and so are Terminal,
// Width, BreakAt and Memory; Run sets the rest.
type Program struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal bool // Err is one
	Width    int  // of the terminal in columns; 0 if unknown
	BreakAt  int  // the width of Out in letters, to break lines and tables at; 0 where neither a terminal nor COLUMNS tells

	Memory func() results.Memory // that runs can have; nil asks the system

	Command []string // as one would type it
	Log     *slog.Logger
	bar     *bar // while there is one
	pace    Pace // of what it shows

	groups   []Group
	complete cli.BashCompleteFunc

	Data        string // folder of data sets
	Results     string // folder of the store; "" for none
	Threads     int
	memoryLimit uint64     // bytes that --memory-limit says; 0 for what there is
	Progress    bool       // show a bar
	Epochs      slog.Level // of the log, at which epochs are told
	JSON        bool

	notices []string // that stand below the next answer
}

// Run does what args ask for, by one of the commands, and returns the exit code. complete prints what may come after a command line.
func (p *Program) Run(ctx context.Context, groups []Group, complete cli.BashCompleteFunc, args []string) (code int) {
	p.groups, p.complete = groups, complete
	p.Log = slog.New(&lineHandler{p: p})
	procs, limit := runtime.GOMAXPROCS(0), debug.SetMemoryLimit(-1)
	defer runtime.GOMAXPROCS(procs)
	defer debug.SetMemoryLimit(limit)
	defer func() {
		// The last resort: whatever comes here is a fault of the program.
		if r := recover(); r != nil {
			p.ClearBar()
			p.Log.Debug("panic", "stack", string(debug.Stack()))
			fmt.Fprintf(p.Err, "asp2vec: internal error: %v: please report it with the command line; --log-level debug shows where\n", r)
			code = 1
		}
	}()
	err := graphs.Conflict()
	if err == nil {
		err = p.execute(ctx, args)
	}
	p.ClearBar()
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE):
		return 0 // whoever read the output has seen enough
	case errors.Is(err, context.Canceled):
		err = unfinished(err, p.Command)
	}
	fmt.Fprintf(p.Err, "asp2vec: %s\n", Message(err))
	return ExitCode(err)
}

// A Command is what the list of commands says of it, and the function that makes the rest when it is asked for.
type Command struct {
	Name, Usage string
	Build       func(p *Program) *cli.Command
	Shown       string // the flags that its help lists first, if it has many; "" for all
}

// A Group of commands has a heading in the help.
type Group struct {
	Name     string
	Commands []Command
}

// commandsNamed returns all commands, of which only those that some words name have flags and an action. Where the words ask for completion, all do.
func (p *Program) commandsNamed(words []string) (all []*cli.Command) {
	for _, g := range p.groups {
		for _, row := range g.Commands {
			c := &cli.Command{}
			if slices.Contains(words, row.Name) || slices.Contains(words, completionName) {
				c = row.Build(p)
			}
			c.Name, c.Usage, c.Category, c.Hidden = row.Name, row.Usage, g.Name, g.Name == ""
			all = append(all, c)
		}
	}
	return all
}

// completionName is the command that needs to know all others.
const completionName = "completion"
