package shell

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// ScoreNative is the score that a run's record names.
const ScoreNative = "native"

// scoreParameters are those of all scores, each once.
func scoreParameters() []option.Param {
	all, _ := option.Declared("score", eval.Scorers)
	return all
}

// ScoreParameterFlags are a flag for each parameter of scores.
func ScoreParameterFlags() []cli.Flag {
	return seq.Map(scoreParameters(), func(p option.Param) cli.Flag {
		return &cli.Float64Flag{Name: p.Key, Value: p.Default.(float64), Usage: p.Usage(), Action: func(_ *cli.Context, v float64) error {
			return Bad(p.Check(v))
		}}
	})
}

// ScoreOptions returns how scores are fitted.
func (p *Program) ScoreOptions(c *cli.Context) eval.ScoreOptions {
	o := eval.ScoreOptions{Threads: p.Threads, Values: option.Values{}, Seed: 1}
	for _, x := range scoreParameters() {
		o.Values[x.Key] = c.Float64(x.Key)
	}
	return o
}

// Measurement is what --metric and --negatives ask for.
func Measurement(c *cli.Context) eval.Measurement {
	return eval.Measurement{Metrics: List(c, "metric"), Negatives: List(c, "negatives")}
}

// UntrainedScores are the names of scores that need no vectors.
func UntrainedScores() []string {
	return seq.Filter(eval.Scorers.Names(), func(name string) bool { return eval.Scorers.Get(name).Untrained })
}
