package main

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"
)

// aliases are names that flags have in other programs for network embedding, by which they are understood here too.
var aliases = map[string]string{
	"dimensions": "dim", "size": "dim", "vector-size": "dim", "representation-size": "dim",
	"num-aspects": "aspects",
	"num-walks":   "walks", "number-walks": "walks", "walks-per-node": "walks",
	"window-size": "window",
	"workers":     "threads",
	"input":       "network", "edgelist": "network", "edge-list": "network",
	"output": "out",
	"lr":     "learning-rate", "alpha": "learning-rate",
	"batch-size":  "batch",
	"iter":        "epochs",
	"negative":    "negatives",
	"random-seed": "seed",
}

// canonical returns the name that this program has for a flag: the alias's, and dashes for underscores, unless the flag is known as
// it is.
func canonical(name string, all []cli.Flag) string {
	dashed := strings.ReplaceAll(name, "_", "-")
	switch {
	case find(all, name) != nil:
		return name
	case find(all, dashed) != nil:
		return dashed
	}
	return cmp.Or(aliases[dashed], name)
}
