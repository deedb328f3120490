package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/results/render"
)

func (p *program) evaluateClusteringCommand() *cli.Command {
	return &cli.Command{
		Name:      "clustering",
		ArgsUsage: modelArgument,
		Usage:     "how well clusters of the vectors agree with labels: NMI",
		Description: "Runs k-means with as many clusters as labels, from several seeds. Each vertex must have one label.\n\n" +
			example("asp2vec evaluate clustering --model links.asp2vec --labels labels.tsv", "asp2vec evaluate clustering --model links.asp2vec --labels labels.tsv --vectors all --clusters 20"),
		Flags: append(embeddingFlags(), vectorsFlag("; all for a table of all kinds"),
			runLabelsFlag(), labelsFromFlag(),
			&cli.StringFlag{Name: "network", Usage: "`FILE` of the network for --labels-from", DefaultText: "the file of the run's network"},
			atLeast(1, cli.IntFlag{Name: "clusters", DefaultText: "as many as labels", Usage: "`K` clusters"}),
			atLeast(1, cli.IntFlag{Name: "runs", Value: 10, Usage: "run k-means `N` times, with seeds SEED to SEED+N-1"}),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "first `SEED`"},
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
	return evaluateModel(p, c, func(e *embedding) (clusteringEvaluation, error) { return p.clusteringEvaluation(c, e) })
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
			return doc, badf("%s: vertex %q has the labels %s: expected one label per vertex", doc.Labels, l.show(int32(v)), joined(l.names, list))
		case list != nil:
			truth = append(truth, list[0])
			seen[list[0]] = true
		}
	}
	if doc.Count, doc.Vertices = len(seen), len(truth); doc.Clusters == 0 {
		doc.Clusters = doc.Count
	}
	if doc.Clusters > doc.Vertices {
		return doc, badf("--clusters %d with %d labelled vertices: expected at most as many clusters", doc.Clusters, doc.Vertices)
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

func (d clusteringEvaluation) write(b *printout) {
	var rows [][]string
	for _, v := range d.Vectors {
		rows = append(rows, []string{v.Vectors, count(v.Dim), fmt.Sprintf("%.4f ± %.4f", v.NMI, v.SD), fmt.Sprintf("%.4f", v.Best), fmt.Sprintf("%.4f", v.Chance)})
	}
	b.table(1, []string{"vectors", "dim", "NMI", "of the tightest", "by chance"}, rows)
	b.printf("\n%d clusters, %s labels of %s vertices; mean ± standard deviation over %s of k-means. By chance: with the labels shuffled.\n",
		d.Clusters, count(d.Count), count(d.Vertices), many(d.Runs, "run"))
}
