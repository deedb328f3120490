package main

import (
	"fmt"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

func (p *program) similarCommand() *cli.Command {
	return &cli.Command{
		Name:      "similar",
		Usage:     "compare two vertices: cosines of their vectors and aspects, and the score of a link",
		ArgsUsage: "VERTEX VERTEX",
		Description: example("asp2vec similar 17 42 --model runs/mine",
			"asp2vec similar 17 42 --model runs/mine --split data/cora/split   # with the probability of a link"),
		Flags:  append(append(embeddingFlags(), sourceFlags()...), scoringFlag()),
		Action: p.similar,
	}
}

// similarity is what similar prints with --json.
type similarity struct {
	Model       string      `json:"model"`
	A           string      `json:"a"`
	B           string      `json:"b"`
	Final       float64     `json:"final"` // cosines
	Center      *float64    `json:"center,omitempty"`
	Aspects     [][]float64 `json:"aspects,omitempty"` // rows are those of A
	Scoring     string      `json:"scoring"`
	Score       float64     `json:"score"`
	Probability *float64    `json:"probability,omitempty"`
	Linked      *bool       `json:"linked,omitempty"` // in the training network, where that is known
	Other       *otherData  `json:"trained_on_other_data,omitempty"`
}

func (p *program) similar(c *cli.Context) error {
	e, vs, err := p.asked(c)
	if err != nil {
		return err
	}
	links, scorer, err := p.linkScorer(c, e)
	if err != nil {
		return err
	}
	u, v := vs[0], vs[1]
	score, err := scorer.Score([]network.Link{{From: u, To: v}})
	if err != nil {
		return err
	}
	doc := similarity{Model: e.path, A: e.Names[u], B: e.Names[v], Scoring: scorer.Scoring, Score: score[0], Probability: probability(scorer.Scoring, score[0])}
	if links != nil {
		is := links.has(u, v)
		doc.Linked, doc.Other = &is, links.other
	}
	for _, name := range []string{vectors.TableFinal, vectors.TableCenter} {
		t, err := e.table(name)
		if err != nil {
			continue // no centres
		}
		x := eval.Cosine(t.Row(int(u)), t.Row(int(v)))
		if name == vectors.TableFinal {
			doc.Final = x
		} else {
			doc.Center = &x
		}
	}
	if e.MultiVectors != nil {
		s, err := e.multiEmbedding()
		if err != nil {
			return err
		}
		for r := int(s.First[u]); r < int(s.First[u+1]); r++ {
			row := []float64{}
			for q := int(s.First[v]); q < int(s.First[v+1]); q++ {
				row = append(row, eval.Cosine(s.Data[r*s.D:(r+1)*s.D], s.Data[q*s.D:(q+1)*s.D]))
			}
			doc.Aspects = append(doc.Aspects, row)
		}
	}
	return p.emit(doc, doc.write)
}

// probability is that of a link, where the score is of a classifier.
func probability(scoring string, score float64) *float64 {
	if scoring != eval.ScoringLR {
		return nil
	}
	x := eval.Probability(score)
	return &x
}

func (s similarity) write(b *printout) {
	rows := [][]string{{"cosine of the final vectors", fmt.Sprintf("%.4f", s.Final)}}
	if s.Center != nil {
		rows = append(rows, []string{"cosine of the centre vectors", fmt.Sprintf("%.4f", *s.Center)})
	}
	rows = append(rows, []string{"score of a link (" + s.Scoring + ")", fmt.Sprintf("%.4f", s.Score)})
	if s.Probability != nil {
		rows = append(rows, []string{"probability of a link", fmt.Sprintf("%.4f", *s.Probability)})
	}
	if s.Linked != nil {
		rows = append(rows, []string{"linked in training", yesNo(*s.Linked)})
	}
	b.table(1, []string{printable(s.A) + " and " + printable(s.B), ""}, rows)
	b.printf("\nScore: %s.\n", scoringWords(s.Scoring))
	if len(s.Aspects) == 0 || len(s.Aspects[0]) == 0 {
		return
	}
	const widest = 12 // personas may be hundreds
	if len(s.Aspects) > widest || len(s.Aspects[0]) > widest {
		b.printf("%d and %d aspects; --json prints all their cosines.\n", len(s.Aspects), len(s.Aspects[0]))
		return
	}
	header := []string{"cosine of aspects"}
	for k := range s.Aspects[0] {
		header = append(header, fmt.Sprintf("%s, %d", printable(s.B), k+1))
	}
	rows = nil
	for k, of := range s.Aspects {
		row := []string{fmt.Sprintf("%s, %d", printable(s.A), k+1)}
		for _, x := range of {
			row = append(row, twoDigits(x))
		}
		rows = append(rows, row)
	}
	b.WriteByte('\n')
	b.table(1, header, rows)
}

// twoDigits writes a cosine, and 0 without a sign.
func twoDigits(x float64) string {
	if s := fmt.Sprintf("%.2f", x); s != "-0.00" {
		return s
	}
	return "0.00"
}
