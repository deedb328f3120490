package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/network"
)

// bibliography reads what --bibliography and --dataset name, and tells what a user should know of it.
func (p *program) bibliography(c *cli.Context) (*papers.Bibliography, error) {
	if d, err := network.Lookup(c.String("dataset")); err == nil && !d.Typed {
		return nil, badf("data set %s has no papers and authors: expected DBLP, or --bibliography DIR", d.Name)
	}
	if !c.IsSet("dataset") && !c.IsSet("bibliography") {
		return nil, badf("no data given: expected --dataset dblp or --bibliography DIR")
	}
	l, err := p.load(c)
	if err != nil {
		return nil, err
	}
	l.Bibliography.Name = l.Name
	return l.Bibliography, nil
}

// tableBibliographyFlag is for tables that are to be made of a bibliography of the user's, too.
func tableBibliographyFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "bibliography", Category: category, Usage: "`DIR` of papers and authors for table5 and table6, instead of the paper's"}
}

// ownBibliography returns the data set that tableBibliographyFlag names; none without it. If it is to be run it reads it, as each run will, to
// refuse what cannot be read once, and to tell what a user should know of it.
func (p *program) ownBibliography(c *cli.Context, use sweep.Use) ([]source.DataSet, error) {
	own := source.OwnData{Bibliography: c.String("bibliography")}
	if !c.IsSet("bibliography") {
		return nil, nil
	}
	if use == sweep.ToShow {
		d, err := source.Recorded("", own)
		return []source.DataSet{d}, bad(err)
	}
	if _, err := p.load(c); err != nil {
		return nil, err
	}
	d, err := source.OwnDataSet("", own)
	return []source.DataSet{d}, bad(err)
}

// model loads the model that --model names.
func (p *program) model(c *cli.Context) (*hetnet.Saved, error) {
	dir := c.String("model")
	if dir == "" {
		return nil, badf("no model given: expected --model DIR, the folder that train wrote")
	}
	s, err := hetnet.Load(dir, p.threads)
	if err != nil {
		return nil, bad(fmt.Errorf("--model: %w", err))
	}
	p.log.Info("read "+dir, "method", s.Record.Method, "authors", whole(len(s.Authors)), "words", whole(len(s.Words)))
	return s, nil
}
