package main

import (
	"time"

	"github.com/urfave/cli/v2"
)

// runFlags are those of commands that do several runs, which other machines can share.
func runFlags(category string) []cli.Flag {
	return []cli.Flag{
		atLeast(1, newFlag("jobs", 1, "do `N` runs at a time, which share the threads", category)),
		newFlag("dry-run", false, "list the runs, and run nothing", category),
		newFlag("full", false, "with --dry-run: list each run", category),
		newFlag("max-time", time.Duration(0), "start no run after `TIME`, such as 10m or 2h", category, "none"),
		newFlag("retry", false, "repeat runs that failed before", category),
		shardFlag(category),
		checkpointEveryFlag(category),
		keepFlag(category),
	}
}
