package main

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// namesFlag says how ids with blanks are written in files whose columns are separated by spaces.
func namesFlag(where string) cli.Flag {
	return &cli.StringFlag{Name: "names", Value: vectors.SpellingEscaped, Usage: strings.TrimSpace("write ids with spaces `HOW` in the columns "+where) +
		": escaped (a space as \\s, a backslash as \\\\), underscores, or plain (unchanged)"}
}

// checkNames returns an error unless --names is known.
func checkNames(c *cli.Context) error {
	if how := c.String("names"); !slices.Contains(vectors.Spellings(), how) {
		return badf("--names %q: want one of %s", how, strings.Join(vectors.Spellings(), ", "))
	}
	return nil
}
