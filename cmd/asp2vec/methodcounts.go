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

// parameterCount is what one method learns.
type parameterCount struct {
	Method  string `json:"method"`
	Dim     int    `json:"dim"`
	Aspects int    `json:"aspects,omitempty"`
	Count   int64  `json:"count"`
	Formula string `json:"paper_formula"`
	Paper   int64  `json:"paper_count,omitempty"` // 0 where vertices and options are not enough to tell
}

// countParameters counts what each of some methods trains on the network that the flags name, next to the paper's formula.
func (p *program) countParameters(c *cli.Context, plans []graphs.Options) error {
	loaded, net, err := p.training(c)
	if err != nil {
		return err
	}
	var counts []parameterCount
	for _, plan := range plans {
		count, err := p.parametersOf(c, net, plan)
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

// comparable returns the options of every method with as many dimensions for a vertex as asp2vec's, in all its vectors.
func comparable() ([]graphs.Options, error) {
	usual := graphs.Default()
	var all []graphs.Options
	for _, m := range methods.OnLinks() {
		each, err := methods.Options(m.Name, graphs.Validated)
		if err != nil {
			return nil, err
		}
		each.Aspects, each.Dim = usual.Aspects, usual.Dim
		if !m.MultiVector() {
			each.Dim = usual.Dim * usual.Aspects
		}
		all = append(all, each)
	}
	return all, nil
}

func (p *program) parametersOf(c *cli.Context, net *network.Network, o graphs.Options) (parameterCount, error) {
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
