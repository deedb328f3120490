package models

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// identifiedPaper is a paper with its likely authors.
type identifiedPaper struct {
	Paper   string         `json:"paper"` // its text, or its id
	Words   int            `json:"words"` // that the model knows
	Unknown []string       `json:"unknown,omitempty"`
	Authors []rankedAuthor `json:"authors"`

	place  string // for errors
	tokens []int32
	wrote  []string // known authors of a paper of a bibliography; nil for a text
}

type rankedAuthor struct {
	Rank   int     `json:"rank"`
	Author string  `json:"author"`
	Score  float32 `json:"score"`
	Wrote  *bool   `json:"wrote,omitempty"` // whether the author wrote it, where that is known
}

// predictAuthors ranks the authors that a model knows by how likely they are to have written a paper.
func (p program) predictAuthors(c *cli.Context) error {
	if !c.IsSet("paper") && (c.IsSet("dataset") || c.IsSet("bibliography")) {
		return shell.Badf("--dataset or --bibliography without --paper: expected --paper ID with them")
	}
	model, err := p.model(c)
	if err != nil {
		return err
	}
	papers, err := p.papers(c, model)
	if err != nil {
		return err
	}
	var unknown []string
	known := 0
	var blank []*identifiedPaper // none of their words is known
	for _, paper := range papers {
		if paper.Words = len(paper.tokens); paper.Words == 0 {
			blank = append(blank, paper)
		}
		unknown, known = append(unknown, paper.Unknown...), known+paper.Words
	}
	if len(blank) == len(papers) {
		return shell.Badf("%s: none of its %d words is among the %s that the model knows: expected others", blank[0].place, len(blank[0].Unknown), shell.Count(len(model.Words)))
	}
	for _, paper := range blank {
		p.Log.Warn(paper.place + ": the model knows none of its words: no authors are ranked")
	}
	if n := len(unknown); n > 0 {
		p.Log.Warn("words that the model does not know are ignored", "unknown", n, "of", n+known, "such_as", strings.Join(unknown[:min(5, n)], " "))
	}
	if err := p.rank(c.Context, model, papers, c.Int("top")); err != nil {
		return err
	}
	d := p.Answer()
	d.Data("model", c.String("model"), "method", model.Record.Method, "papers", papers)
	for _, paper := range papers {
		if len(papers) > 1 {
			d.Say("%s", paper.Paper)
		}
		d.Rows(seq.Map(paper.Authors, func(a rankedAuthor) []any {
			var wrote any
			if a.Wrote != nil && *a.Wrote {
				wrote = true
			}
			return []any{a.Rank, a.Author, shell.AUC(a.Score), wrote}
		}), "rank", "author", "score", "wrote it")
	}
	if recall := model.Record.Metrics["recall@10"]; recall > 0 { // among a test paper's candidates
		d.Data("recall@10", recall)
		d.Say("When it was trained, %.0f %% of those that are right were among the first 10 of a paper's candidates (recall on test pairs).", 100*recall)
	}
	return p.Show(d)
}

// rank fills in the likely authors of papers.
func (p program) rank(ctx context.Context, model *hetnet.Saved, papers []*identifiedPaper, top int) error {
	papers = seq.Filter(papers, func(paper *identifiedPaper) bool { return paper.Words > 0 })
	texts := seq.Map(papers, func(paper *identifiedPaper) []int32 { return paper.tokens })
	ranked, err := model.Rank(ctx, texts, top, p.Threads)
	if err != nil {
		return err
	}
	for i, paper := range papers {
		for place, r := range ranked[i] {
			a := rankedAuthor{Rank: place + 1, Author: model.Authors[r.Author], Score: r.Score}
			if paper.wrote != nil {
				a.Wrote = new(slices.Contains(paper.wrote, a.Author))
			}
			paper.Authors = append(paper.Authors, a)
		}
	}
	return nil
}

// papers returns the papers that the flags name, at least one.
func (p program) papers(c *cli.Context, model *hetnet.Saved) ([]*identifiedPaper, error) {
	text := func(place, words string) *identifiedPaper {
		words = strings.TrimSpace(words)
		paper := &identifiedPaper{Paper: words, place: place}
		paper.tokens, paper.Unknown = model.Tokens(words)
		return paper
	}
	switch {
	case c.IsSet("text"):
		if strings.TrimSpace(c.String("text")) == "" {
			return nil, shell.Badf("--text %q: expected the words of a paper", c.String("text"))
		}
		return []*identifiedPaper{text("--text", c.String("text"))}, nil
	case c.IsSet("paper"):
		paper, err := p.paper(c, model)
		return []*identifiedPaper{paper}, err
	}
	in, name, err := p.open("file", c.String("file"))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var papers []*identifiedPaper
	_, err = vectors.EachLine(in, name, func(n int, line []byte) error {
		if words := string(line); strings.TrimSpace(words) != "" {
			papers = append(papers, text(fmt.Sprintf("%s:%d", name, n), words))
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, shell.Bad(err)
	case len(papers) == 0:
		return nil, shell.Badf("%s has no words: expected those of a paper on each line", name)
	}
	return papers, nil
}

// paper returns the paper of a bibliography that --paper names.
func (p program) paper(c *cli.Context, model *hetnet.Saved) (*identifiedPaper, error) {
	b, err := p.bibliography(c)
	if err != nil {
		return nil, err
	}
	id := c.String("paper")
	tokens, authors, found := b.Find(id)
	if !found {
		return nil, shell.Badf("--paper %q: %s has no such paper: %s", id, b.Name, shell.DidYouMean(id, b.PaperNames()))
	}
	paper := &identifiedPaper{Paper: id, place: "--paper " + id, wrote: []string{}}
	paper.tokens, paper.Unknown = model.Known(b.Spelt(tokens))
	for _, a := range authors {
		paper.wrote = append(paper.wrote, b.Names[b.Author][a])
	}
	return paper, nil
}

// bibliography reads what --bibliography and --dataset name, and tells what a user should know of it.
func (p program) bibliography(c *cli.Context) (*papers.Bibliography, error) {
	if d, err := network.Lookup(c.String("dataset")); err == nil && !d.Typed {
		return nil, shell.Badf("data set %s has no papers and authors: expected DBLP, or --bibliography DIR", d.Name)
	}
	if !c.IsSet("dataset") && !c.IsSet("bibliography") {
		return nil, shell.Badf("no data given: expected --dataset dblp or --bibliography DIR")
	}
	l, err := data.Load(p.Program, c)
	if err != nil {
		return nil, err
	}
	l.Bibliography.Name = l.Name
	return l.Bibliography, nil
}

// model loads the model that --model names.
func (p program) model(c *cli.Context) (*hetnet.Saved, error) {
	dir := c.String("model")
	if dir == "" {
		return nil, shell.Badf("no model given: expected --model DIR, the folder that train wrote")
	}
	s, err := hetnet.Load(dir, p.Threads)
	if err != nil {
		return nil, shell.Badf("--model: %w", err)
	}
	p.tellOfCode(&s.Record)
	p.Log.Info("read "+dir, "method", s.Record.Method, "authors", len(s.Authors), "words", len(s.Words))
	return s, nil
}
