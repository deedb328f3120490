package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/results/render"
)

func (p *program) evaluateLabelsCommand() *cli.Command {
	return &cli.Command{
		Name:      "labels",
		ArgsUsage: "[MODEL ...]",
		Usage:     "measure classification: how well vectors predict labels of vertices (micro and macro F1)",
		Description: "Trains one logistic regression per label (one-vs-rest) on 10 to 90 % of the vertices, over random splits. A test vertex gets as\n" +
			"many labels as it has, as in the papers of DeepWalk and node2vec. Vectors are scaled, so the penalty has the same weight for all.\n" +
			"The last column is a baseline: the most frequent labels of the training vertices. A line of the file is a vertex\n" +
			"and a label, separated by a tab; a vertex with several labels has several lines. The default file is\n" +
			"labels.tsv.gz (or labels.tsv) in the run's data set, or beside its split or edge list.\n\n" +
			"For several models, prints tables of micro and macro F1 with a row for each method; models that differ only in their seed\n" +
			"are averaged, with the standard deviation.\n\n" +
			example("asp2vec evaluate labels --model runs/mine", "asp2vec evaluate labels --model runs/mine --labels labels.tsv",
				"asp2vec evaluate labels --model runs/mine --labels labels.tsv --vectors all --shares 0.1,0.5,0.9",
				"asp2vec evaluate labels deepwalk-1 deepwalk-2 asp2vec-1 asp2vec-2 --labels labels.tsv --format markdown"),
		Flags: append(embeddingFlags(), vectorsFlag("; all for a table of all kinds"),
			runLabelsFlag(),
			&cli.StringFlag{Name: "shares", Value: "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9", Usage: "train on these `SHARES` of the vertices, separated by commas"},
			atLeast(1, cli.IntFlag{Name: "splits", Value: 10, Usage: "`N` random splits per share"}),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of the splits"},
			&cli.Float64Flag{Name: "weight", Value: 1, Usage: "inverse regularization strength `C` of the regressions, > 0"},
			formatFlag("`FORMAT` of the tables of several models: "),
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
}

// shares reads the numbers of --shares.
func shares(text string) (out []float64, err error) {
	for _, f := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(f), 64)
		if err != nil || !(x > 0 && x < 1) {
			return nil, badf("--shares %q: want numbers between 0 and 1, separated by commas", text)
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
		return badf("--weight %v: want a number above 0", o.C)
	}
	return evaluateModels(p, c, "classified", func(e *embedding) (labelsEvaluation, error) { return p.labelsEvaluation(c, e, o) }, tablesOfLabels)
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
		doc.Vectors = append(doc.Vectors, classifiedVectors{vectorKind{name, some.D}, done})
	}
	return doc, nil
}

func (d labelsEvaluation) write(b *bytes.Buffer) error {
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
		if i > 0 {
			b.WriteByte('\n')
		}
		if err := table(b, 1, header, rows); err != nil {
			return err
		}
	}
	fmt.Fprintf(b, "\n%s labels of %s vertices; mean ± standard deviation over %s. Frequent labels: the most frequent labels of the training vertices.\n",
		count(d.Count), count(d.Vertices), many(d.Vectors[0].Shares[0].Splits, "random split"))
	return nil
}

func (p *program) evaluateClusteringCommand() *cli.Command {
	return &cli.Command{
		Name:      "clustering",
		ArgsUsage: "[MODEL ...]",
		Usage:     "compare clusters of the vectors with labels of the vertices: normalised mutual information (NMI)",
		Description: "Runs k-means with as many clusters as labels, from several seeds. Each vertex must have one label.\n\n" +
			"For several models, prints a table with a row for each method; models that differ only in their seed are averaged,\n" +
			"with the standard deviation.\n\n" +
			example("asp2vec evaluate clustering --model runs/mine --labels labels.tsv", "asp2vec evaluate clustering --model runs/mine --labels labels.tsv --vectors all --clusters 20",
				"asp2vec evaluate clustering deepwalk-1 deepwalk-2 asp2vec-1 asp2vec-2 --labels labels.tsv --format latex"),
		Flags: append(embeddingFlags(), vectorsFlag("; all for a table of all kinds"),
			runLabelsFlag(),
			atLeast(1, cli.IntFlag{Name: "clusters", DefaultText: "as many as labels", Usage: "`K` clusters"}),
			atLeast(1, cli.IntFlag{Name: "runs", Value: 10, Usage: "run k-means `N` times, with seeds SEED to SEED+N-1"}),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "first `SEED`"},
			formatFlag("`FORMAT` of the table of several models: "),
		),
		Action: p.evaluateClustering,
	}
}

// clusteringEvaluation is what evaluate clustering prints with --json.
type clusteringEvaluation struct {
	byLabels
	Clusters int                `json:"clusters"`
	Runs     int                `json:"runs"`
	Seed     uint64             `json:"seed"`
	Vectors  []clusteredVectors `json:"vectors"`
}

type clusteredVectors struct {
	vectorKind
	NMI    float64 `json:"nmi"` // mean over the runs
	SD     float64 `json:"nmi_sd"`
	Best   float64 `json:"nmi_of_least_inertia"` // of the run whose clusters are tightest
	Chance float64 `json:"nmi_by_chance"`        // of its clusters with the labels shuffled
}

func (p *program) evaluateClustering(c *cli.Context) error {
	return evaluateModels(p, c, "clustered", func(e *embedding) (clusteringEvaluation, error) { return p.clusteringEvaluation(c, e) }, tablesOfClusters)
}

// clusteringEvaluation measures the vectors of an embedding that --vectors names by the labels that --labels names.
func (p *program) clusteringEvaluation(c *cli.Context, e *embedding) (doc clusteringEvaluation, err error) {
	l, err := p.labelled(c, e)
	if err != nil {
		return doc, err
	}
	doc = clusteringEvaluation{byLabels: byLabels{Model: l.path, Method: l.method, Labels: l.file}, Clusters: c.Int("clusters"), Runs: c.Int("runs"), Seed: c.Uint64("seed")}
	var truth []int32
	seen := map[int32]bool{}
	for v, list := range l.of {
		switch {
		case len(list) > 1:
			return doc, badf("%s: vertex %q has the labels %s: want one label per vertex", doc.Labels, l.show(int32(v)), joined(l.names, list))
		case list != nil:
			truth = append(truth, list[0])
			seen[list[0]] = true
		}
	}
	if doc.Count, doc.Vertices = len(seen), len(truth); doc.Clusters == 0 {
		doc.Clusters = doc.Count
	}
	if doc.Clusters > doc.Vertices {
		return doc, badf("--clusters %d with %d labelled vertices: want at most as many clusters", doc.Clusters, doc.Vertices)
	}
	for _, name := range l.tables {
		some, _, err := l.vectors(name)
		if err != nil {
			return doc, err
		}
		one := clusteredVectors{vectorKind: vectorKind{name, some.D}}
		var nmis []float64
		var best []int32
		least := 0.
		for i := range doc.Runs {
			cluster, inertia, err := eval.KMeans(c.Context, some, doc.Clusters, doc.Seed+uint64(i), p.threads)
			if err != nil {
				return doc, bad(err)
			}
			nmi, err := eval.NMI(cluster, truth)
			if err != nil {
				return doc, err
			}
			nmis = append(nmis, nmi)
			if best == nil || inertia < least {
				best, least, one.Best = cluster, inertia, nmi
			}
		}
		over := render.ValueOf(nmis)
		one.NMI, one.SD = over.Mean, over.SD
		const draws = 20
		if one.Chance, _, err = eval.Chance(eval.NMI, truth, best, draws, rng.New(doc.Seed, "chance")); err != nil {
			return doc, err
		}
		doc.Vectors = append(doc.Vectors, one)
	}
	return doc, nil
}

func (d clusteringEvaluation) write(b *bytes.Buffer) error {
	var rows [][]string
	for _, v := range d.Vectors {
		rows = append(rows, []string{v.Vectors, count(v.Dim), fmt.Sprintf("%.4f ± %.4f", v.NMI, v.SD), fmt.Sprintf("%.4f", v.Best), fmt.Sprintf("%.4f", v.Chance)})
	}
	if err := table(b, 1, []string{"vectors", "dim", "NMI", "of the tightest", "by chance"}, rows); err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%d clusters, %s labels of %s vertices; mean ± standard deviation over %s of k-means. By chance: with the labels shuffled.\n",
		d.Clusters, count(d.Count), count(d.Vertices), many(d.Runs, "run"))
	return nil
}
