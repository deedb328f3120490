package main

import (
	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/models"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/runs"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
)

// groups are all commands, in the order of the help. Those of no group are not listed.
func groups() []shell.Group {
	return []shell.Group{
		{Name: "Your own network", Commands: []shell.Command{
			{Name: "demo", Usage: "compare asp2vec with DeepWalk on a network with known communities", Build: demoCommand},
			{Name: "train", Usage: "learn vectors of the vertices of a network", Build: trainCommand,
				Shown: "network dataset split hold-out method dim aspects features protocol pairs-per-vertex seed out force"},
			{Name: "embed", Usage: "add vectors for new vertices, and leave the others as they are", Build: models.Embed},
			{Name: "nearest", Usage: "list the vertices nearest to a vertex", Build: models.Nearest},
			{Name: "aspects", Usage: "show the aspects of a vertex, and who is near in each", Build: models.Aspects},
			{Name: "predict", Usage: "rank new links, or authors of a text", Build: models.Predict,
				Shown: "model vertex pairs text paper score top out network split bibliography"},
			{Name: "plot", Usage: "draw a map of an embedding", Build: models.Plot,
				Shown: "out format force color labels vertex top model network split"},
			{Name: "explore", Usage: "write a page with a map, a search and the aspects of each vertex", Build: models.Explore},
			{Name: "export", Usage: "write an embedding for NumPy, gensim or Gephi", Build: models.Export,
				Shown: "format out force model labels vectors aspect names network split"},
		}},
		{Name: "Measure", Commands: []shell.Command{
			{Name: "split", Usage: "split a network into training links and test links", Build: data.Split},
			{Name: "evaluate", Usage: "measure an embedding, or stored runs, by links, labels or rankings", Build: models.Evaluate,
				Shown: "split score metric negatives baselines vertices where"},
			{Name: "check", Usage: "check the gradients and the graph of an edited model", Build: checkCommand,
				Shown: "method aspects selection readout pair-loss regularizer dim protocol"},
		}},
		{Name: "Experiments", Commands: []shell.Command{
			{Name: "reproduce", Usage: "make a table or figure of the paper, with its numbers beside ours", Build: runs.Reproduce,
				Shown: "datasets methods dims seeds protocol bibliography jobs dry-run max-time retry shard"},
			{Name: "sweep", Usage: "train every combination of options in a file", Build: runs.Sweep,
				Shown: "dry-run jobs max-time retry format keep shard"},
			{Name: "figure", Usage: "draw a figure of the paper, or of a sweep", Build: runs.Figure},
			{Name: "results", Usage: "show, compare and export the records of runs", Build: runs.Results},
		}},
		{Name: "Tools", Commands: append([]shell.Command{
			{Name: "data", Usage: "list, download, import and generate data sets", Build: data.Sets},
			{Name: "methods", Usage: "describe the methods and their options, and list the scores of links", Build: methodsCommand},
		}, more...)},
		{Commands: []shell.Command{
			{Name: "completion", Usage: "print a script that completes commands and flags in a shell", Build: completionCommand},
			{Name: "version", Usage: "print version, commit, Go and Gorgonia versions", Build: versionCommand},
		}},
	}
}

// more are commands that files of this package add in their init functions.
var more []shell.Command

// program is the shell that the commands of this package run in.
type program struct{ *shell.Program }
