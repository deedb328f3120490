package main

import "github.com/urfave/cli/v2"

// runFlags are those of commands that do several runs, which other machines can share.
func runFlags(category string) []cli.Flag {
	return []cli.Flag{
		atLeast(1, cli.IntFlag{Name: "jobs", Category: category, Value: 1, Usage: "do `N` runs at a time, which share the threads"}),
		&cli.BoolFlag{Name: "dry-run", Category: category, Usage: "list the runs, and run nothing"},
		&cli.BoolFlag{Name: "full", Category: category, Usage: "with --dry-run: list each run"},
		&cli.DurationFlag{Name: "max-time", Category: category, DefaultText: "none", Usage: "start no run after `TIME`, such as 10m or 2h"},
		&cli.BoolFlag{Name: "retry", Category: category, Usage: "repeat runs that failed before"},
		shardFlag(category),
		checkpointEveryFlag(category),
		keepFlag(category),
	}
}
