package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
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

// settingRuns are runs of training that differ in their seed alone, or one embedding of which that is not known.
type settingRuns struct {
	key   string
	name  string
	seeds map[uint64]string // the paths that they were read from
	runs  []labelsEvaluation
}

// evaluateLabelsTable compares embeddings that each predict the same labels.
func (p *program) evaluateLabelsTable(c *cli.Context, o eval.ClassifyOptions) error {
	var doc labelsTable
	var settings []*settingRuns
	var models []*embedding
	var of []*settingRuns // of each model
	for _, path := range c.Args().Slice() {
		e, err := p.embeddingAt(path, c.String("vertices"))
		if err != nil {
			return err
		}
		setting, err := settingOf(&settings, e)
		if err != nil {
			return err
		}
		models, of = append(models, e), append(of, setting)
	}
	for i, e := range models {
		evaluation, err := p.labelsEvaluation(c, e, o)
		if err != nil {
			return err
		}
		if i > 0 {
			if first := doc.Models[0]; evaluation.Vertices != first.Vertices || evaluation.Count != first.Count {
				return badf("%s has %s labels of %s vertices and %s has %s of %s: want embeddings of the same vertices", first.Model, count(first.Count),
					count(first.Vertices), e.path, count(evaluation.Count), count(evaluation.Vertices))
			}
		}
		p.log.Info("classified", "model", e.path, "number", i+1, "of", len(models))
		doc.Models = append(doc.Models, evaluation)
		of[i].runs = append(of[i].runs, evaluation)
	}
	nameSettings(settings)
	doc.Tables = []render.Table{
		tableOfLabels("micro-f1", "Micro F1", settings, func(f eval.F1) float64 { return f.Micro }),
		tableOfLabels("macro-f1", "Macro F1", settings, func(f eval.F1) float64 { return f.Macro }),
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

// settingOf returns the setting that an embedding is of, which is a new one unless a run with other seeds came before.
func settingOf(settings *[]*settingRuns, e *embedding) (*settingRuns, error) {
	key, seed := "file "+e.path, uint64(0)
	if e.Record != nil {
		options := map[string]json.RawMessage{}
		if err := json.Unmarshal(e.Record.Options, &options); err != nil {
			return nil, badf("%s: the options of its record: %w", e.path, err)
		}
		delete(options, "seed")
		text, err := json.Marshal(options)
		if err != nil {
			return nil, err
		}
		key, seed = e.method+string(text), e.Record.Seed
	}
	i := slices.IndexFunc(*settings, func(s *settingRuns) bool { return s.key == key })
	if i < 0 {
		name := e.method
		if e.Record == nil {
			name = e.path
		}
		i = len(*settings)
		*settings = append(*settings, &settingRuns{key: key, name: name, seeds: map[uint64]string{}})
	}
	s := (*settings)[i]
	if before, there := s.seeds[seed]; there {
		return nil, badf("%s and %s are the same run: want each once", before, e.path)
	}
	s.seeds[seed] = e.path
	return s, nil
}

// nameSettings names settings of one method by the folder of their first run too.
func nameSettings(settings []*settingRuns) {
	named := map[string]int{}
	for _, s := range settings {
		named[s.name]++
	}
	for _, s := range settings {
		if named[s.name] > 1 {
			s.name += " (" + s.runs[0].Model + ")"
		}
	}
}

// tableOfLabels has a row for each setting and table of its vectors, and a column for each share of the vertices.
func tableOfLabels(name, title string, settings []*settingRuns, f1 func(eval.F1) float64) render.Table {
	first := settings[0].runs[0]
	t := render.Table{Name: name, Title: title + " of labels, learnt from a share of the vertices", Corner: "vectors (dimensions)", Notes: []string{
		fmt.Sprintf("%s labels of %s vertices. Mean ± standard deviation over runs that differ in their seed alone, each the mean over %s.",
			count(first.Count), count(first.Vertices), many(first.Vectors[0].Shares[0].Splits, "random split")),
		"frequent labels: those that most training vertices have, whatever the vectors say.",
	}}
	for _, share := range first.Vectors[0].Shares {
		t.Columns = append(t.Columns, strconv.FormatFloat(share.Share, 'g', 4, 64))
	}
	for _, s := range settings {
		for i, v := range s.runs[0].Vectors {
			row := render.Row{Label: fmt.Sprintf("%s, %s (%d)", s.name, v.Vectors, v.Dim)}
			for j := range v.Shares {
				var scores []float64
				for _, run := range s.runs {
					scores = append(scores, f1(run.Vectors[i].Shares[j].F1))
				}
				mean, sd := eval.Spread(scores)
				row.Values = append(row.Values, render.Value{Mean: mean, SD: sd, N: len(scores)})
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
