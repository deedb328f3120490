package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// scoringNative is the scoring that a run's record names.
const scoringNative = "native"

var scorings = []string{scoringNative, eval.ScoringLR, eval.ScoringSum, eval.ScoringWeighted, eval.ScoringMax}

func (p *program) evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:  "evaluate",
		Usage: "measure an embedding, including one made elsewhere, by link prediction; subcommands measure other tasks",
		Description: example("asp2vec evaluate --split data/cora/split --embedding runs/mine",
			"asp2vec evaluate --split data/cora/split --embedding vectors.npy --vertices ids.txt",
			"asp2vec evaluate --split data/cora/split --embedding runs/mine --scoring max"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "split", Usage: "`DIR` of a link-prediction split"},
			&cli.StringFlag{Name: "embedding", Usage: "`PATH` of a run's folder, a word2vec text file (also gzip), or a .npy file"},
			&cli.StringFlag{Name: "vertices", Usage: "`FILE` with the ids of the rows of a .npy file, one per line"},
			oneOf(cli.StringFlag{Name: "scoring", Value: scoringNative, Usage: "rank links by lr, a classifier on one vector per vertex; sum, weighted " +
				"or max of the cosines of several vectors per vertex; native, as in the run's record, otherwise lr"}, scorings...),
			&cli.BoolFlag{Name: "directed", Usage: "fail if the split is not from a directed network"},
		},
		Subcommands: []*cli.Command{p.evaluateAuthorsCommand(), p.evaluateRankingCommand(), p.evaluateLabelsCommand(), p.evaluateClusteringCommand(), p.evaluateAspectsCommand()},
		Action:      p.evaluate,
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
	scoring, err := scoringOf(path, c.String("scoring"))
	if err != nil {
		return err
	}
	split, err := network.ReadSplit(dir, c.Bool("directed"))
	if err != nil {
		return bad(err)
	}
	doc := evaluation{Split: dir, Embedding: path, Scoring: scoring, Vertices: len(split.Names), Directed: split.Directed}
	score, dim, err := p.score(c.Context, split, path, c.String("vertices"), scoring)
	if err != nil {
		return err
	}
	doc.Dim, doc.AUC, doc.AUCRandom = dim, score.AUC, score.AUCRandom
	if r, err := recordOf(path); err == nil { // whoever wants the record's scoring has been told of the error
		doc.Other = p.otherData(c.Context, r, path, split)
	}
	degrees, err := eval.Degrees(split)
	if err != nil {
		return bad(err)
	}
	doc.AUCDegrees, doc.AUCDegreesRandom = degrees.AUC, degrees.AUCRandom
	return p.emit(doc, func(b *printout) {
		row := func(against, scoring string, x float64, negatives int) []string {
			return []string{against, scoring, auc(x).String(), count(len(split.Test)), count(negatives)}
		}
		const nothing = "degrees, not trained"
		random, reversed := len(split.TestNeg), len(split.TestNegDirected)
		rows := [][]string{row("links and random pairs", scoring, score.AUCRandom, random), row("", nothing, degrees.AUCRandom, random)}
		if split.Directed {
			rows = append([][]string{row("with reversed links, as in the paper", scoring, score.AUC, reversed), row("", nothing, degrees.AUC, reversed)}, rows...)
		}
		b.table(2, []string{"test links against", "scoring", "AUC", "links", "negatives"}, rows)
		if doc.Other != nil {
			b.printf("\nTrained on other data: %s.\n", doc.Other)
		}
	})
}

// evaluation is what evaluate prints with --json.
type evaluation struct {
	Split     string  `json:"split"`
	Embedding string  `json:"embedding"`
	Scoring   string  `json:"scoring"`
	Vertices  int     `json:"vertices"`
	Dim       int     `json:"dim"`
	Directed  bool    `json:"directed"`
	AUC       float64 `json:"auc"`
	AUCRandom float64 `json:"auc_random"`

	AUCDegrees       float64 `json:"auc_degrees"` // of the product of degrees, see eval.Degrees
	AUCDegreesRandom float64 `json:"auc_degrees_random"`

	Other *otherData `json:"trained_on_other_data,omitempty"`
}

// scoringOf returns the scoring that was asked for, with native resolved.
func scoringOf(path, asked string) (string, error) {
	if asked != scoringNative {
		return asked, scorable(path, asked)
	}
	if fi, err := os.Stat(path); err != nil || !fi.IsDir() {
		return eval.ScoringLR, nil // a plain file, or what reading it will report
	}
	r, err := vectors.ReadRecord(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return eval.ScoringLR, nil
	case err != nil:
		return "", bad(fmt.Errorf("%w; with another --scoring than %s it is not read", err, scoringNative))
	case r.Scoring == "":
		return eval.ScoringLR, nil
	case r.Scoring == scoringNative || !slices.Contains(scorings, r.Scoring):
		return "", badf("%s of %s names the scoring %q: want --scoring with one of %s", vectors.RecordFile, path, r.Scoring, strings.Join(scorings[1:], ", "))
	}
	return r.Scoring, nil
}

// scorable returns an error if the run that a folder holds is of a method whose vectors cannot rank links that way: what
// DeepWalk leaves beside its vectors are contexts.
func scorable(path, scoring string) error {
	r, err := vectors.ReadRecord(path)
	if err != nil {
		return nil // no folder of a run, or what reading it will report
	}
	m, err := methods.Find(r.Method)
	if err != nil || slices.Contains(m.Scorings, scoring) {
		return nil
	}
	return badf("--scoring %s: %s holds a run of %s: want %s", scoring, path, r.Method, strings.Join(m.Scorings, " or "))
}

// score scores the vectors at a path: one for each vertex by a classifier, or several by their cosines.
func (p *program) score(ctx context.Context, split *network.Split, path, vertices, scoring string) (score eval.Score, dim int, err error) {
	whole, err := vectors.ReadWhole(path, vertices)
	if err != nil {
		return score, 0, bad(err)
	}
	var e graphs.Embedding
	if scoring == eval.ScoringLR {
		v, err := whole.Table(vectors.TableFinal)
		if err == nil {
			v, err = v.Align(split.Names)
		}
		if err != nil {
			return score, 0, bad(err)
		}
		e = graphs.Embedding{D: v.D, Final: v.Data}
	} else {
		m := whole.MultiVectors
		switch {
		case m == nil:
			return score, 0, badf("--scoring %s: %s contains one vector per vertex: want the folder of a run with %s or %s, or an array (N,K,D)", scoring, path, vectors.AspectsFile, vectors.PersonasFile)
		case scoring == eval.ScoringWeighted && m.Share == nil:
			return score, 0, badf("--scoring %s: %s has no weights of vectors (%s in a run's folder): want --scoring %s", scoring, path, vectors.ShareFile, eval.ScoringSum)
		}
		if m, err = m.Align(split.Names); err != nil {
			return score, 0, bad(err)
		}
		e = graphs.Embedding{D: m.D, Vectors: m.Data, First: m.First, Share: m.Share}
	}
	score, err = run.Measure(ctx, split, e, scoring, p.threads)
	return score, e.D, err
}
