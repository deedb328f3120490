package main

import (
	"bytes"

	"github.com/asp2vec/asp2vec/experiments"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/urfave/cli/v2"
)

func (p *program) evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:  "evaluate",
		Usage: "link-prediction AUC of an embedding, also of one made elsewhere",
		Description: example("asp2vec evaluate --split data/cora/split --embedding runs/mine",
			"asp2vec evaluate --split data/cora/split --embedding vectors.npy --vertices ids.txt"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "split", Usage: "`DIR` of a link-prediction split"},
			&cli.StringFlag{Name: "embedding", Usage: "`PATH` of a run's folder, of word2vec text (also gzip), or of a .npy file"},
			&cli.StringFlag{Name: "vertices", Usage: "`FILE` with the ids of the rows of a .npy file, one a line"},
			&cli.BoolFlag{Name: "directed", Usage: "fail if the split is not of a directed network"},
		},
		Action: p.evaluate,
	}
}

func (p *program) evaluate(c *cli.Context) error {
	dir, path := c.String("split"), c.String("embedding")
	switch {
	case dir == "":
		return badf("no split given: want --split DIR (asp2vec split makes one)")
	case path == "":
		return badf("no embedding given: want --embedding DIR-or-FILE")
	}
	split, err := network.ReadSplit(dir, c.Bool("directed"))
	if err != nil {
		return bad(err)
	}
	vectors, err := results.ReadEmbedding(path, c.String("vertices"))
	if err != nil {
		return bad(err)
	}
	aligned, err := vectors.Align(split.Names)
	if err != nil {
		return bad(err)
	}
	score, err := experiments.Measure(c.Context, split, graphs.Embedding{D: aligned.D, Final: aligned.Data}, graphs.ScoringLR, p.threads)
	if err != nil {
		return err
	}
	doc := struct {
		Split     string  `json:"split"`
		Embedding string  `json:"embedding"`
		Vertices  int     `json:"vertices"`
		Dim       int     `json:"dim"`
		Directed  bool    `json:"directed"`
		AUC       float64 `json:"auc"`
		AUCRandom float64 `json:"auc_random"`
	}{dir, path, aligned.N, aligned.D, split.Directed, score.AUC, score.AUCRandom}
	return p.emit(doc, func(b *bytes.Buffer) error {
		rows := [][]string{{"links and random pairs", auc(score.AUCRandom).String(), count(len(split.Test)), count(len(split.TestNeg))}}
		if split.Directed {
			rows = append([][]string{{"with reversed links, as in the paper", auc(score.AUC).String(), count(len(split.Test)), count(len(split.TestNegDirected))}}, rows...)
		}
		return table(b, 1, []string{"test links against", "AUC", "links", "negatives"}, rows)
	})
}
