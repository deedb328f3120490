package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/urfave/cli/v2"
)

// modelFlag is a flag that is a field of graphs.Options.
type modelFlag struct {
	name, category, usage string
	field                 func(*graphs.Options) any // a pointer to it
	standard              string                    // what 0 stands for
}

// modelFlags is the one list of them: a new option is one line here.
func modelFlags() []modelFlag {
	const model, papers, corpus, training = "Model", "Papers and authors", "Walks", "Training"
	type options = graphs.Options
	return []modelFlag{
		{"method", model, "`NAME` of a method: " + strings.Join(graphs.MethodNames(), ", "), func(o *options) any { return &o.Method }, ""},
		{"dim", model, "`D` numbers in a vector", func(o *options) any { return &o.Dim }, ""},
		{"aspects", model, "`K` aspects of a vertex, or facets", func(o *options) any { return &o.Aspects }, ""},
		{"selection", model, "how a window picks its aspect: " + names(layers.Selections), func(o *options) any { return &o.Selection }, ""},
		{"noise", model, "Gumbel noise for each pair or window", func(o *options) any { return &o.Noise }, ""},
		{"tau", model, usage("tau"), func(o *options) any { return &o.Tau }, ""},
		{"readout", model, "how a window becomes a vector: " + names(layers.Readouts), func(o *options) any { return &o.Readout }, ""},
		{"pair-loss", model, "loss of a pair: " + names(losses.Pairs), func(o *options) any { return &o.PairLoss }, ""},
		{"regularizer", model, "penalty on aspects: " + names(losses.Regularizers), func(o *options) any { return &o.Regularizer }, ""},
		{"lambda", model, "weight of the regularizer, or of splitter's constraint; 0 turns it off", func(o *options) any { return &o.Lambda }, ""},
		{"epsilon", model, usage("epsilon"), func(o *options) any { return &o.Epsilon }, ""},
		{"warm-up", model, "start from a simpler model: of DeepWalk; of camel for tapem, of m2v++ for asp2vec-het", func(o *options) any { return &o.WarmUp }, ""},

		{"warm-up-pair-loss", model, "loss of a pair in asp2vec's warm-up alone; where none is named, as --pair-loss", func(o *options) any { return &o.WarmUpPairLoss }, "as --pair-loss"},
		{"aspect-noise", model, "standard deviation of noise added to aspects after the warm-up", func(o *options) any { return &o.AspectNoise }, ""},
		{"p", model, "node2vec: a step back is 1/p times as likely", func(o *options) any { return &o.P }, ""},
		{"q", model, "node2vec: a step away is 1/q times as likely", func(o *options) any { return &o.Q }, ""},
		{"facet-tolerance", model, "polydw: facets are found when an update changes what they leave unexplained by less than this share", func(o *options) any { return &o.Tolerance }, ""},
		{"facet-copies", model, "polydw: copies of each walk, with facets drawn anew", func(o *options) any { return &o.Copies }, ""},
		{"clustering", model, "splitter: of ego-networks, labels or components", func(o *options) any { return &o.Clustering }, ""},
		{"features", model, "dgi: `FILE` of vertex features, a vertex and the numbers of its features a line", func(o *options) any { return &o.Features }, "the adjacency matrix"},
		{"feature-links", model, "dgi without --features, on directed networks: what a vertex points to stands for its features (out), or also what points to it (both)", func(o *options) any { return &o.FeatureLinks }, ""},

		{"aspect-context", papers, "asp2vec-het: an aspect is picked from the window's paper, author or both", func(o *options) any { return &o.Context }, ""},
		{"aspect-variant", papers, "asp2vec-het: what of a paper differs by aspect: heads, target or literal", func(o *options) any { return &o.Variant }, ""},
		{"author-weight", papers, "asp2vec-het: weight of the windows around authors, those around papers having 1", func(o *options) any { return &o.AuthorWeight }, ""},
		{"lambda-mean", papers, "asp2vec-het: the regularizer is a mean over authors, not a sum", func(o *options) any { return &o.MeanPenalty }, ""},
		{"head-noise", papers, "asp2vec-het: standard deviation about the identity that heads begin with", func(o *options) any { return &o.HeadNoise }, ""},
		{"meta-paths", papers, "what walks go along, with commas, such as APA,APVPA; or all that there are venues and references for", func(o *options) any { return &o.MetaPaths }, ""},
		{"cell", papers, "of the GRU that reads texts: reset-after or reset-before", func(o *options) any { return &o.Cell }, ""},
		{"text-length", papers, "words of a text that are read", func(o *options) any { return &o.TextLength }, ""},
		{"word-vectors", papers, "`FILE` of word vectors in word2vec text", func(o *options) any { return &o.WordVectors }, "trained on the texts"},
		{"word-dim", papers, "numbers of a word's vector where they are trained", func(o *options) any { return &o.WordDim }, ""},
		{"word-epochs", papers, "passes over the texts where words are trained; 0 for as many as their size asks for", func(o *options) any { return &o.WordEpochs }, ""},
		{"margin", papers, "camel, tapem: between an author and another one", func(o *options) any { return &o.Margin }, ""},
		{"indirect", papers, "camel: weight of pairs from walks", func(o *options) any { return &o.Indirect }, ""},
		{"l2", papers, "weight of the sum of squares of all parameters", func(o *options) any { return &o.Decay }, ""},
		{"dropout", papers, "tapem: share of numbers dropped from the embedding of a pair", func(o *options) any { return &o.Dropout }, ""},
		{"context-ratio", papers, "tapem: share of the context paths that an epoch takes", func(o *options) any { return &o.ContextRatio }, ""},

		{"walks", corpus, "walks from each vertex", func(o *options) any { return &o.Walks }, ""},
		{"walk-length", corpus, "vertices of a walk", func(o *options) any { return &o.Length }, ""},
		{"window", corpus, "vertices on each side of a centre", func(o *options) any { return &o.Window }, ""},
		{"shrink-window", corpus, "draw the reach of each window from 1 to --window", func(o *options) any { return &o.Shrink }, ""},
		{"negatives", corpus, "noise vertices of each pair", func(o *options) any { return &o.Negatives }, ""},
		{"noise-power", corpus, "noise in proportion to frequency to this power; 0 for all alike", func(o *options) any { return &o.NoisePower }, ""},
		{"resample-negatives", corpus, "draw negatives anew in each epoch", func(o *options) any { return &o.Resample }, ""},
		{"walks-in-memory", corpus, "auto, true or false: keep walks, or draw them anew in each epoch", func(o *options) any { return &o.WalksInMemory }, ""},
		{"order", corpus, "windows shuffled, or grouped by centre as published", func(o *options) any { return &o.Order }, ""},

		{"pairs-per-vertex", training, "training ends after so many pairs for each vertex; 0: after --epochs", func(o *options) any { return &o.PairsPerVertex }, ""},
		{"steps", training, "of a run that ends after pairs; 0: as many as --batch makes", func(o *options) any { return &o.Steps }, ""},
		{"rate-sum", training, "sum of the learning rates of such a run's steps, 0: --learning-rate", func(o *options) any { return &o.RateSum }, ""},
		{"degree-power", training, "--rate-sum is over the mean degree to this power", func(o *options) any { return &o.DegreePower }, ""},
		{"spread-power", training, "--rate-sum is over the spread of the degrees (mean square over square of the mean) to this power", func(o *options) any { return &o.SpreadPower }, ""},
		{"directed-share", training, "of --rate-sum, that a directed network gets", func(o *options) any { return &o.DirectedShare }, ""},
		{"rate-end", training, "of --rate-sum: the last rate as a share of the first", func(o *options) any { return &o.RateEnd }, ""},
		{"dense-degree", training, "asp2vec: networks of this mean degree and above have a recipe of their own, unless --rate-sum, --rate-end, --max-norm, --warm-up-share, --embedding or a learning rate is given; 0: none", func(o *options) any { return &o.DenseDegree }, ""},
		{"max-norm", training, "rows of deepwalk, and of a warm-up by it, are shortened to this after each epoch; 0: never", func(o *options) any { return &o.MaxNorm }, ""},
		{"warm-up-share", training, "of the pairs of such a run", func(o *options) any { return &o.WarmUpShare }, ""},
		{"embedding", training, "which vectors are the embedding: center, or mean of centre and aspects or contexts", func(o *options) any { return &o.Vectors }, ""},
		{"embedding-scale", training, "root mean square length of the embedding; 0: as it is", func(o *options) any { return &o.Scale }, ""},
		{"hold-out", training, "share of the training links held out and scored at the end, instead of test links", func(o *options) any { return &o.HoldOut }, ""},
		{"refit", training, "after validation has chosen the epoch, train as long on all training links", func(o *options) any { return &o.Refit }, ""},

		{"batch", training, "pairs in a step", func(o *options) any { return &o.Batch }, ""},
		{"learning-rate", training, "step size, above 0", func(o *options) any { return &o.LearningRate }, ""},
		{"final-learning-rate", training, "falls to this over all epochs; 0 to stay", func(o *options) any { return &o.FinalRate }, ""},
		{"optimizer", training, "adam, lazy-adam or sgd", func(o *options) any { return &o.Optimizer }, ""},
		{"epochs", training, "at most so many, in each stage", func(o *options) any { return &o.Epochs }, "1000; 20 with --select last"},
		{"warm-up-epochs", training, "at most so many in the warm-up", func(o *options) any { return &o.WarmUpEpochs }, "as --epochs"},
		{"patience", training, "stop after so many epochs without progress", func(o *options) any { return &o.Patience }, "10, or 5 with --select test; of papers and authors 5 or 10, or 20"},
		{"select", training, "report the epoch best by validation, test or training loss, or the last", func(o *options) any { return &o.Select }, ""},
		{"scoring", training, "rank links by native, lr, sum, weighted or max, authors by native, dot, distance or max", func(o *options) any { return &o.Scoring }, "the method's own"},
		{"engine", training, "auto, graph (composed) or fused (fast)", func(o *options) any { return &o.Engine }, ""},
		{"seed", training, "`SEED` of all that is random", func(o *options) any { return &o.Seed }, ""},
	}
}

// usage is the help of a hyperparameter, from where it is declared.
func usage(key string) string {
	h, _ := graphs.FindHyperparameter(key)
	return h.Usage()
}

// hyperparameters are the options that entries of registries declare, beside those that are fields of graphs.Options.
func hyperparameters() (all []graphs.Hyperparameter) {
	for _, h := range graphs.Hyperparameters() {
		if graphs.IsHyperparameter(h.Key) {
			all = append(all, h)
		}
	}
	return all
}

// readers returns the methods that read an option.
func readers(option string) (methods []string) {
	for _, m := range graphs.Methods() {
		if m.Reads(option) {
			methods = append(methods, m.Name)
		}
	}
	return methods
}

// names lists the names of a registry.
func names[V any](registry map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(registry)), ", ")
}

// optionFlags returns the flags of a model, with those of the standard protocol as their defaults.
func optionFlags() []cli.Flag {
	o := graphs.Standard()
	flags := []cli.Flag{&cli.StringFlag{Name: "protocol", Category: "Training", Value: experiments.DefaultProtocol,
		Usage: "set every option at once, before single flags: " + names(experiments.Protocols)}}
	for _, f := range modelFlags() {
		switch v := f.field(&o).(type) {
		case *int:
			flags = append(flags, &cli.IntFlag{Name: f.name, Category: f.category, Usage: f.usage, Value: *v, DefaultText: f.standard})
		case *uint64:
			flags = append(flags, &cli.Uint64Flag{Name: f.name, Category: f.category, Usage: f.usage, Value: *v})
		case *float64:
			flags = append(flags, &cli.Float64Flag{Name: f.name, Category: f.category, Usage: f.usage, Value: *v})
		case *bool:
			flags = append(flags, &cli.BoolFlag{Name: f.name, Category: f.category, Usage: f.usage, Value: *v})
		case *string:
			flags = append(flags, &cli.StringFlag{Name: f.name, Category: f.category, Usage: f.usage, Value: *v})
		default:
			panic(fmt.Sprintf("flag %s: no kind of flag for %T", f.name, v))
		}
	}
	for _, h := range hyperparameters() {
		flags = append(flags, &cli.Float64Flag{Name: h.Key, Category: "Model", Usage: h.Usage(), Value: h.Default})
	}
	return flags
}

// options returns the options of the protocol with the flags that were given over them.
func options(c *cli.Context) (o graphs.Options, protocol string, err error) {
	protocol = c.String("protocol")
	base, ok := experiments.Protocols[protocol]
	if !ok {
		return o, "", badf("--protocol %q: want one of %s", protocol, names(experiments.Protocols))
	}
	method := base().Method
	if c.IsSet("method") {
		method = c.String("method")
	}
	if o, err = graphs.Defaults(method, base); err != nil {
		return o, "", badf("--method %q: want %s", method, nearest(method, graphs.MethodNames(), ""))
	}
	reads, err := graphs.FindMethod(method)
	if err != nil {
		return o, "", bad(err)
	}
	for _, f := range modelFlags() { // all of them before any is set: what is given takes nothing back of what is given beside it
		if c.IsSet(f.name) {
			o.Give(f.name)
		}
	}
	for _, f := range modelFlags() {
		if !c.IsSet(f.name) {
			continue
		}
		if !reads.Reads(f.name) {
			return o, "", badf("--%s %v: %s has no such option; it is one of %s", f.name, c.Value(f.name), method, strings.Join(readers(f.name), ", "))
		}
		switch v := f.field(&o).(type) {
		case *int:
			*v = c.Int(f.name)
		case *uint64:
			*v = c.Uint64(f.name)
		case *float64:
			*v = c.Float64(f.name)
		case *bool:
			*v = c.Bool(f.name)
		case *string:
			*v = c.String(f.name)
		}
	}
	for _, h := range hyperparameters() {
		if !c.IsSet(h.Key) {
			continue
		}
		if !reads.Reads(h.Key) {
			return o, "", badf("--%s %v: %s has no such option; it is one of %s", h.Key, c.Value(h.Key), method, strings.Join(readers(h.Key), ", "))
		}
		o.SetHyperparameter(h.Key, c.Float64(h.Key))
	}
	return o, protocol, bad(o.Validate())
}
