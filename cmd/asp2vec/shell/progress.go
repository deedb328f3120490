package shell

import (
	"cmp"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bar is the progress of a run on a terminal, and when it was drawn last. Where validation ends a run, nobody knows its length: the bar is
// then of the epochs that its stage has at most.
type bar struct {
	*progressbar.ProgressBar
	shown time.Time
}

// Pace is how fast something goes. What comes before the first step, such as reading, says nothing of that, nor do a few steps.
type Pace struct {
	since        time.Time
	before, told int64 // what was done by then; steps
}

// Left returns how many seconds the rest takes, 0 where that is not known.
func (p *Pace) Left(done, total int64) float64 {
	if p.told++; p.told == 1 {
		p.since, p.before = time.Now(), done
	}
	took := time.Since(p.since)
	if took < time.Second || p.told < 5 || done <= p.before {
		return 0
	}
	return took.Seconds() * float64(total-done) / float64(done-p.before)
}

// Left says how long the rest takes at the speed so far.
func (p *Program) Left(done, total int64) string {
	if rest := p.pace.Left(done, total); rest > 0 {
		return About(rest) + " left; "
	}
	return ""
}

// besideBar is how many columns percents and brackets take.
const besideBar = 12

// DrawBar draws the bar, ten times a second at most, with as much of a text as there is room for.
func (p *Program) DrawBar(done, total int64, text string, options ...progressbar.Option) {
	if p.bar == nil {
		p.bar = &bar{ProgressBar: progressbar.NewOptions64(total, append(options, progressbar.OptionSetWriter(p.Err), progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetWidth(p.barWidth()), progressbar.OptionSetTheme(progressbar.ThemeASCII))...)}
	}
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

// ShowSteps returns what shows how far something has come, if a bar is wanted.
func ShowSteps[N int | int64](p *Program, name string, options ...progressbar.Option) func(done, all N) {
	return func(done, all N) {
		if p.Progress {
			p.DrawBar(int64(done), int64(all), p.Left(int64(done), int64(all))+name, options...)
		}
	}
}

// columns returns the width of the terminal.
func (p *Program) columns() int { return cmp.Or(max(p.Width, 0), 80) }

// barWidth returns the columns between the bar's brackets.
func (p *Program) barWidth() int { return min(30, max(5, p.columns()-75)) }

// hideBar makes room for a line of the log: it takes the bar off the terminal until there is more to show.
func (p *Program) hideBar() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar.shown = time.Time{}
	}
}

// ClearBar takes the bar off the terminal for good, if there is one.
func (p *Program) ClearBar() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar, p.pace = nil, Pace{}
	}
}
