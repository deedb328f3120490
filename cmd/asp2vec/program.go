package main

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

// program is one run of the command line: its streams, and what the global flags say.
type program struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is one
	width    int  // of the terminal in columns; 0 if unknown
	breakAt  int  // the width of out in letters, to break lines and tables at; 0 where neither a terminal nor COLUMNS tells

	memory func() results.Memory // that runs can have; nil asks the system

	args []string // as one would type them
	log  *slog.Logger
	bar  *bar // while there is one

	groups   []group
	complete cli.BashCompleteFunc

	data        string // folder of data sets
	results     string // folder of the store; "" for none
	threads     int
	memoryLimit uint64 // bytes that --memory-limit says; 0 for what there is
	progress    bool   // show a bar
	epochs      slog.Level
	json        bool
}

// run does what args ask for, by one of the commands, and returns the exit code. complete prints what may come after a command line.
func (p *program) run(ctx context.Context, groups []group, complete cli.BashCompleteFunc, args []string) (code int) {
	p.groups, p.complete = groups, complete
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

// A command is what the list of commands says of it, and the function that makes the rest when it is asked for.
type command struct {
	name, usage string
	build       func(p *program) *cli.Command
	shown       string // the flags that its help lists first, if it has many; "" for all
}

// A group of commands has a heading in the help.
type group struct {
	name     string
	commands []command
}

// commandsNamed returns all commands, of which only those that some words name have flags and an action. Where the words ask for completion, all do.
func (p *program) commandsNamed(words []string) (all []*cli.Command) {
	for _, g := range p.groups {
		for _, row := range g.commands {
			c := &cli.Command{}
			if slices.Contains(words, row.name) || slices.Contains(words, completionName) {
				c = row.build(p)
			}
			c.Name, c.Usage, c.Category, c.Hidden = row.name, row.usage, g.name, g.name == ""
			all = append(all, c)
		}
	}
	return all
}

// completionName is the command that needs to know all others.
const completionName = "completion"
