package models

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// scoreOf names what epochs are chosen by, as records call it.
func scoreOf(o graphs.Options) string {
	switch {
	case o.Method.Typed && o.Select == graphs.SelectTest:
		return run.DevPrefix + run.PaperChoice
	case o.Method.Typed:
		return run.DevPrefix + run.ValidatedChoice
	case o.Select == graphs.SelectValidation:
		return "validation_auc"
	case o.Select == graphs.SelectTest:
		return "test_auc"
	}
	return "auc"
}

// Watch returns what tells the user how a run goes.
func Watch(p *shell.Program, o graphs.Options) run.Watch {
	p.ClearBar() // of another run
	m, score := o.Method, scoreOf(o)
	unit := m.Unit()
	name := func(stage string) string { // as records call it
		if stage == graphs.StageMain {
			return m.Name
		}
		return stage
	}
	var best graphs.Epoch
	report := func() {
		if best.Number > 0 && best.Scored {
			p.Log.Info(name(best.Stage)+" done", "best_epoch", best.Number, score, shell.AUC(best.Score))
		}
		best = graphs.Epoch{}
	}
	var speed shell.Pace
	rated, began := false, time.Now()
	return func(happened graphs.Event) {
		switch e := happened.(type) {
		case run.Judged:
			program{p}.warnOfFewLinks(int(e), o.Select)
		case run.Resumed:
			p.Log.Info("continues from a checkpoint", "at", string(e))
		case run.CheckpointLost:
			p.Log.Warn(shell.Message(e.Err))
		case run.NoPilot:
			p.Log.Info("no pilot: fewer links than that can be held out; how far to train follows from the degrees", "links", int(e))
		case results.Pilot:
			p.Log.Info("pilot ends", "optimizer", e.Optimizer, "rate_sum", fmt.Sprintf("%.2g", e.RateSum), "links", e.Links, "seconds", math.Round(100*e.Seconds)/100)
		case graphs.Begun:
			report()
			p.Log.Info(name(e.Stage)+" begins", "parameters", graphs.CountParameters(e.Learner), unit+"_per_epoch", e.Learner.Pairs())
		case graphs.Progress:
			if p.Progress {
				e.Stage = name(e.Stage)
				program{p}.showRun(e, unit)
			} else if rest := speed.Left(e.RunPairs, e.RunTotal); !rated && rest > 0 && time.Since(began) > 5*time.Second {
				rated = true
				p.Log.Info("the rest takes about", "time", shell.About(rest))
			}
		case graphs.Epoch:
			if e.Best {
				best = e
			}
			attrs := []any{"loss", shell.AUC(e.Loss.Pairs)}
			if e.Loss.Penalty > 0 {
				attrs = append(attrs, "penalty", shell.AUC(e.Loss.Penalty))
			}
			if e.Scored {
				attrs = append(attrs, score, shell.AUC(e.Score))
			}
			attrs = append(attrs, unit+"_per_second", shell.Rate(float64(e.Pairs)/e.Train.Seconds()), "seconds", math.Round(100*(e.Train+e.Eval).Seconds())/100)
			p.Log.Log(context.Background(), p.Epochs, fmt.Sprintf("%s epoch %d", name(e.Stage), e.Number), attrs...)
		}
	}
}

// showRun draws the bar of a run.
func (p program) showRun(g graphs.Progress, unit string) {
	done, total := int64(g.Epoch-1)*g.Total+g.Pairs, int64(g.MaxEpochs)*g.Total+1 // a full bar is not drawn again, and stages may follow
	text := fmt.Sprintf("%s %d of up to %d", g.Stage, g.Epoch, g.MaxEpochs)
	if g.RunTotal > 0 {
		done, total, text = g.RunPairs, g.RunTotal, g.Stage
	}
	text += fmt.Sprintf(" loss %.3f", g.Loss.Pairs)
	if g.Scored {
		text += " score " + shell.AUC(g.Score).String()
	}
	text += fmt.Sprintf(" %s %s/s", shell.Rate(float64(g.Pairs)/g.Elapsed.Seconds()), unit)
	p.DrawBar(done, max(done, total), p.Left(done, total)+text)
}

// fewLinks is below how many links an AUC is too coarse to choose an epoch by: of 100 links and 100 others its standard error
// is .031 at .8 (Hanley and McNeil, Radiology 143, 1982), more than good epochs differ by.
const fewLinks = 100

// warnOfFewLinks warns where few links choose the epoch or an option.
func (p program) warnOfFewLinks(links int, by string) {
	set := "validation"
	if by == graphs.SelectTest {
		set = "test"
	}
	if links < fewLinks {
		p.Log.Warn("the "+set+" set is small: an AUC on so few links hardly distinguishes epochs or options; --select "+graphs.SelectLast+" needs none",
			set+"_links", links, "enough", fewLinks)
	}
}
