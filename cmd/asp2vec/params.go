package main

import (
	"strconv"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/urfave/cli/v2"
)

func (p *program) paramsCommand() *cli.Command {
	return &cli.Command{
		Name:      "params",
		Usage:     "count the parameters that each method trains on a network",
		ArgsUsage: networkArgument,
		Description: "Counts the parameters of the models themselves, next to the paper's formula. Without --method, all methods; those with one\n" +
			"vector per vertex have dim x aspects dimensions. For a split, the network is that of the training links.\n\n" +
			example("asp2vec params --dataset ppi", "asp2vec params --network links.tsv --method splitter --dim 40"),
		Flags:  append(sourceFlags(), optionFlags()...),
		Action: p.params,
	}
}

// parameterCount is what one method learns.
type parameterCount struct {
	Method  string `json:"method"`
	Dim     int    `json:"dim"`
	Aspects int    `json:"aspects,omitempty"`
	Count   int64  `json:"count"`
	Formula string `json:"paper_formula"`
	Paper   int64  `json:"paper_count,omitempty"` // 0 where vertices and options are not enough to tell
}

func (p *program) params(c *cli.Context) error {
	o, _, err := options(c)
	if err != nil {
		return err
	}
	loaded, net, err := p.training(c)
	if err != nil {
		return err
	}
	plans := []graphs.Options{o}
	if !c.IsSet("method") {
		if plans, err = comparable(o); err != nil {
			return err
		}
	}
	var counts []parameterCount
	for _, plan := range plans {
		count, err := p.countParameters(c, net, plan)
		if err != nil {
			return err
		}
		counts = append(counts, count)
	}
	rows := seq.Map(counts, func(r parameterCount) []string {
		return []string{r.Method, strconv.Itoa(r.Dim), known(r.Aspects), count(r.Count), r.Formula, known(r.Paper)}
	})
	return p.emitTable(fields{"network", loaded.Name, "vertices", net.Vertices(), "methods", counts}, 1,
		[]string{"method", "dim", "aspects", "parameters", "paper's formula", "its value"}, rows)
}

// comparable returns the options of every method with as many dimensions for a vertex as o, in all its vectors.
func comparable(o graphs.Options) ([]graphs.Options, error) {
	var all []graphs.Options
	for _, m := range methods.OnLinks() {
		each, err := methods.Options(m.Name, graphs.Default)
		if err != nil {
			return nil, err
		}
		each.Aspects, each.Seed, each.Dim = o.Aspects, o.Seed, o.Dim
		if !m.MultiVector() {
			each.Dim = o.Dim * o.Aspects
		}
		all = append(all, each)
	}
	return all, nil
}

func (p *program) countParameters(c *cli.Context, net *network.Network, o graphs.Options) (parameterCount, error) {
	m := o.Method
	features, err := run.Features(o, net.Names())
	if err != nil {
		return parameterCount{}, bad(err)
	}
	learnt, err := graphs.Parameters(c.Context, graphs.Input{Network: net, Features: features}, o, p.threads)
	if err != nil {
		return parameterCount{}, bad(err)
	}
	r := parameterCount{Method: m.Name, Dim: o.Dim, Count: learnt, Formula: m.Formula, Paper: m.PublishedCount(int64(net.Vertices()), o)}
	if m.Reads("aspects") {
		r.Aspects = o.Aspects
	}
	return r, nil
}
