package main

import (
	"fmt"
	"path/filepath"

	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/network"
	"github.com/urfave/cli/v2"
)

// bibliographyFlags say where papers and authors come from.
func bibliographyFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "dataset", Usage: "`NAME` of a data set of papers and authors: dblp"},
		&cli.StringFlag{Name: "bibliography", Usage: "`DIR` of papers and authors"},
	}
}

// bibliography reads what the flags of bibliographyFlags name, and tells what a user should know of it.
func (p *program) bibliography(c *cli.Context) (*hetnet.Bibliography, error) {
	dir, name := c.String("bibliography"), c.String("dataset")
	for _, flag := range []string{"bibliography", "dataset"} {
		if c.IsSet(flag) && c.String(flag) == "" {
			return nil, badf("--%s \"\": want a name", flag)
		}
	}
	switch {
	case dir != "" && name != "":
		return nil, badf("--dataset and --bibliography given together: want one of them")
	case dir == "" && name == "":
		return nil, badf("no data given: want --dataset dblp or --bibliography DIR")
	case name != "":
		d, err := network.Lookup(name)
		if err != nil {
			return nil, bad(err)
		}
		if !d.Typed {
			return nil, badf("data set %s has no papers and authors: want DBLP, or --bibliography DIR", d.Name)
		}
		papers, _, err := d.Find(p.data)
		if err != nil {
			return nil, bad(err)
		}
		dir, name = filepath.Dir(papers), d.Name
	}
	b, report, err := hetnet.Read(dir)
	if err != nil {
		return nil, bad(err)
	}
	if name != "" {
		b.Name = name
	}
	attrs := []any{"name", b.Name, "authors", whole(report.Authors), "train_papers", whole(report.Train), "test_papers", whole(report.Test), "words", whole(report.Words)}
	for _, extra := range []struct {
		name  string
		count int
	}{{"test_papers_without_known_author", report.UnknownPapers}, {"papers_without_words", report.NoTokens}, {"candidates_drawn_for", report.Drawn}} {
		if extra.count > 0 {
			attrs = append(attrs, extra.name, whole(extra.count))
		}
	}
	p.log.Info("read "+dir, attrs...)
	return b, nil
}

// model loads the model that --model names.
func (p *program) model(c *cli.Context) (*hetnet.Saved, error) {
	dir := c.String("model")
	if dir == "" {
		return nil, badf("no model given: want --model DIR, the folder that train --out wrote")
	}
	s, err := hetnet.Load(dir, p.threads)
	if err != nil {
		return nil, bad(fmt.Errorf("--model: %w", err))
	}
	p.log.Info("read "+dir, "method", s.Record.Method, "authors", whole(len(s.Authors)), "words", whole(len(s.Words)))
	return s, nil
}
