package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
)

// scoreNative is the score that a run's record names.
const scoreNative = "native"

// scoreBest is the score that predict chooses.
const scoreBest = "best"

// scoreWords are what --score takes.
func scoreWords() []string { return append([]string{scoreNative}, eval.Scorers.Names()...) }

// scoresFlag chooses scores of links.
func scoresFlag(known ...string) cli.Flag {
	return listFlag(cli.StringFlag{Name: "score", Aliases: []string{"scoring"}, Value: scoreNative, Usage: "`NAMES` of scores of links, separated by commas: native, or those of asp2vec methods"}, known...)
}

// scoreParameters are those of all scores, each once.
func scoreParameters() []option.Param {
	all, _ := option.Declared("score", eval.Scorers)
	return all
}

// scoreParameterFlags are a flag for each.
func scoreParameterFlags() []cli.Flag {
	return seq.Map(scoreParameters(), func(p option.Param) cli.Flag {
		return &cli.Float64Flag{Name: p.Key, Value: p.Default.(float64), Usage: p.Usage(), Action: func(_ *cli.Context, v float64) error {
			return bad(p.Check(v))
		}}
	})
}

// scoreOptions returns how scores are fitted.
func (p *program) scoreOptions(c *cli.Context) eval.ScoreOptions {
	o := eval.ScoreOptions{Threads: p.threads, Values: option.Values{}, Seed: 1}
	for _, x := range scoreParameters() {
		o.Values[x.Key] = c.Float64(x.Key)
	}
	return o
}

// score returns how links are scored: as is asked, or for native as the record of the embedding's run says, or as is usual. It returns an
// error where the embedding has not what that needs; what DeepWalk leaves beside its vectors are contexts.
func (e *embedding) score(asked, usual string) (string, error) {
	if asked == scoreNative {
		if asked = usual; e.Record != nil && e.MultiVectors != nil && eval.Scorers.Get(e.Record.Scoring).Several {
			asked = e.Record.Scoring
		}
	}
	scorer, err := eval.Scorers.Find(asked)
	if err != nil || !scorer.Several {
		return asked, bad(err)
	}
	if m, err := methods.Find(e.method); err == nil && !slices.Contains(m.Scorings, asked) {
		return "", badf("--score %s: %s holds a run of %s: expected %s", asked, e.path, e.method, strings.Join(m.Scorings, ", "))
	}
	if _, err := e.multiEmbedding(); err != nil {
		return "", fmt.Errorf("--score %s: %w", asked, err)
	}
	return asked, nil
}

// listScores lists the scores and the metrics of links.
func listScores(d *doc) {
	d.table("scores", seq.Map(eval.Scorers.Names(), func(name string) []any {
		s := eval.Scorers.Get(name)
		return []any{name, s.Help, seq.Map(s.Parameters, func(p option.Param) string { return p.Key })}
	}), "score", "is", "options")
	d.table("metrics", seq.Map(eval.MetricNames(), func(name string) []any { return []any{name, eval.Metrics.Get(name).Help} }), "metric", "is")
}
