package models

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/predict"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/urfave/cli/v2"
)

// expectation is what predict says of how many links are right.
type expectation struct {
	predict.Expectation
	assumed string // of the links that are missing, in words
}

// choose returns the score that --score names, or the best one, with what is expected of it.
func (p program) choose(c *cli.Context, e *embedding, anyRank bool) (string, expectation, error) {
	word, out, l := c.String("score"), expectation{}, e.links
	native, err := e.named(shell.ScoreNative)
	if err == nil && word != scoreBest {
		native, err = e.named(word)
	}
	missing := c.Float64("missing")
	if err != nil || l == nil || c.IsSet("missing") && missing == 0 {
		return native, out, err
	}
	var once sync.Once
	in := predict.Input{
		Network: l.net, Test: l.test, Learnt: l.learn, Record: e.Record, One: e.Final != nil, Dim: e.D, Native: native, Named: word != scoreBest, Missing: missing,
		First: c.Int("top"), AnyRank: anyRank, Threads: p.Threads, Step: shell.ShowSteps[int](p.Program, "measuring scores"),
		Unmeasured: func(score, why string) { p.Log.Info("score "+score+" is not measured", "because", why) },
		Training: func(o graphs.Options) run.Watch {
			once.Do(func() {
				p.Log.Info("training again without a tenth of the links, once for each draw, to measure scores of vectors", "method", o.Method.Name)
			})
			watch := Watch(p.Program, o)
			return graphs.On(func(g graphs.Progress) { watch(g) })
		},
	}
	if l.split != nil {
		in.Hidden = l.split.Options
	}
	if e.MultiVectors != nil {
		in.Rows = len(e.MultiVectors.Data) / e.D
	}
	score, found, err := predict.Choose(c.Context, in)
	p.ClearBar()
	out.Expectation = found
	if found.Draws > 0 {
		out.assumed = fmt.Sprintf("if links are missing as those that were held out, as many as the split hides (%s)", shell.Count(len(l.test)))
		if found.Share > 0 {
			out.assumed = fmt.Sprintf("if as many links are missing as %.4g %% of those that are there, and missing at random", 100*found.Share)
		}
	}
	return score, out, err
}

// tell adds what is expected of a score, and why it was chosen.
func (x expectation) tell(d *shell.Doc, score string) {
	if x.Draws > 0 {
		d.Data("missing", x.Missing, "missing_share", x.Share, "held_out", x.HeldOut, "draws", x.Draws, "assumed", x.assumed)
	}
	if len(x.Candidates) > 0 {
		d.Data("candidates", x.Candidates)
	}
	if len(x.Expected) > 0 {
		d.Data("expected", x.Expected)
		parts := seq.Map(x.Expected, func(one predict.Count) string {
			return fmt.Sprintf("%s of the first %s (between %s and %s)", few(float64(one.First)*one.Precision), shell.Count(one.First), shell.Count(one.Low), shell.Count(one.High))
		})
		d.Say("Expected to be links that are missing: about %s, %s.\nAt least nine of ten counts lie between such bounds.\nMeasured by %d × %s held out.",
			strings.Join(parts, ", "), x.assumed, x.Draws, shell.Many(x.HeldOut, "training link"))
	}
	why := ""
	if len(x.Candidates) > 1 {
		var others, not []string
		first := 0
		for _, a := range x.Candidates {
			if a.Expected == nil {
				not = append(not, a.Score)
				continue
			}
			first = a.Expected.First
			others = append(others, fmt.Sprintf("%s %.2f", a.Score, a.Expected.Precision))
		}
		why = fmt.Sprintf(".\nChosen by the share expected of the first %s: %s", shell.Count(first), strings.Join(others, ", "))
		if not != nil {
			why += "; not measured: " + strings.Join(not, ", ")
		}
	} else if len(x.Candidates) == 1 && x.Draws == 0 {
		why = "; how many are right was not measured"
	}
	d.Say("Score: %s, %s%s.", score, eval.Scorers.Get(score).Help, why)
}

// few writes a number of links: with a decimal where it is small.
func few(x float64) string {
	if x < 9.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return shell.Count(int(math.Round(x)))
}
