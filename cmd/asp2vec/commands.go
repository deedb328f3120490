package main

// Groups of commands, as the help has them.
const (
	groupUse         = "Your own network"
	groupMeasure     = "Measure"
	groupExperiments = "Experiments"
	groupTools       = "Tools"
)

// groups are all commands, in the order of the help. Those of no group are not listed.
func groups() []group {
	return []group{
		{groupUse, []command{
			{name: "demo", usage: "compare asp2vec with DeepWalk on a network with known communities", build: (*program).demoCommand},
			{name: "train", usage: "learn vectors of the vertices of a network", build: (*program).trainCommand,
				shown: "network dataset split hold-out method dim aspects features init protocol pairs-per-vertex seed out force"},
			{name: "embed", usage: "add vectors for new vertices, and leave the others as they are", build: (*program).embedCommand},
			{name: "nearest", usage: "list the vertices nearest to a vertex", build: (*program).nearestCommand},
			{name: "aspects", usage: "show the aspects of a vertex, and who is near in each", build: (*program).aspectsCommand},
			{name: "predict", usage: "rank new links, or authors of a text", build: (*program).predictCommand,
				shown: "model vertex pairs text paper score top out network split bibliography"},
			{name: "plot", usage: "draw a map of an embedding", build: (*program).plotCommand,
				shown: "out format force color labels vertex top model network split"},
			{name: "explore", usage: "write a page with a map, a search and the aspects of each vertex", build: (*program).exploreCommand},
			{name: "export", usage: "write an embedding for NumPy, gensim or Gephi", build: (*program).exportCommand,
				shown: "format out force model labels vectors aspect names network split"},
		}},
		{groupMeasure, []command{
			{name: "split", usage: "split a network into training links and test links", build: (*program).splitCommand},
			{name: "evaluate", usage: "measure an embedding, or stored runs, by links, labels or rankings", build: (*program).evaluateCommand,
				shown: "split score metric negatives baselines vertices where"},
			{name: "check", usage: "check the gradients and the graph of an edited model", build: (*program).checkCommand,
				shown: "method aspects selection readout pair-loss regularizer dim protocol"},
		}},
		{groupExperiments, []command{
			{name: "reproduce", usage: "make a table or figure of the paper, with its numbers beside ours", build: (*program).reproduceCommand,
				shown: "datasets methods dims seeds protocol bibliography jobs dry-run max-time retry shard"},
			{name: "sweep", usage: "train every combination of options in a file", build: (*program).sweepCommand,
				shown: "dry-run jobs max-time retry format keep shard"},
			{name: "figure", usage: "draw a figure of the paper, or of a sweep", build: (*program).figureCommand},
			{name: "results", usage: "show, compare and export the records of runs", build: (*program).resultsCommand},
		}},
		{groupTools, append([]command{
			{name: "data", usage: "list, download, import and generate data sets", build: (*program).dataCommand},
			{name: "methods", usage: "describe the methods and their options, and list the scores of links", build: (*program).methodsCommand},
		}, more...)},
		{"", []command{
			{name: "completion", usage: "print a script that completes commands and flags in a shell", build: (*program).completionCommand},
			{name: "version", usage: "print version, commit, Go and Gorgonia versions", build: (*program).versionCommand},
		}},
	}
}

// more are commands that files of this package add in their init functions.
var more []command
