package main

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/urfave/cli/v2"
)

// labelsTable is what evaluate labels prints of several embeddings with --json.
type labelsTable struct {
	Models []labelsEvaluation `json:"models"`
	Tables []render.Table     `json:"tables"` // micro F1, macro F1
}

// evaluateLabelsTable compares embeddings that each predict the same labels.
func (p *program) evaluateLabelsTable(c *cli.Context, o eval.ClassifyOptions) error {
	models, settings, err := p.modelSettings(c)
	if err != nil {
		return err
	}
	var doc labelsTable
	for i, e := range models {
		evaluation, err := p.labelsEvaluation(c, e, o)
		if err != nil {
			return err
		}
		if first := doc.Models; i > 0 && (evaluation.Vertices != first[0].Vertices || evaluation.Count != first[0].Count) {
			return otherLabels(first[0].Model, first[0].Count, first[0].Vertices, e.path, evaluation.Count, evaluation.Vertices)
		}
		p.log.Info("classified", "model", e.path, "number", i+1, "of", len(models))
		doc.Models = append(doc.Models, evaluation)
	}
	doc.Tables = []render.Table{
		tableOfLabels("micro-f1", "Micro F1", settings, doc.Models, func(f eval.F1) float64 { return f.Micro }),
		tableOfLabels("macro-f1", "Macro F1", settings, doc.Models, func(f eval.F1) float64 { return f.Macro }),
	}
	if p.json {
		return p.emit(doc, nil)
	}
	var b bytes.Buffer
	if err := render.WriteAll(&b, doc.Tables, c.String("format")); err != nil {
		return bad(err)
	}
	return p.printAs(c.String("format"), b.Bytes())
}

// tableOfLabels has a row for each setting and table of its vectors, and a column for each share of the vertices.
func tableOfLabels(name, title string, settings []*settingRuns, models []labelsEvaluation, f1 func(eval.F1) float64) render.Table {
	first := models[0]
	t := render.Table{Name: name, Title: title + " of labels, learnt from a share of the vertices", Corner: "vectors (dimensions)", Notes: []string{
		fmt.Sprintf("%s labels of %s vertices. Mean ± standard deviation over runs that differ in their seed alone, each the mean over %s.",
			count(first.Count), count(first.Vertices), many(first.Vectors[0].Shares[0].Splits, "random split")),
		"frequent labels: those that most training vertices have, whatever the vectors say.",
	}}
	for _, share := range first.Vectors[0].Shares {
		t.Columns = append(t.Columns, strconv.FormatFloat(share.Share, 'g', 4, 64))
	}
	for _, s := range settings {
		for i, v := range models[s.models[0]].Vectors {
			row := render.Row{Label: fmt.Sprintf("%s, %s (%d)", s.name, v.Vectors, v.Dim)}
			for j := range v.Shares {
				row.Values = append(row.Values, s.value(func(model int) float64 { return f1(models[model].Vectors[i].Shares[j].F1) }))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	frequent := render.Row{Label: "frequent labels"}
	for _, share := range first.Vectors[0].Shares {
		frequent.Values = append(frequent.Values, render.Value{Mean: f1(share.Frequent), N: 1})
	}
	t.Rows = append(t.Rows, frequent)
	return t
}
