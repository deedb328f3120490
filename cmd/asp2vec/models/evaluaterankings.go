package models

import (
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// evaluateRankings measures a model of papers, nil for none, and what needs no training, by the half of the test papers that training reports on.
func (p program) evaluateRankings(c *cli.Context, e *embedding) error {
	if err := shell.RefuseFlags(c, "papers", "split", "vertices", "score", "metric", "negatives", "baselines", "held-out", "directed"); err != nil {
		return err
	}
	if e != nil {
		if s, _ := p.sourceOf(e.Record, e.path); s.Schema != "" {
			return shell.Badf("%s is of a network with a schema, and nothing of it was hidden: expected evaluate labels", e.path)
		}
	}
	if err := p.ofRecord(c, e); err != nil {
		return shell.Bad(err)
	}
	l, err := data.Load(p.Program, c)
	if err != nil {
		return err
	}
	b := l.Bibliography
	if b == nil {
		return shell.Badf("%s has no papers to name the authors of: expected a model of it, or papers", l.Name)
	}
	task, err := b.Task()
	if err != nil {
		return shell.Bad(err)
	}
	d := p.Answer()
	d.Data("data", l.Path)
	model, metrics := &hetnet.Saved{}, results.Metrics(nil) // without words
	if e != nil {
		if e.Record != nil && e.Record.Dataset.SHA256 != b.Checksum() {
			p.Log.Warn("trained on other data, which may have had what is asked for here: the scores then say nothing about new links", "trained_on", e.Record.Dataset.Name)
		}
		if model, err = hetnet.Load(e.path, p.Threads); err != nil {
			return shell.Bad(err)
		}
		if metrics, err = model.Evaluate(c.Context, b.Authorship, task.Test, p.Threads); err != nil {
			return shell.Bad(err)
		}
		d.Data("model", e.path, "method", e.method, "metrics", metrics)
	}
	baselines, err := run.Baselines(c.Context, b.Authorship, task, model.WordsOf(b.Network), p.Threads)
	if err != nil {
		return shell.Bad(err)
	}
	d.Data("baselines", baselines)
	shown := seq.Filter(RankingMetrics, func(m Metric) bool { _, there := baselines[hetnet.Popularity][m.Name]; return there })
	row := func(name string, of results.Metrics) []any {
		return append([]any{name}, seq.Map(shown, func(m Metric) any { return shell.AUC(of[m.Name]) })...)
	}
	var rows [][]any
	if e != nil {
		rows = append(rows, row(e.method, metrics))
	}
	for _, name := range slices.Sorted(maps.Keys(baselines)) {
		rows = append(rows, row(name+", not trained", baselines[name]))
	}
	d.Rows(rows, append([]string{""}, seq.Map(shown, func(m Metric) string { return m.Title })...)...)
	d.Say("Authors of %s of %s test papers, among the candidates of each: the half that training reports on.", shell.Count(len(task.Test)), shell.Count(len(l.Bibliography.Test)))
	if by := RankingMetrics[0]; e != nil {
		if better := RankedBetter(by, metrics[by.Name], baselines); better != "" {
			d.Say("%s.", better)
		}
	}
	return p.Show(d)
}
