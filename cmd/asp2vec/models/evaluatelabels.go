package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/seq"
)

func (p program) evaluateLabelsCommand() *cli.Command {
	return &cli.Command{
		Name:      "labels",
		ArgsUsage: shell.ModelArgument,
		Usage:     "how well vectors predict labels of vertices: micro and macro F1, and NMI",
		Description: "Trains one logistic regression per label (one-vs-rest) on 10 to 90 % of the vertices, over random splits. A test vertex gets as\n" +
			"many labels as it has, as in the papers of DeepWalk and node2vec. Vectors are scaled, so the penalty has the same weight for all.\n" +
			"The last column is a baseline: the most frequent labels of the training vertices. NMI, of networks whose\n" +
			"vertices have one label each, is that of k-means with as many clusters as labels. A line of the file is a vertex\n" +
			"and a label, separated by a tab; a vertex with several labels has several lines. The default file is\n" +
			"labels.tsv.gz (or labels.tsv) in the run's data set, or beside its split or edge list.\n\n" +
			shell.Example("asp2vec evaluate labels --model links.asp2vec", "asp2vec evaluate labels --model links.asp2vec --labels labels.tsv",
				"asp2vec evaluate labels --model links.asp2vec --labels-from club", "asp2vec evaluate labels --model links.asp2vec --labels people.csv --labels-from club",
				"asp2vec evaluate labels --model links.asp2vec --labels labels.tsv --vectors all --shares 0.1,0.5,0.9"),
		Flags: append(append(append(embeddingFlags(), vectorsFlag("; all for a table of all kinds")), labelsFlags("", runLabels)...),
			shell.NewFlag("network", "", "`FILE` of the network for --labels-from", "", "the file of the run's network"),
			shell.NewFlag("shares", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9", "train on these `SHARES` of the vertices, separated by commas"),
			shell.CountFlag("splits", 10, "`N` random splits per share"),
			shell.NewFlag("seed", uint64(1), "`SEED` of the splits"),
			shell.NewFlag("weight", 1., "inverse regularization strength `C` of the regressions, > 0"),
		),
		Action: p.evaluateLabels,
	}
}

// classifiedVectors is what a table of vectors comes to.
type classifiedVectors struct {
	Vectors string            `json:"vectors"`
	Dim     int               `json:"dim"`
	Shares  []eval.Classified `json:"shares"`
	NMI     *float64          `json:"nmi,omitempty"` // of clusters, as many as labels, with these; none where a vertex has several
}

// shares reads the numbers of --shares.
func shares(text string) (out []float64, err error) {
	for _, f := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || !(x > 0 && x < 1) {
			return nil, shell.Badf("--shares %q: expected numbers between 0 and 1, separated by commas", text)
		}
		out = append(out, x)
	}
	return out, nil
}

func (p program) evaluateLabels(c *cli.Context) error {
	o := eval.ClassifyOptions{Splits: c.Int("splits"), Seed: c.Uint64("seed"), C: c.Float64("weight"), Threads: p.Threads}
	var err error
	if o.Shares, err = shares(c.String("shares")); err != nil {
		return err
	}
	if !(o.C > 0) || math.IsInf(o.C, 0) {
		return shell.Badf("--weight %v: expected a number above 0", o.C)
	}
	return p.evaluateModel(c, func(e *embedding, d *shell.Doc) error { return p.byLabels(c, e, o, d) })
}

// evaluateModel prints what an evaluation says of the embedding that a command names.
func (p program) evaluateModel(c *cli.Context, evaluate func(*embedding, *shell.Doc) error) error {
	e, err := p.embedding(c)
	if err != nil {
		return err
	}
	d := p.Answer()
	d.Facts("model", e.path, "method", e.method)
	if err := evaluate(e, d); err != nil {
		return err
	}
	return p.Show(d)
}

// byLabels measures the vectors that --vectors names by the labels that --labels names.
func (p program) byLabels(c *cli.Context, e *embedding, o eval.ClassifyOptions, d *shell.Doc) error {
	tables, err := e.tables(c.String("vectors"))
	if err != nil {
		return err
	}
	of, names, file, err := p.labelsOf(c, e)
	if err != nil {
		return err
	}
	if len(names) < 2 {
		return shell.Badf("%s: all vertices have the label %q: expected at least two labels", file, names[0])
	}
	labels := seq.Filter(of, func(list []int32) bool { return list != nil })
	one := !slices.ContainsFunc(labels, func(list []int32) bool { return len(list) > 1 })
	var all []classifiedVectors
	for _, name := range tables {
		table, err := e.table(name)
		if err != nil {
			return err
		}
		some := eval.Embedding{N: len(labels), D: table.D}
		for v, list := range of {
			if list != nil {
				some.Data = append(some.Data, table.Row(v)...)
			}
		}
		done, err := eval.Classify(c.Context, some, labels, len(names), o)
		if err != nil {
			return shell.Bad(err)
		}
		p.Log.Debug("classified", "vectors", name)
		x := classifiedVectors{name, some.D, done, nil}
		if one {
			cluster, _, err := eval.KMeans(c.Context, some, len(names), o.Seed, p.Threads)
			if err != nil {
				return shell.Bad(err)
			}
			nmi, err := eval.NMI(cluster, slices.Concat(labels...))
			if err != nil {
				return err
			}
			x.NMI = &nmi
		}
		all = append(all, x)
	}
	d.Facts("labels", file, "labels_count", len(names), "vertices", len(labels), "splits", o.Splits, "seed", o.Seed, "weight", o.C, "vectors", all)
	learnt := seq.Map(all[0].Shares, func(s eval.Classified) string {
		return fmt.Sprintf("%.4g %%, %s", 100*s.Share, shell.Many(s.Train, "vertex"))
	})
	f1Table(d, "micro F1", learnt, all, func(f eval.F1) float64 { return f.Micro })
	f1Table(d, "macro F1", learnt, all, func(f eval.F1) float64 { return f.Macro })
	if one {
		d.Rows(seq.Map(all, func(x classifiedVectors) []any { return []any{x.Vectors, shell.AUC(*x.NMI)} }), "as many clusters as labels", "NMI")
	}
	d.Say("%s labels of %s vertices; mean ± standard deviation over random splits. Frequent labels: the most frequent labels of the training vertices.", shell.Count(len(names)), shell.Count(len(labels)))
	return nil
}

// f1Table has a row for each share of the vertices that was learnt from, and a column for each kind of vectors.
func f1Table(d *shell.Doc, name string, learnt []string, all []classifiedVectors, of func(eval.F1) float64) {
	header := []string{name + ", learnt from"}
	for _, x := range all {
		header = append(header, fmt.Sprintf("%s (%d)", x.Vectors, x.Dim))
	}
	var rows [][]any
	for j, share := range all[0].Shares {
		row := []any{learnt[j]}
		for _, x := range all {
			row = append(row, shell.Spread{Mean: of(x.Shares[j].F1), SD: of(x.Shares[j].SD)})
		}
		rows = append(rows, append(row, shell.AUC(of(share.Frequent))))
	}
	d.Rows(rows, append(header, "frequent labels")...)
}
