package main

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// A command stands here with what the list of commands says of it, and with the function that makes the rest when it is asked for.
type command struct {
	name, usage string
	build       func(p *program) *cli.Command
}

// commands are all, in the order of the help.
func commands() []command {
	return append([]command{
		{"demo", "compare asp2vec with DeepWalk on a synthetic network with known communities", (*program).demoCommand},
		{"train", "train an embedding of a network, and measure it by link prediction or author identification", (*program).trainCommand},
		{"embed", "learn vectors for new vertices without changing those of the others", (*program).embedCommand},
		{"evaluate", "measure an embedding, also one made elsewhere, or stored runs, by link prediction; subcommands measure other tasks", (*program).evaluateCommand},
		{"nearest", "list the vertices nearest to a vertex, by the cosine of their vectors", (*program).nearestCommand},
		{"aspects", "show the aspects of a vertex, groups of its links: how many each has, and the vertices near it", (*program).aspectsCommand},
		{"predict", "rank what a model can rank: new links or given pairs, the authors of a text, items for a user", (*program).predictCommand},
		{"explore", "make a page to explore an embedding: a map, a search, and the aspects of a vertex with their nearest vertices", (*program).exploreCommand},
		{"export", "write an embedding for other tools", (*program).exportCommand},
		{"split", "split a network's links into training links and test links", (*program).splitCommand},
		{"walk", "write random walks as text, one per line, with ids separated by spaces", (*program).walkCommand},
		{"data", "list, download, import and generate data sets", (*program).dataCommand},
		{"check", "check the gradients and the graph of a model before training", (*program).checkCommand},
		{"methods", "describe the methods: source, differences, defaults; count their parameters, print their options for a sweep", (*program).methodsCommand},
		{"bench", "measure how many pairs per second this machine trains", (*program).benchCommand},
		{"figure", "draw a figure from runs in the store, training those that are missing; its subcommands draw an embedding or a network", (*program).figureCommand},
		{"results", "show, compare and export the records of runs, next to the paper's numbers", (*program).resultsCommand},
		{"sweep", "train every combination of options in a file, and show which is best", (*program).sweepCommand},
		{"reproduce", "make a table or figure of the paper: train what is missing, and show the paper's numbers next to ours", (*program).reproduceCommand},
		{"completion", "print a script that completes commands and flags in a shell", (*program).completionCommand},
		{"version", "print version, commit, Go and Gorgonia versions", (*program).versionCommand},
	}, more...)
}

// more are commands that files of this package add in their init functions.
var more []command

// commandsNamed returns all commands, of which only those that some words name have flags and an action. Where the words ask for completion, all do.
func (p *program) commandsNamed(words []string) (all []*cli.Command) {
	for _, row := range commands() {
		c := &cli.Command{}
		if slices.Contains(words, row.name) || slices.Contains(words, completionName) {
			c = row.build(p)
		}
		c.Name, c.Usage = row.name, row.usage
		all = append(all, c)
	}
	return all
}
