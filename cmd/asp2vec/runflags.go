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

// checkpointEveryFlag says how often the state of runs is kept.
func checkpointEveryFlag(category string) cli.Flag {
	return newFlag("checkpoint-every", "", "save the state of a run every `TIME`, such as 5m; off for never", category, "each epoch, and each minute")
}

// every returns what --checkpoint-every says, as run.Checkpoints has it.
func every(c *cli.Context) (time.Duration, error) {
	text := c.String("checkpoint-every")
	d, err := time.ParseDuration(text)
	switch {
	case !c.IsSet("checkpoint-every"):
		return 0, nil
	case text == "off":
		return -1, nil
	case err != nil || d <= 0:
		return 0, badf("--checkpoint-every %.40q: expected a time such as 5m, or off", text)
	}
	return d, nil
}
