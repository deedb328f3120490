package main

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// byLabels is what the evaluations of an embedding by labels of its vertices begin with.
type byLabels struct {
	Model    string `json:"model"`
	Method   string `json:"method,omitempty"`
	Labels   string `json:"labels"`
	Count    int    `json:"labels_count"`
	Vertices int    `json:"vertices"` // with labels
}

func (l byLabels) labels() byLabels { return l }

// vectorKind names the vectors of an embedding that are measured.
type vectorKind struct {
	Vectors string `json:"vectors"`
	Dim     int    `json:"dim"`
}

func (k vectorKind) kind() vectorKind { return k }

// evaluationTable is what a command that measures several embeddings prints with --json.
type evaluationTable[E any] struct {
	Models []E            `json:"models"`
	Tables []render.Table `json:"tables"`
}

// severalModelsText says in the help of such a command what it does with several models.
const severalModelsText = "For several models, prints a table with a row for each method; models that differ only in their seed are averaged,\n" +
	"with the standard deviation.\n\n"

// evaluateModels measures the embedding that a command names by labels, and prints its evaluation; or all of several by the same labels,
// and prints the tables of their evaluations. done is logged after each.
func evaluateModels[E interface {
	labels() byLabels
	write(*printout)
}](p *program, c *cli.Context, done string, evaluate func(*embedding) (E, error), tables func([]*settingRuns, []E) []render.Table) error {
	several := c.NArg() > 1 || c.NArg() == 1 && c.IsSet("format")
	if !several {
		e, err := p.embeddingArg(c)
		if err != nil {
			return err
		}
		doc, err := evaluate(e)
		if err != nil {
			return err
		}
		return p.emit(doc, doc.write)
	}
	if c.IsSet("model") {
		return badf("%s and --model %s: want all embeddings after the command", c.Args().First(), c.String("model"))
	}
	models, settings, err := p.modelSettings(c)
	if err != nil {
		return err
	}
	var doc evaluationTable[E]
	for i, e := range models {
		evaluation, err := evaluate(e)
		if err != nil {
			return err
		}
		doc.Models = append(doc.Models, evaluation)
		if a, b := doc.Models[0].labels(), evaluation.labels(); a.Vertices != b.Vertices || a.Count != b.Count {
			return badf("%s has %s labels of %s vertices and %s has %s of %s: want embeddings of the same vertices",
				a.Model, count(a.Count), count(a.Vertices), e.path, count(b.Count), count(b.Vertices))
		}
		p.log.Info(done, "model", e.path, "number", i+1, "of", len(models))
	}
	doc.Tables = tables(settings, doc.Models)
	if p.json {
		return p.emit(doc, nil)
	}
	return p.printTables(c.String("format"), doc.Tables...)
}

// settingRows returns a row for each setting and kind of its vectors, with a value for each score over the runs of the setting.
func settingRows[V interface{ kind() vectorKind }](settings []*settingRuns, vectors func(model int) []V, scores []func(V) float64) (rows []render.Row) {
	for _, s := range settings {
		for i, v := range vectors(s.models[0]) {
			row := render.Row{Label: fmt.Sprintf("%s, %s (%d)", s.name, v.kind().Vectors, v.kind().Dim)}
			for _, score := range scores {
				x := seq.Map(s.models, func(model int) float64 { return score(vectors(model)[i]) })
				row.Values = append(row.Values, render.ValueOf(x))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// tablesOfLabels are of micro F1 and of macro F1.
func tablesOfLabels(settings []*settingRuns, models []labelsEvaluation) []render.Table {
	return []render.Table{
		tableOfLabels("micro-f1", "Micro F1", settings, models, func(f eval.F1) float64 { return f.Micro }),
		tableOfLabels("macro-f1", "Macro F1", settings, models, func(f eval.F1) float64 { return f.Macro }),
	}
}

// tableOfLabels has a column for each share of the vertices, and below a row for the labels that are most frequent.
func tableOfLabels(name, title string, settings []*settingRuns, models []labelsEvaluation, f1 func(eval.F1) float64) render.Table {
	first := models[0]
	t := render.Table{Name: name, Title: title + " of labels by the share of labelled vertices", Corner: "vectors (dimensions)", Notes: []string{
		fmt.Sprintf("%s labels of %s vertices. Mean ± standard deviation over runs that differ only in their seed, each the mean over %s.",
			count(first.Count), count(first.Vertices), many(first.Vectors[0].Shares[0].Splits, "random split")),
		"frequent labels: the most frequent labels of the training vertices, whatever the vectors.",
	}}
	var scores []func(classifiedVectors) float64
	frequent := render.Row{Label: "frequent labels"}
	for i, share := range first.Vectors[0].Shares {
		t.Columns = append(t.Columns, strconv.FormatFloat(share.Share, 'g', 4, 64))
		scores = append(scores, func(v classifiedVectors) float64 { return f1(v.Shares[i].F1) })
		frequent.Values = append(frequent.Values, render.ValueOf([]float64{f1(share.Frequent)}))
	}
	t.Rows = append(settingRows(settings, func(model int) []classifiedVectors { return models[model].Vectors }, scores), frequent)
	return t
}

// tablesOfClusters are one table, with a column for each score.
func tablesOfClusters(settings []*settingRuns, models []clusteringEvaluation) []render.Table {
	first := models[0]
	return []render.Table{{
		Name: "clustering", Title: "Clusters of vectors against labels", Corner: "vectors (dimensions)", Columns: []string{"NMI", "of the tightest", "by chance"},
		Rows: settingRows(settings, func(model int) []clusteredVectors { return models[model].Vectors }, []func(clusteredVectors) float64{
			func(v clusteredVectors) float64 { return v.NMI }, func(v clusteredVectors) float64 { return v.Best }, func(v clusteredVectors) float64 { return v.Chance },
		}),
		Notes: []string{
			fmt.Sprintf("%d clusters, %s labels of %s vertices. Mean ± standard deviation over runs of training that differ only in their seed, each the mean over %s of k-means.",
				first.Clusters, count(first.Count), count(first.Vertices), many(first.Runs, "run")),
			"of the tightest: of the run of k-means with the tightest clusters; by chance: of its clusters with the labels shuffled.",
		},
	}}
}
