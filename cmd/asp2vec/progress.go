package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// bar is the progress of a run on a terminal, and when it was drawn last. Where validation ends a run, nobody knows its length: the bar is
// then of the epochs that its stage has at most.
type bar struct {
	*progressbar.ProgressBar
	shown time.Time
	pace
}

// pace is how fast something goes. What comes before the first step, such as reading, says nothing of that, nor do a few steps.
type pace struct {
	since        time.Time
	before, told int64 // what was done by then; steps
}

// left returns how many seconds the rest takes, 0 where that is not known.
func (p *pace) left(done, total int64) float64 {
	if p.told++; p.told == 1 {
		p.since, p.before = time.Now(), done
	}
	took := time.Since(p.since)
	if took < time.Second || p.told < 5 || done <= p.before {
		return 0
	}
	return took.Seconds() * float64(total-done) / float64(done-p.before)
}

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

// watch returns what tells the user how a run goes.
func (p *program) watch(o graphs.Options) run.Watch {
	p.clearBar() // of another run
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
			p.log.Info(name(best.Stage)+" done", "best_epoch", best.Number, score, auc(best.Score))
		}
		best = graphs.Epoch{}
	}
	var speed pace
	rated, began := false, time.Now()
	return func(happened graphs.Event) {
		switch e := happened.(type) {
		case run.Judged:
			p.warnOfFewLinks(int(e), o.Select)
		case run.Resumed:
			p.log.Info("continues from a checkpoint", "at", string(e))
		case run.CheckpointLost:
			p.log.Warn(message(e.Err))
		case run.NoPilot:
			p.log.Info("no pilot: fewer links than that can be held out; how far to train follows from the degrees", "links", int(e))
		case results.Pilot:
			p.log.Info("pilot ends", "optimizer", e.Optimizer, "rate_sum", fmt.Sprintf("%.2g", e.RateSum), "links", whole(int64(e.Links)), "seconds", math.Round(100*e.Seconds)/100)
		case graphs.Begun:
			report()
			p.log.Info(name(e.Stage)+" begins", "parameters", graphs.CountParameters(e.Learner), unit+"_per_epoch", e.Learner.Pairs())
		case graphs.Progress:
			if p.progress {
				e.Stage = name(e.Stage)
				p.showRun(e, unit)
			} else if rest := speed.left(e.RunPairs, e.RunTotal); !rated && rest > 0 && time.Since(began) > 5*time.Second {
				rated = true
				p.log.Info("the rest takes about", "time", about(rest))
			}
		case graphs.Epoch:
			if e.Best {
				best = e
			}
			attrs := []any{"loss", auc(e.Loss.Pairs)}
			if e.Loss.Penalty > 0 {
				attrs = append(attrs, "penalty", auc(e.Loss.Penalty))
			}
			if e.Scored {
				attrs = append(attrs, score, auc(e.Score))
			}
			attrs = append(attrs, unit+"_per_second", rate(float64(e.Pairs)/e.Train.Seconds()), "seconds", math.Round(100*(e.Train+e.Eval).Seconds())/100)
			p.log.Log(context.Background(), p.epochs, fmt.Sprintf("%s epoch %d", name(e.Stage), e.Number), attrs...)
		}
	}
}

// showRun draws the bar of a run.
func (p *program) showRun(g graphs.Progress, unit string) {
	p.begin(1)
	done, total := int64(g.Epoch-1)*g.Total+g.Pairs, int64(g.MaxEpochs)*g.Total+1 // a full bar is not drawn again, and stages may follow
	text := fmt.Sprintf("%s %d of up to %d", g.Stage, g.Epoch, g.MaxEpochs)
	if g.RunTotal > 0 {
		done, total, text = g.RunPairs, g.RunTotal, g.Stage
	}
	text += fmt.Sprintf(" loss %.3f", g.Loss.Pairs)
	if g.Scored {
		text += " score " + auc(g.Score).String()
	}
	text += fmt.Sprintf(" %s %s/s", rate(float64(g.Pairs)/g.Elapsed.Seconds()), unit)
	p.draw(done, max(done, total), p.left(done, total)+text)
}

// left says how long the rest takes at the speed so far.
func (p *program) left(done, total int64) string {
	if rest := p.bar.pace.left(done, total); rest > 0 {
		return about(rest) + " left; "
	}
	return ""
}

// begin makes the bar, if there is none.
func (p *program) begin(total int64, options ...progressbar.Option) {
	if p.bar == nil {
		p.bar = &bar{ProgressBar: progressbar.NewOptions64(total, append(options, progressbar.OptionSetWriter(p.err), progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetWidth(p.barWidth()), progressbar.OptionSetTheme(progressbar.ThemeASCII))...)}
	}
}

// besideBar is how many columns percents and brackets take.
const besideBar = 12

// draw draws the bar, ten times a second at most, with as much of a text as there is room for.
func (p *program) draw(done, total int64, text string) {
	now := time.Now()
	if now.Sub(p.bar.shown) < 100*time.Millisecond && done < total {
		return
	}
	p.bar.shown = now
	if line, room := []rune(text), max(0, p.columns()-p.barWidth()-besideBar); len(line) > room {
		text = string(line[:room]) // a line that wraps cannot be taken off again
	}
	p.bar.Describe(text)
	p.bar.ChangeMax64(total)
	_ = p.bar.Set64(done) // an error of the terminal shows nothing, and stops nothing
}

// showSteps returns what shows how far something has come, nil where no bar is wanted.
func showSteps[N int | int64](p *program, name string, options ...progressbar.Option) func(done, all N) {
	if !p.progress {
		return nil
	}
	return func(done, all N) {
		p.begin(int64(all), options...)
		p.draw(int64(done), int64(all), p.left(int64(done), int64(all))+name)
	}
}

// columns returns the width of the terminal.
func (p *program) columns() int {
	if p.width <= 0 {
		return 80
	}
	return p.width
}

// barWidth returns the columns between the bar's brackets.
func (p *program) barWidth() int { return min(30, max(5, p.columns()-75)) }

// hideBar makes room for a line of the log: it takes the bar off the terminal until there is more to show.
func (p *program) hideBar() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar.shown = time.Time{}
	}
}

// clearBar takes the bar off the terminal for good, if there is one.
func (p *program) clearBar() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
