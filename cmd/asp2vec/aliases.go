package main

import (
	"strings"
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
func canonical(name string, known func(string) bool) string {
	if known(name) {
		return name
	}
	dashed := strings.ReplaceAll(name, "_", "-")
	if known(dashed) {
		return dashed
	}
	if own, ok := aliases[dashed]; ok {
		return own
	}
	return name
}
