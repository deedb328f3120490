package main

import (
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/results"
)

// rankingsEvaluation is what evaluate prints with --json of papers.
type rankingsEvaluation struct {
	Data      string                     `json:"data"`
	Model     string                     `json:"model,omitempty"`
	Method    string                     `json:"method,omitempty"`
	Metrics   results.Metrics            `json:"metrics,omitempty"` // of the model
	Baselines map[string]results.Metrics `json:"baselines"`
}

// evaluateRankings measures a model of papers, nil for none, and what needs no training, by the half of the test papers that training reports on.
func (p *program) evaluateRankings(c *cli.Context, e *embedding) error {
	if err := refuseFlags(c, "papers", "split", "vertices", "score", "metric", "negatives", "baselines", "held-out", "directed"); err != nil {
		return err
	}
	if e != nil {
		if s, _ := p.sourceOf(e.Record, e.path); s.Schema != "" {
			return badf("%s is of a network with a schema, and nothing of it was hidden: expected evaluate labels", e.path)
		}
	}
	if err := p.ofRecord(c, e); err != nil {
		return bad(err)
	}
	l, err := p.load(c)
	if err != nil {
		return err
	}
	b := l.Bibliography
	if b == nil {
		return badf("%s has no papers to name the authors of: expected a model of it, or papers", l.Name)
	}
	task, err := b.Task()
	if err != nil {
		return bad(err)
	}
	doc := rankingsEvaluation{Data: l.Path}
	model := &hetnet.Saved{} // without words
	if e != nil {
		doc.Model, doc.Method = e.path, e.method
		if e.Record != nil && e.Record.Dataset.SHA256 != b.Checksum() {
			p.log.Warn("trained on other data, which may have had what is asked for here: the scores then say nothing about new links", "trained_on", e.Record.Dataset.Name)
		}
		if model, err = hetnet.Load(e.path, p.threads); err != nil {
			return bad(err)
		}
		if doc.Metrics, err = model.Evaluate(c.Context, b.Authorship, task.Test, p.threads); err != nil {
			return bad(err)
		}
	}
	if doc.Baselines, err = run.Baselines(c.Context, b.Authorship, task, model.WordsOf(b.Network), p.threads); err != nil {
		return bad(err)
	}
	return p.emit(doc, func(b *printout) {
		shown := slices.DeleteFunc(slices.Clone(rankingMetrics), func(m rankingMetric) bool { _, there := doc.Baselines[hetnet.Popularity][m.name]; return !there })
		header, rows := []string{""}, [][]string{}
		for _, m := range shown {
			header = append(header, m.title)
		}
		add := func(name string, of results.Metrics) {
			row := []string{name}
			for _, m := range shown {
				row = append(row, auc(of[m.name]).String())
			}
			rows = append(rows, row)
		}
		if doc.Metrics != nil {
			add(doc.Method, doc.Metrics)
		}
		for _, name := range slices.Sorted(maps.Keys(doc.Baselines)) {
			add(name+", not trained", doc.Baselines[name])
		}
		b.table(1, header, rows)
		b.printf("\nAuthors of %s of %s test papers, among the candidates of each: the half that training reports on.\n", count(len(task.Test)), count(len(l.Bibliography.Test)))
		if by := rankingMetrics[0]; doc.Metrics != nil {
			b.sentence(rankedBetter(by.name, by.title, doc.Metrics[by.name], doc.Baselines))
		}
	})
}
