package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/network"
)

func (p *program) evaluateAspectsCommand() *cli.Command {
	return &cli.Command{
		Name:      "aspects",
		ArgsUsage: modelArgument,
		Usage:     "how well the aspects of links agree with labels",
		Description: "A link has the label that both its ends share, if that is one. For each vertex whose links have several labels, its links are grouped\n" +
			"by aspects, by those that the model has learned, by k-means of the final vectors of the other ends, and, without vectors, by label\n" +
			"propagation among its neighbours. The normalised mutual information (NMI) of a grouping with the labels is averaged over the vertices; for\n" +
			"groups of aspects of all vertices it is that over all links.\n\n" +
			example("asp2vec evaluate aspects --model links.asp2vec --labels communities.tsv"),
		Flags: append(append(embeddingFlags(), sourceFlags()...), runLabelsFlag(), labelsFromFlag(),
			atLeast(1, cli.IntFlag{Name: "groups", Value: aspects.Most, Usage: "`K` groups for k-means, at most one for each two links"}),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of k-means and of chance"},
		),
		Action: p.evaluateAspects,
	}
}

// aspectsEvaluation is what evaluate aspects prints with --json.
type aspectsEvaluation struct {
	byLabels
	Seed    uint64             `json:"seed"`
	Links   int                `json:"links"` // with a label, counted at each end
	Aspects aspects.Agreement  `json:"aspects"`
	Overall aspects.Agreement  `json:"groups"` // of aspects, over all links
	Learned *aspects.Agreement `json:"learned,omitempty"`
	KMeans  aspects.Agreement  `json:"k_means"`
	Egos    aspects.Agreement  `json:"ego_splitting"`
	Several [aspects.Most]int  `json:"vertices_with_aspects"` // how many have one, two, ...
}

func (p *program) evaluateAspects(c *cli.Context) error {
	return evaluateModel(p, c, func(e *embedding) (aspectsEvaluation, error) { return p.aspectsEvaluation(c, e) })
}

func (p *program) aspectsEvaluation(c *cli.Context, e *embedding) (doc aspectsEvaluation, err error) {
	links, err := p.links(c, e)
	if err == nil {
		err = e.wantLinks(links)
	}
	if err != nil {
		return doc, err
	}
	doc = aspectsEvaluation{byLabels: byLabels{Model: e.path, Method: e.method}, Seed: c.Uint64("seed")}
	at, err := p.linkLabels(c, e, links.net, &doc)
	if err != nil {
		return doc, err
	}
	found, err := p.findAspects(c.Context, e, links)
	if err != nil {
		return doc, err
	}
	for _, l := range at {
		doc.Links += len(l.Near)
	}
	for v := range e.Names {
		if n := found.Vectors.First[v+1] - found.Vectors.First[v]; n > 0 {
			doc.Several[n-1]++
		}
	}
	if doc.Aspects, err = aspects.Within(at, found.To, doc.Seed); err != nil {
		return doc, bad(fmt.Errorf("%s, %s: %w", e.path, doc.Labels, err))
	}
	if doc.Overall, err = aspects.Overall(at, found.ByGroup, doc.Seed); err != nil {
		return doc, err
	}
	if e.MultiVectors != nil {
		learned, err := e.learned()
		if err != nil {
			return doc, err
		}
		a, err := aspects.Within(at, learned.Number, doc.Seed)
		if err != nil {
			return doc, err
		}
		doc.Learned = &a
	}
	final, err := e.table("final")
	if err != nil {
		return doc, err
	}
	byMeans, err := aspects.KMeans(c.Context, final, at, c.Int("groups"), doc.Seed, p.threads)
	if err != nil {
		return doc, err
	}
	if doc.KMeans, err = aspects.Within(at, byMeans, doc.Seed); err != nil {
		return doc, err
	}
	byEgos, err := aspects.EgoSplitting(c.Context, links.net, p.threads)
	if err != nil {
		return doc, err
	}
	doc.Egos, err = aspects.Within(at, byEgos, doc.Seed)
	return doc, err
}

// linkLabels are the links whose ends share one label.
func (p *program) linkLabels(c *cli.Context, e *embedding, net *network.Network, doc *aspectsEvaluation) ([]aspects.VertexLinks, error) {
	of, names, file, err := p.labelsOf(c, e)
	if err != nil {
		return nil, err
	}
	doc.Labels, doc.Count = file, len(names)
	for _, l := range of {
		if l != nil {
			doc.Vertices++
		}
	}
	return aspects.ByLabels(net, of), nil
}

func (d aspectsEvaluation) write(b *printout) {
	var rows [][]string
	add := func(by string, m aspects.Agreement) {
		rows = append(rows, []string{by, auc(m.NMI).String(), fmt.Sprintf("%.4f ± %.4f", m.Chance, m.ChanceSD), fmt.Sprintf("%.4f", m.Adjusted())})
	}
	add("aspects", d.Aspects)
	if d.Learned != nil {
		add("learned aspects", *d.Learned)
	}
	add("k-means of final", d.KMeans)
	add("ego-splitting, no vectors", d.Egos)
	b.table(1, []string{"links of a vertex grouped by", "NMI", "by chance", "beyond chance"}, rows)
	rows = nil
	add("groups of aspects", d.Overall)
	b.table(1, []string{"all links grouped by", "NMI", "by chance", "beyond chance"}, rows)
	b.printf("\nThe first table is over %s vertices with links of several labels. Beyond chance: 0 as by chance, 1 if the groups are the labels.\n", count(d.Aspects.Count))
	var of string
	for i, n := range d.Several {
		of += fmt.Sprintf(", %s: %s", count(i+1), count(n))
	}
	b.printf("Vertices by how many aspects they have%s.\n", of)
}
