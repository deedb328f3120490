package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
)

func (p *program) evaluateLabelsCommand() *cli.Command {
	return &cli.Command{
		Name:      "labels",
		ArgsUsage: modelArgument,
		Usage:     "how well vectors predict labels of vertices: micro and macro F1, and NMI",
		Description: "Trains one logistic regression per label (one-vs-rest) on 10 to 90 % of the vertices, over random splits. A test vertex gets as\n" +
			"many labels as it has, as in the papers of DeepWalk and node2vec. Vectors are scaled, so the penalty has the same weight for all.\n" +
			"The last column is a baseline: the most frequent labels of the training vertices. NMI, of networks whose\n" +
			"vertices have one label each, is that of k-means with as many clusters as labels. A line of the file is a vertex\n" +
			"and a label, separated by a tab; a vertex with several labels has several lines. The default file is\n" +
			"labels.tsv.gz (or labels.tsv) in the run's data set, or beside its split or edge list.\n\n" +
			example("asp2vec evaluate labels --model links.asp2vec", "asp2vec evaluate labels --model links.asp2vec --labels labels.tsv",
				"asp2vec evaluate labels --model links.asp2vec --labels-from club", "asp2vec evaluate labels --model links.asp2vec --labels people.csv --labels-from club",
				"asp2vec evaluate labels --model links.asp2vec --labels labels.tsv --vectors all --shares 0.1,0.5,0.9"),
		Flags: append(embeddingFlags(), vectorsFlag("; all for a table of all kinds"),
			runLabelsFlag(), labelsFromFlag(),
			&cli.StringFlag{Name: "network", Usage: "`FILE` of the network for --labels-from", DefaultText: "the file of the run's network"},
			&cli.StringFlag{Name: "shares", Value: "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9", Usage: "train on these `SHARES` of the vertices, separated by commas"},
			atLeast(1, cli.IntFlag{Name: "splits", Value: 10, Usage: "`N` random splits per share"}),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of the splits"},
			&cli.Float64Flag{Name: "weight", Value: 1, Usage: "inverse regularization strength `C` of the regressions, > 0"},
		),
		Action: p.evaluateLabels,
	}
}

// labelsEvaluation is what evaluate labels prints with --json.
type labelsEvaluation struct {
	byLabels
	Seed    uint64              `json:"seed"`
	Weight  float64             `json:"weight"`
	Vectors []classifiedVectors `json:"vectors"`
}

type classifiedVectors struct {
	vectorKind
	Shares []eval.Classified `json:"shares"`
	NMI    *float64          `json:"nmi,omitempty"` // of clusters, as many as labels, with these; none where a vertex has several
}

// shares reads the numbers of --shares.
func shares(text string) (out []float64, err error) {
	for _, f := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || !(x > 0 && x < 1) {
			return nil, badf("--shares %q: expected numbers between 0 and 1, separated by commas", text)
		}
		out = append(out, x)
	}
	return out, nil
}

func (p *program) evaluateLabels(c *cli.Context) error {
	o := eval.ClassifyOptions{Splits: c.Int("splits"), Seed: c.Uint64("seed"), C: c.Float64("weight"), Threads: p.threads}
	var err error
	if o.Shares, err = shares(c.String("shares")); err != nil {
		return err
	}
	if !(o.C > 0) || math.IsInf(o.C, 0) {
		return badf("--weight %v: expected a number above 0", o.C)
	}
	return evaluateModel(p, c, func(e *embedding) (labelsEvaluation, error) { return p.labelsEvaluation(c, e, o) })
}

// labelsEvaluation measures the vectors of an embedding that --vectors names by the labels that --labels names.
func (p *program) labelsEvaluation(c *cli.Context, e *embedding, o eval.ClassifyOptions) (doc labelsEvaluation, err error) {
	l, err := p.labelled(c, e)
	if err != nil {
		return doc, err
	}
	doc = labelsEvaluation{byLabels: byLabels{Model: l.path, Method: l.method, Labels: l.file, Count: len(l.names)}, Seed: o.Seed, Weight: o.C}
	for _, name := range l.tables {
		some, labels, err := l.vectors(name)
		if err != nil {
			return doc, err
		}
		doc.Vertices = some.N
		done, err := eval.Classify(c.Context, some, labels, len(l.names), o)
		if err != nil {
			return doc, bad(err)
		}
		p.log.Debug("classified", "vectors", name)
		one := classifiedVectors{vectorKind{name, some.D}, done, nil}
		if !slices.ContainsFunc(labels, func(of []int32) bool { return len(of) > 1 }) {
			cluster, _, err := eval.KMeans(c.Context, some, doc.Count, o.Seed, p.threads)
			if err != nil {
				return doc, bad(err)
			}
			nmi, err := eval.NMI(cluster, slices.Concat(labels...))
			if err != nil {
				return doc, err
			}
			one.NMI = &nmi
		}
		doc.Vectors = append(doc.Vectors, one)
	}
	return doc, nil
}

func (d labelsEvaluation) write(b *printout) {
	for i, f1 := range []struct {
		name string
		of   func(eval.F1) float64
	}{{"micro F1", func(f eval.F1) float64 { return f.Micro }}, {"macro F1", func(f eval.F1) float64 { return f.Macro }}} {
		header := []string{f1.name + ", learnt from"}
		for _, v := range d.Vectors {
			header = append(header, fmt.Sprintf("%s (%d)", v.Vectors, v.Dim))
		}
		header = append(header, "frequent labels")
		var rows [][]string
		for j, share := range d.Vectors[0].Shares {
			row := []string{fmt.Sprintf("%.4g %%, 1 vertex", 100*share.Share)}
			if share.Train != 1 {
				row[0] = fmt.Sprintf("%.4g %%, %s vertices", 100*share.Share, count(share.Train))
			}
			for _, v := range d.Vectors {
				s := v.Shares[j]
				row = append(row, fmt.Sprintf("%.4f ± %.4f", f1.of(s.F1), f1.of(s.SD)))
			}
			rows = append(rows, append(row, fmt.Sprintf("%.4f", f1.of(share.Frequent))))
		}
		if i > 0 && d.Vectors[0].NMI != nil {
			row := []string{"NMI of clusters"}
			for _, v := range d.Vectors {
				row = append(row, fmt.Sprintf("%.4f", *v.NMI))
			}
			rows = append(rows, append(row, ""))
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.table(1, header, rows)
	}
	b.printf("\n%s labels of %s vertices; mean ± standard deviation over %s. Frequent labels: the most frequent labels of the training vertices.\n",
		count(d.Count), count(d.Vertices), many(d.Vectors[0].Shares[0].Splits, "random split"))
}
