package runs

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
)

// runFlags are those of commands that do several runs, which other machines can share.
func runFlags(category string) []cli.Flag {
	return []cli.Flag{
		shell.CountFlag("jobs", 1, "do `N` runs at a time, which share the threads", category),
		shell.NewFlag("dry-run", false, "list the runs, and run nothing", category),
		shell.NewFlag("full", false, "with --dry-run: list each run", category),
		shell.NewFlag("max-time", time.Duration(0), "start no run after `TIME`, such as 10m or 2h", category, "none"),
		shell.NewFlag("retry", false, "repeat runs that failed before", category),
		shell.NewFlag("shard", "", "do part `I/N` of the runs, from 1/N to N/N, independently of the others; auto for the part of a cluster's array task", category),
		CheckpointEveryFlag(category),
		shell.NewFlag("keep", "4GB", "keep vectors in the folders of runs, up to `SIZE` such as 500MB or 4GB, so that evaluate adds scores without training; 0 keeps none", category),
	}
}

// CheckpointEveryFlag says how often the state of runs is kept.
func CheckpointEveryFlag(category string) cli.Flag {
	return shell.NewFlag("checkpoint-every", "", "save the state of a run every `TIME`, such as 5m; off for never", category, "each epoch, and each minute")
}

// CheckpointEvery returns what --checkpoint-every says, as run.Checkpoints has it.
func CheckpointEvery(c *cli.Context) (time.Duration, error) {
	text := c.String("checkpoint-every")
	d, err := time.ParseDuration(text)
	switch {
	case !c.IsSet("checkpoint-every"):
		return 0, nil
	case text == "off":
		return -1, nil
	case err != nil || d <= 0:
		return 0, shell.Badf("--checkpoint-every %.40q: expected a time such as 5m, or off", text)
	}
	return d, nil
}
