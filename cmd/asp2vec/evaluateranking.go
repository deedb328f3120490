package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

func (p *program) evaluateRankingCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: modelArgument,
		Name:      "ranking",
		Usage:     "how well a model, and what needs no training, rank the targets of a heterogeneous network",
		Description: "Ranks, for each source with test pairs, all targets that are not linked to it. Without --model, only baselines are measured,\n" +
			"which use all training links.\n\n" +
			example("asp2vec evaluate ranking music.asp2vec",
				"asp2vec evaluate ranking --schema music --baselines popularity,tf-idf"),
		Flags: []cli.Flag{
			schemaFlag(),
			&cli.StringFlag{Name: "dataset", Category: dataCategory, Usage: "`NAME` of a data set of several types of vertices: lastfm"},
			&cli.StringFlag{Name: "model", Usage: "`DIR` that train wrote for this network"},
			listFlag(cli.StringFlag{Name: "baselines", DefaultText: "all that the network has what they need for", Usage: "`NAMES` with commas: " + strings.Join(run.RankingBaselineNames(), ", ")}),
		},
		Action: p.evaluateRanking,
	}
}

// rankingEvaluation is what evaluate ranking prints with --json.
type rankingEvaluation struct {
	Schema    string                     `json:"schema"`
	Sources   string                     `json:"sources"` // their type
	Targets   string                     `json:"targets"`
	Pairs     int                        `json:"pairs"`
	Model     string                     `json:"model,omitempty"`
	Method    string                     `json:"method,omitempty"`
	Metrics   results.Metrics            `json:"metrics,omitempty"` // of the model
	Baselines map[string]results.Metrics `json:"baselines"`
}

func (p *program) evaluateRanking(c *cli.Context) error {
	if c.Args().Present() {
		return badf("unexpected %q: expected --schema DIR", c.Args().First())
	}
	if err := p.ofRecord(c); err != nil {
		return bad(err)
	}
	if d, err := network.Lookup(c.String("dataset")); err == nil && d.Schema == "" {
		return badf("data set %s has no schema: expected lastfm, or --schema DIR", d.Name)
	}
	l, err := p.load(c)
	if err != nil {
		return err
	}
	n, task := l.Typed, l.Task
	if task == nil {
		return badf("the schema of %s ranks nothing: expected rank: in it", l.Name)
	}
	source, target := task.Ends(n)
	doc := rankingEvaluation{Schema: l.Path, Sources: n.Types[source].Name, Targets: n.Types[target].Name, Pairs: len(task.Test)}
	if c.IsSet("model") {
		doc.Model = c.String("model")
		if doc.Method, doc.Metrics, err = p.rankingOfModel(c, l); err != nil {
			return err
		}
	}
	if doc.Baselines, err = run.RankingBaselines(c.Context, n, task, task.Test, task.Validation, list(c, "baselines"), p.threads); err != nil {
		return bad(err)
	}
	return p.emit(doc, func(b *printout) {
		row := func(name string, m results.Metrics) []string {
			return []string{name, auc(m["recall@20"]).String(), auc(m["ndcg@20"]).String(), auc(m["hit@20"]).String(), auc(m["mrr"]).String(), auc(m["auc"]).String()}
		}
		var rows [][]string
		if doc.Metrics != nil {
			rows = append(rows, row(doc.Method, doc.Metrics))
		}
		for _, name := range run.RankingBaselineNames() {
			if m, there := doc.Baselines[name]; there {
				rows = append(rows, row(name+", not trained", m))
			}
		}
		b.table(1, []string{doc.Targets + " for each " + doc.Sources, "Recall@20", "NDCG@20", "hit@20", "MRR", "AUC"}, rows)
		b.printf("\n%s test pairs. Targets that are linked to the source already are not ranked.\n", count(doc.Pairs))
		if !c.IsSet("baselines") {
			b.sentence(withoutLowPass(doc.Baselines))
		}
		if doc.Metrics != nil {
			b.sentence(rankedBetter(run.RankingChoice, "Recall@20", doc.Metrics[run.RankingChoice], doc.Baselines))
		}
	})
}

// rankingOfModel measures the model of --model by the test pairs of a heterogeneous network.
func (p *program) rankingOfModel(c *cli.Context, l source.Loaded) (method string, m results.Metrics, err error) {
	e, err := p.embedding(c)
	if err != nil {
		return "", nil, err
	}
	score, threads, err := e.scorer(l.Typed, l.Task, p.threads)
	if err != nil {
		return "", nil, err
	}
	if described := (run.Data{Name: l.Name, Typed: l.Typed, Task: l.Task}).Describe(); e.Record != nil && e.Record.Dataset.SHA256 != described.SHA256 {
		p.log.Warn("trained on other data: test pairs of this network may have been used for training; the scores then say nothing about new links",
			"trained_on", e.Record.Dataset.Name)
	}
	s, err := l.Task.Evaluate(c.Context, l.Typed, l.Task.Test, l.Task.Validation, score, threads)
	return e.method, s.Metrics(), err
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
