package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
)

// rankingsEvaluation is what evaluate prints with --json of papers and of networks whose schema ranks something.
type rankingsEvaluation struct {
	Data      string                     `json:"data"`
	Model     string                     `json:"model,omitempty"`
	Method    string                     `json:"method,omitempty"`
	Metrics   results.Metrics            `json:"metrics,omitempty"` // of the model
	Baselines map[string]results.Metrics `json:"baselines"`
}

// evaluateRankings measures a model of papers or items, nil for none, and what needs no training, by what was hidden from it.
func (p *program) evaluateRankings(c *cli.Context, e *embedding) error {
	if err := refuseFlags(c, "papers or items", "split", "vertices", "score", "metric", "negatives", "baselines", "held-out", "directed"); err != nil {
		return err
	}
	if err := p.ofRecord(c, e); err != nil {
		return bad(err)
	}
	l, err := p.load(c)
	if err != nil {
		return err
	}
	data := run.Data{Name: l.Name, Split: l.Split, Bibliography: l.Bibliography, Typed: l.Typed, Task: l.Task}
	doc := rankingsEvaluation{Data: l.Path}
	if e != nil {
		doc.Model, doc.Method = e.path, e.method
		if e.Record != nil && e.Record.Dataset.SHA256 != data.Describe().SHA256 {
			p.log.Warn("trained on other data, which may have had what is asked for here: the scores then say nothing about new links", "trained_on", e.Record.Dataset.Name)
		}
	}
	var asked string
	switch {
	case l.Bibliography != nil:
		asked, err = p.evaluateAuthors(c, e, l.Bibliography, &doc)
	case l.Task != nil:
		asked, err = p.evaluateTargets(c, e, l, &doc)
	default:
		err = fmt.Errorf("%s ranks nothing: expected papers and authors, or a schema with rank: in it", l.Name)
	}
	if err != nil {
		return bad(err)
	}
	return p.emit(doc, func(b *printout) {
		shown := slices.DeleteFunc(slices.Clone(rankingMetrics), func(m rankingMetric) bool { _, there := doc.Baselines[run.BaselinePopularity][m.name]; return !there })
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
		b.printf("\n%s.\n", asked)
		if l.Task != nil {
			b.sentence(withoutLowPass(doc.Baselines))
		}
		if by := rankedBy(data); doc.Metrics != nil {
			b.sentence(rankedBetter(by.name, by.title, doc.Metrics[by.name], doc.Baselines))
		}
	})
}

// evaluateAuthors measures by the half of the test papers that training reports on, and says so.
func (p *program) evaluateAuthors(c *cli.Context, e *embedding, b *papers.Bibliography, doc *rankingsEvaluation) (string, error) {
	task, err := papers.NewIdentification(b)
	if err != nil {
		return "", err
	}
	model := &hetnet.Saved{} // without words
	if e != nil {
		if model, err = hetnet.Load(e.path, p.threads); err != nil {
			return "", err
		}
		ranker, err := model.For(b)
		if err != nil {
			return "", err
		}
		score, err := task.Evaluate(c.Context, ranker, task.Test, p.threads)
		if err != nil {
			return "", err
		}
		doc.Metrics = score.Metrics()
	}
	doc.Baselines, err = run.Baselines(c.Context, task, model.WordsOf(b.Network), task.Test, p.threads)
	return fmt.Sprintf("Authors of %s of %s test papers, among the candidates of each: the half that training reports on", count(len(task.Test)), count(len(b.Test))), err
}

// evaluateTargets measures by the test pairs of a heterogeneous network, and says so.
func (p *program) evaluateTargets(c *cli.Context, e *embedding, l source.Loaded, doc *rankingsEvaluation) (string, error) {
	n, task := l.Typed, l.Task
	source, target := task.Ends(n)
	if e != nil {
		score, threads, err := e.scorer(n, task, p.threads)
		if err != nil {
			return "", err
		}
		s, err := task.Evaluate(c.Context, n, task.Test, task.Validation, score, threads)
		if err != nil {
			return "", err
		}
		doc.Metrics = s.Metrics()
	}
	var err error
	doc.Baselines, err = run.RankingBaselines(c.Context, n, task, task.Test, task.Validation, p.threads)
	return fmt.Sprintf("%s for each %s, by %s test pairs; targets that are linked to the source already are not ranked", n.Types[target].Name, n.Types[source].Name, count(len(task.Test))), err
}

// scorer returns how an embedding ranks the targets of a task, and on how many threads it can.
func (e *embedding) scorer(n *typed.Network, task *typed.Task, threads int) (typed.Scorer, int, error) {
	source, target := task.Ends(n)
	rows := func(t int) (rows []int, err error) {
		for _, name := range n.Names[t] {
			v, err := e.vertex(typed.VertexName(n.Types[t].Name, name))
			if err != nil {
				return nil, fmt.Errorf("%w; a model of this network has all vertices %s", err, n.Types[t].Name)
			}
			rows = append(rows, int(v))
		}
		return rows, nil
	}
	from, err := rows(source)
	if err != nil {
		return nil, 0, err
	}
	to, err := rows(target)
	if err != nil {
		return nil, 0, err
	}
	if e.Record != nil && e.Record.Scoring == graphs.ScoringPair {
		threads = 1 // whose classifier has one memory
	}
	recommend, err := recommender(e)
	if err != nil {
		return nil, 0, err
	}
	return func(u int32, dst []float32) error { return recommend(from[u], to, dst) }, threads, nil
}
