package runs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
)

// runLog returns what tells how a list of runs goes: to people by the log and a bar, and to scripts, unless it is silent, by a line of JSON an
// event.
func (p program) runLog(silent bool) func(runner.Event) {
	var told time.Time           // of an epoch
	failed := map[string][]int{} // runs by their error: one data set that cannot be read is one line, not one for each run
	return func(e runner.Event) {
		if p.JSON && !silent {
			_ = p.JSONLine(e) // who has stopped reading is found out when the tables are printed
		}
		name := strings.TrimSpace(fmt.Sprintf("%s %s %s seed=%d %s", e.Dataset, e.Method, e.Protocol, e.Seed, e.Settings))
		run := fmt.Sprintf("run %d of %d", e.Run, e.Runs)
		switch e.Event {
		case runner.EventPlan:
			p.Log.Info("runs", "asked_for", e.Runs, "in_the_store", e.There, "failed_before", e.Failed, "takes_about", leftOf(e))
		case runner.EventStart:
			p.Log.Info(run+" begins: "+name, "takes_about", shell.About(e.Seconds), "all_left_about", leftOf(e))
		case runner.EventEpoch:
			attrs := []any{"loss", shell.AUC(e.LossNats)}
			if e.Score != nil {
				attrs = append(attrs, "score", shell.AUC(*e.Score))
			}
			attrs = append(attrs, "seconds", math.Round(100*e.Seconds)/100, "all_left_about", leftOf(e))
			level := slog.LevelDebug // tables have thousands of epochs
			if now := time.Now(); !p.Progress && now.Sub(told) >= 10*time.Second {
				level, told = slog.LevelInfo, now
			}
			p.Log.Log(context.Background(), level, fmt.Sprintf("%s %s epoch %d", run, e.Stage, e.Epoch), attrs...)
			if p.Progress {
				p.showRuns(e, fmt.Sprintf("%s %s %d", e.Dataset, e.Stage, e.Epoch))
			}
		case runner.EventNote:
			if e.Error != "" {
				p.Log.Warn(run+" "+e.Note+": "+name, "error", shell.Message(errors.New(e.Error)))
			} else {
				p.Log.Info(run + " " + e.Note + ": " + name)
			}
		case runner.EventDone:
			var attrs []any
			if e.Metrics != nil {
				metric, score := store.ScoreOf(e.Metrics)
				attrs = append(attrs, metric, shell.AUC(score))
			}
			if e.Seconds > 0 {
				attrs = append(attrs, "took", shell.Seconds(e.Seconds))
			}
			p.Log.Info(strings.TrimSpace(run+" done "+e.Note)+": "+name, append(attrs, "all_left_about", leftOf(e))...)
		case runner.EventFailed:
			how := " failed: "
			if e.Note == runner.NoteBefore {
				how = " failed before; --retry repeats it: "
			}
			if failed[e.Error] = append(failed[e.Error], e.Run); len(failed[e.Error]) == 1 {
				p.Log.Error(run+how+name, "error", shell.Message(errors.New(e.Error)))
			}
		case runner.EventEnd:
			for _, runs := range slices.SortedFunc(maps.Values(failed), slices.Compare) {
				if more := len(runs) - 1; more > 0 {
					p.Log.Error(fmt.Sprintf("%d more runs failed for the same reason as run %d", more, runs[0]))
				}
			}
			p.Log.Info("runs", "done", e.Report.Done, "were_there", e.Report.There, "scored", e.Report.Scored, "failed", len(e.Report.Failed), "left", e.Report.Left)
		}
	}
}

// showRuns draws the bar: how many runs are done, and how the one goes of which there is news.
func (p program) showRuns(e runner.Event, text string) {
	p.DrawBar(int64(e.There+e.Failed), int64(e.Runs), fmt.Sprintf("%d of %d runs, %s left; %s", e.There, e.Runs, leftOf(e), text))
}

// leftOf writes how long the rest of all runs takes.
func leftOf(e runner.Event) string {
	if e.There+e.Failed >= e.Runs {
		return "0s"
	}
	return shell.About(e.SecondsLeft)
}
