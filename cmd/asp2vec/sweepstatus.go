package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/slurm"
)

func (p *program) sweepStatusCommand() *cli.Command {
	return &cli.Command{
		Name: "status", ArgsUsage: "[NAME ...]",
		Usage: "show the progress of a submission to a cluster, and why runs are not done",
		Description: "Without a name, shows all submissions of the store (--results). Works on any machine that sees the store; the queue is shown\n" +
			"where squeue is available.\n\n" + example("asp2vec sweep status", "asp2vec sweep status asp2vec-epsilon-1f3b2c"),
		Action: p.sweepStatus,
	}
}

func (p *program) sweepCancelCommand() *cli.Command {
	return &cli.Command{
		Name: "cancel", ArgsUsage: "NAME ...",
		Usage:       "remove the tasks of submissions from the queue of the cluster, and stop running ones",
		Description: "Finished runs stay in the store; the command that submitted them submits the others again.\n\n" + example("asp2vec sweep cancel asp2vec-epsilon-1f3b2c"),
		Action:      p.sweepCancel,
	}
}

// submissions returns those of the store that are named, the first one first; all without a name.
func (p *program) submissions(names []string) (all []submission, err error) {
	if p.results == "" {
		return nil, badf("--results none: want the folder of the store, which contains the submissions")
	}
	files, err := filepath.Glob(filepath.Join(submissionsFolder(p.results), "*.json"))
	if err != nil {
		return nil, bad(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, bad(err)
		}
		var s submission
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, badf("%s: no submission: %w", file, err)
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b submission) int { return a.Created.Compare(b.Created) })
	known := seq.Map(all, func(s submission) string { return s.Name })
	for _, name := range names {
		if len(known) == 0 {
			return nil, badf("no submission %q: there are none in %s", name, submissionsFolder(p.results))
		} else if !slices.Contains(known, name) {
			return nil, badf("no submission %q: want %s", name, nearest(name, known))
		}
	}
	return seq.Filter(all, func(s submission) bool { return len(names) == 0 || slices.Contains(names, s.Name) }), nil
}

// standing is how a submission stands.
type standing struct {
	Submission string    `json:"submission"`
	Runs       int       `json:"runs"`
	Done       int       `json:"done"`
	Failed     int       `json:"failed"`
	Running    int       `json:"tasks_running"`
	Waiting    int       `json:"tasks_waiting"`
	Problems   []problem `json:"problems,omitempty"`
}

// problem is why runs of a task are not done.
type problem struct {
	Task int    `json:"task"`
	Runs int    `json:"runs"`
	Why  string `json:"why"`
	Log  string `json:"log"`
}

// standingOf counts the runs of a submission by what became of them.
func (p *program) standingOf(c *cli.Context, s submission, runs *store.Runs, queue []slurm.Task) standing {
	st := standing{Submission: s.Name, Runs: len(s.Runs)}
	queued := map[int]slurm.Task{}
	for _, t := range queue {
		if queued[t.Number] = t; t.State == "PENDING" {
			st.Waiting++
		} else {
			st.Running++
		}
	}
	open, why := map[int]int{}, map[int]string{} // of tasks
	for _, r := range s.Runs {
		reason, failed := runs.Failure(r.Keys[0])
		switch done := slices.ContainsFunc(r.Keys, func(key string) bool { _, there := runs.Entry(key); return there }); {
		case done:
			st.Done++
		case failed:
			st.Failed++
			open[r.Task]++
			why[r.Task] = "failed: " + message(errors.New(reason))
		default:
			open[r.Task]++
		}
	}
	var ended map[int]string
	for _, task := range slices.Sorted(maps.Keys(open)) {
		t, there := queued[task]
		switch {
		case there && t.State == "RUNNING" && why[task] == "":
			continue
		case there && why[task] == "":
			why[task] = strings.TrimSpace(fmt.Sprintf("%s: %s %s", strings.ToLower(t.State), t.Why, t.Node))
		case why[task] == "":
			if ended == nil {
				ended = slurm.Ended(c.Context, s.Job)
			}
			if why[task] = strings.ToLower(ended[task]); why[task] == "" || why[task] == "completed" {
				why[task] = "ended before its runs were done"
			}
		}
		st.Problems = append(st.Problems, problem{task, open[task], why[task], s.log(p.results, s.Job, fmt.Sprint(task))})
	}
	return st
}

func (p *program) sweepStatus(c *cli.Context) error {
	all, err := p.submissions(c.Args().Slice())
	if err != nil {
		return err
	}
	there, err := store.ReadStore(p.results)
	if err != nil {
		return bad(err)
	}
	runs := there.Runs()
	list := []standing{}
	for _, s := range all {
		queue, err := slurm.Queue(c.Context, s.Name)
		if err != nil {
			p.log.Warn("the queue could not be read", "error", message(err))
		}
		list = append(list, p.standingOf(c, s, runs, queue))
	}
	return p.emit(list, func(b *printout) {
		if len(list) == 0 {
			b.printf("nothing was submitted from %s\n", p.results)
			return
		}
		var rows, problems [][]string
		for _, s := range list {
			rows = append(rows, []string{s.Submission, count(s.Runs), count(s.Done), count(s.Failed), count(s.Running), count(s.Waiting)})
			for _, x := range s.Problems[:min(told, len(s.Problems))] {
				problems = append(problems, []string{s.Submission, count(x.Task), count(x.Runs), x.Why, x.Log})
			}
		}
		b.table(1, []string{"submission", "runs", "done", "failed", "tasks running", "waiting"}, rows)
		if len(problems) > 0 {
			b.printf("\nruns that are not done, for the first %d tasks of each:\n", told)
			b.table(1, []string{"submission", "task", "runs", "reason", "log"}, problems)
		}
	})
}

func (p *program) sweepCancel(c *cli.Context) error {
	if c.Args().Len() == 0 {
		return badf("no submission named: want NAME, as asp2vec sweep status lists them")
	}
	some, err := p.submissions(c.Args().Slice())
	if err != nil {
		return err
	}
	for _, s := range some {
		if err := slurm.Cancel(c.Context, s.Name); err != nil {
			return badf("%s was not cancelled: %w", s.Name, err)
		}
		p.log.Info("cancelled " + s.Name)
	}
	return p.emit(fields{"cancelled", len(some)}, func(b *printout) {
		b.printf("cancelled: finished runs stay in the store; the command that submitted it submits the rest again\n")
	})
}
