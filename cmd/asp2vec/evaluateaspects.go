package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
)

func (p *program) evaluateAspectsCommand() *cli.Command {
	return &cli.Command{
		Name:      "aspects",
		ArgsUsage: "[MODEL]",
		Usage:     "compare the aspects of links with labels that their ends share: do the aspects of a vertex mean anything?",
		Description: "A link has the label that both its ends share, if that is one. For each vertex whose links have several labels, its links are grouped by\n" +
			"the aspect of the vertex that is nearest to the other end; and, without aspects, by k-means of the final vectors of the other\n" +
			"ends. The normalised mutual information (NMI) of either grouping with the labels is averaged over the vertices.\n\n" +
			example("asp2vec evaluate aspects --model runs/mine --labels communities.tsv"),
		Flags: append(append(embeddingFlags(), sourceFlags()...), runLabelsFlag(),
			atLeast(1, cli.IntFlag{Name: "groups", Value: 5, Usage: "`K` groups for k-means of a method with one vector per vertex; others have one for each aspect"}),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of k-means and of chance"},
		),
		Action: p.evaluateAspects,
	}
}

// aspectsEvaluation is what evaluate aspects prints with --json.
type aspectsEvaluation struct {
	byLabels
	Seed uint64 `json:"seed"`
	aspects.LabelMatch
	Dim       int `json:"dim"`                  // of the final vectors
	AspectDim int `json:"aspect_dim,omitempty"` // of the several vectors
}

func (p *program) evaluateAspects(c *cli.Context) error {
	return evaluateModel(p, c, func(e *embedding) (aspectsEvaluation, error) { return p.aspectsEvaluation(c, e) })
}

func (p *program) aspectsEvaluation(c *cli.Context, e *embedding) (doc aspectsEvaluation, err error) {
	file, err := p.labelsPath(c, e)
	if err != nil {
		return doc, err
	}
	of, names, err := p.labelsOf(e, file)
	if err != nil {
		return doc, err
	}
	doc = aspectsEvaluation{byLabels: byLabels{Model: e.path, Method: e.method, Labels: file, Count: len(names)}, Seed: c.Uint64("seed")}
	for _, l := range of {
		if l != nil {
			doc.Vertices++
		}
	}
	links, err := p.links(c, e)
	if err != nil {
		return doc, err
	}
	if links == nil {
		return doc, badf("%s: no links to compare the aspects of: want --network or --split", e.path)
	}
	final, err := e.table("final")
	if err != nil {
		return doc, err
	}
	x := aspects.Vectors{Final: final, Numbers: e.Aspects() > 0}
	if doc.Dim = final.D; e.MultiVectors != nil {
		if x.Aspects, err = e.multiEmbedding(); err != nil {
			return doc, err
		}
		doc.AspectDim = x.Aspects.D
		if e.Center != nil && e.D == x.Aspects.D {
			x.Center = &eval.Embedding{N: len(e.Names), D: e.D, Data: e.Center}
		}
	}
	doc.LabelMatch, err = aspects.MatchLabels(c.Context, x, links.net, of, c.Int("groups"), doc.Seed, p.threads)
	if err != nil && c.Context.Err() == nil {
		err = bad(fmt.Errorf("%s, %s: %w", e.path, file, err))
	}
	return doc, err
}

func (d aspectsEvaluation) write(b *printout) {
	var rows [][]string
	add := func(by string, m aspects.Agreement) {
		rows = append(rows, []string{by, auc(m.NMI).String(), fmt.Sprintf("%.4f ± %.4f", m.Chance, m.ChanceSD), fmt.Sprintf("%.4f", m.Adjusted())})
	}
	if d.Aspects != nil {
		add("aspects", *d.Aspects)
	}
	add("k-means of final", d.Groups)
	b.table(1, []string{"links of a vertex grouped by", "NMI", "by chance", "beyond chance"}, rows)
	b.printf("\nOver %s vertices with links of several labels; %s labels of %s vertices. Beyond chance: 0 as by chance, 1 if the groups are the labels.\n",
		count(d.Groups.Count), count(d.Count), count(d.Vertices))
}
