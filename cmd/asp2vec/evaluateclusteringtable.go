package main

import (
	"bytes"
	"fmt"

	"github.com/asp2vec/asp2vec/results/render"
	"github.com/urfave/cli/v2"
)

// clusteringTable is what evaluate clustering prints of several embeddings with --json.
type clusteringTable struct {
	Models []clusteringEvaluation `json:"models"`
	Tables []render.Table         `json:"tables"`
}

// evaluateClusteringTable compares embeddings whose clusters are to match the same labels.
func (p *program) evaluateClusteringTable(c *cli.Context) error {
	models, settings, err := p.modelSettings(c)
	if err != nil {
		return err
	}
	var doc clusteringTable
	for i, e := range models {
		evaluation, err := p.clusteringEvaluation(c, e)
		if err != nil {
			return err
		}
		if first := doc.Models; i > 0 && (evaluation.Vertices != first[0].Vertices || evaluation.Count != first[0].Count) {
			return otherLabels(first[0].Model, first[0].Count, first[0].Vertices, e.path, evaluation.Count, evaluation.Vertices)
		}
		p.log.Info("clustered", "model", e.path, "number", i+1, "of", len(models))
		doc.Models = append(doc.Models, evaluation)
	}
	doc.Tables = []render.Table{tableOfClusters(settings, doc.Models)}
	if p.json {
		return p.emit(doc, nil)
	}
	var b bytes.Buffer
	if err := render.WriteAll(&b, doc.Tables, c.String("format")); err != nil {
		return bad(err)
	}
	return p.printAs(c.String("format"), b.Bytes())
}

// tableOfClusters has a row for each setting and table of its vectors.
func tableOfClusters(settings []*settingRuns, models []clusteringEvaluation) render.Table {
	first := models[0]
	t := render.Table{Name: "clustering", Title: "Clusters of vectors against labels", Corner: "vectors (dimensions)", Columns: []string{"NMI", "of the tightest", "by chance"}, Notes: []string{
		fmt.Sprintf("%d clusters, %s labels of %s vertices. Mean ± standard deviation over runs of training that differ in their seed alone, each the mean over %s of k-means.",
			first.Clusters, count(first.Count), count(first.Vertices), many(first.Runs, "run")),
		"of the tightest: of that run of k-means whose clusters are tightest; by chance: of its clusters with labels dealt out at random.",
	}}
	for _, s := range settings {
		for i, v := range models[s.models[0]].Vectors {
			row := render.Row{Label: fmt.Sprintf("%s, %s (%d)", s.name, v.Vectors, v.Dim)}
			for _, score := range []func(clusteredVectors) float64{
				func(v clusteredVectors) float64 { return v.NMI }, func(v clusteredVectors) float64 { return v.Best }, func(v clusteredVectors) float64 { return v.Chance },
			} {
				row.Values = append(row.Values, s.value(func(model int) float64 { return score(models[model].Vectors[i]) }))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
