package main

import (
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// A flag says itself what values it takes. They are checked before its command begins.

// oneOf is a flag that takes one of a few words.
func oneOf(f cli.StringFlag, words ...string) cli.Flag {
	f.Action = func(_ *cli.Context, word string) error {
		if slices.Contains(words, word) {
			return nil
		}
		return badf("--%s %q: %s", f.Name, word, nearest(word, words))
	}
	return &f
}

// between is a flag that takes whole numbers from least to most.
func between(f cli.IntFlag, least, most int) cli.Flag {
	f.Action = func(_ *cli.Context, n int) error {
		switch {
		case n >= least && n <= most:
			return nil
		case most == math.MaxInt:
			return badf("--%s %d: expected at least %d", f.Name, n, least)
		}
		return badf("--%s %d: expected %d to %d", f.Name, n, least, most)
	}
	return &f
}

func atLeast(least int, f cli.IntFlag) cli.Flag { return between(f, least, math.MaxInt) }

// topFlag says how many of those that come first are shown.
func topFlag(value int, usage string) cli.Flag {
	return atLeast(1, cli.IntFlag{Name: "top", Value: value, Usage: usage})
}

// formatFlag chooses how tables are printed.
func formatFlag(usage string) cli.Flag {
	return oneOf(cli.StringFlag{Name: "format", Value: "terminal", Usage: usage + strings.Join(render.Formats(), ", ")}, render.Formats()...)
}

// outFlags say to which file a result goes.
func outFlags(out cli.StringFlag) []cli.Flag {
	out.Name = "out"
	out.Action = func(c *cli.Context, path string) error {
		if path == "" {
			return badf(`--out "": expected the name of a file`)
		}
		return checkFile(path, c.Bool("force"))
	}
	return []cli.Flag{&out, &cli.BoolFlag{Name: "force", Category: out.Category, Usage: "replace the file"}}
}

// labelsFlag names a file of labels.
func labelsFlag(more string) *cli.StringFlag {
	return &cli.StringFlag{Name: "labels", Usage: "`FILE` of labels, a vertex and a label per line" + more}
}

// labelsFromFlag chooses among what the vertices of a file have beside their names.
func labelsFromFlag() cli.Flag {
	return &cli.StringFlag{Name: "labels-from", Usage: "take labels from the attribute `COLUMN` of the network's file, or of the table of --labels"}
}

// runLabelsFlag is labelsFlag where labels may lie beside what a run learnt from.
func runLabelsFlag() cli.Flag {
	f := labelsFlag("")
	f.DefaultText = "those next to the run's data"
	return f
}

// namesFlag says how ids with blanks are written in files whose columns are separated by spaces.
func namesFlag() cli.Flag {
	return oneOf(cli.StringFlag{Name: "names", Value: vectors.SpellingEscaped, Usage: "write ids with spaces `HOW` in the columns of word2vec" +
		": escaped (a space as \\s, a backslash as \\\\), underscores, or plain (unchanged)"}, vectors.Spellings()...)
}
