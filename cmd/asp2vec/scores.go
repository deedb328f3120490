package main

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// scoreNative is the score that a run's record names.
const scoreNative = "native"

// scoreWords are what --score takes.
func scoreWords() []string { return append([]string{scoreNative}, eval.Scorers.Names()...) }

// scoreFlag chooses scores of links, under its former name too.
func scoreFlag(value, usage string) cli.Flag {
	return &cli.StringFlag{Name: "score", Aliases: []string{"scoring"}, Value: value, Usage: usage}
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

// measurement is what --metric and --negatives ask for.
func measurement(c *cli.Context) eval.Measurement {
	return eval.Measurement{Metrics: list(c, "metric"), Negatives: list(c, "negatives")}
}

// untrainedScores are the names of scores that need no vectors.
func untrainedScores() []string {
	return seq.Filter(eval.Scorers.Names(), func(name string) bool { return eval.Scorers.Get(name).Untrained })
}
