package main

import (
	"context"
	"fmt"
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

var scorings = append([]string{scoringNative, eval.ScoringLR}, severalScorings...)

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
	e, err := p.embeddingAt(path, c.String("vertices"))
	if err != nil {
		return err
	}
	scoring, err := e.scoring(c.String("scoring"), eval.ScoringLR)
	if err != nil {
		return err
	}
	split, err := network.ReadSplit(dir, c.Bool("directed"))
	if err != nil {
		return bad(err)
	}
	doc := evaluation{Split: dir, Embedding: path, Scoring: scoring, Vertices: len(split.Names), Directed: split.Directed}
	score, dim, err := p.score(c.Context, split, e, scoring)
	if err != nil {
		return err
	}
	doc.Dim, doc.AUC, doc.AUCRandom = dim, score.AUC, score.AUCRandom
	if r, err := recordOf(path); err == nil { // also of a file in the folder of a run
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

// severalScorings are those of several vectors for each vertex.
var severalScorings = []string{eval.ScoringSum, eval.ScoringWeighted, eval.ScoringMax}

// scoring returns how links are scored: as is asked, or for native as the record of the embedding's run says, or as is usual. It returns an
// error where the embedding has not what that needs; what DeepWalk leaves beside its vectors are contexts.
func (e *embedding) scoring(asked, usual string) (string, error) {
	if asked == scoringNative {
		if asked = usual; e.Record != nil && e.MultiVectors != nil && slices.Contains(severalScorings, e.Record.Scoring) {
			asked = e.Record.Scoring
		}
	}
	if !slices.Contains(severalScorings, asked) {
		return asked, nil
	}
	if m, err := methods.Find(e.method); err == nil && !slices.Contains(m.Scorings, asked) {
		return "", badf("--scoring %s: %s holds a run of %s: want %s", asked, e.path, e.method, strings.Join(m.Scorings, ", "))
	}
	s, err := e.multiEmbedding()
	switch {
	case err != nil:
		return "", fmt.Errorf("--scoring %s: %w", asked, err)
	case asked == eval.ScoringWeighted && s.Share == nil:
		return "", badf("--scoring %s: %s has no weights of vectors (%s in a run's folder): want --scoring %s", asked, e.path, vectors.ShareFile, eval.ScoringSum)
	}
	return asked, nil
}

// score scores an embedding by the test links of a split: one vector for each vertex by a classifier, or several by their cosines.
func (p *program) score(ctx context.Context, split *network.Split, e *embedding, scoring string) (score eval.Score, dim int, err error) {
	var aligned graphs.Embedding
	if scoring == eval.ScoringLR {
		v, err := e.Table(vectors.TableFinal)
		if err == nil {
			v, err = v.Align(split.Names)
		}
		if err != nil {
			return score, 0, bad(err)
		}
		aligned = graphs.Embedding{D: v.D, Final: v.Data}
	} else {
		m, err := e.MultiVectors.Align(split.Names)
		if err != nil {
			return score, 0, bad(err)
		}
		aligned = graphs.Embedding{D: m.D, Vectors: m.Data, First: m.First, Share: m.Share}
	}
	score, err = run.Measure(ctx, split, aligned, scoring, p.threads)
	return score, aligned.D, err
}
