package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/slurm"
)

func (p *program) sweepStatusCommand() *cli.Command {
	return &cli.Command{
		Name: "status", ArgsUsage: "[NAME ...]",
		Usage: "show the progress of a submission to a cluster, and why runs are not done",
		Description: "Without a name, shows all submissions of the store (--results). Works on any machine that sees the store; the queue is shown\n" +
			"where squeue is available.\n\n" + example("asp2vec sweep status", "asp2vec sweep status epsilon-1"),
		Action: p.sweepStatus,
	}
}

func (p *program) sweepCancelCommand() *cli.Command {
	return &cli.Command{
		Name: "cancel", ArgsUsage: "NAME ...",
		Usage:       "remove the tasks of submissions from the queue of the cluster, and stop running ones",
		Description: "Finished runs stay in the store; the command that submitted them submits the others again.\n\n" + example("asp2vec sweep cancel epsilon-1"),
		Action:      p.sweepCancel,
	}
}

// submissions returns those of the store that are named; all without a name.
func (p *program) submissions(names []string) ([]*runner.Submission, error) {
	if p.results == "" {
		return nil, badf("--results none: want the folder of the store, which contains the submissions")
	}
	all, err := runner.Submissions(p.results)
	if err != nil {
		return nil, bad(err)
	}
	if len(names) == 0 {
		return all, nil
	}
	known := seq.Map(all, func(s *runner.Submission) string { return s.Name })
	var some []*runner.Submission
	for _, name := range names {
		at := slices.Index(known, filepath.Base(name)) // also the folder's path
		if at < 0 && len(known) == 0 {
			return nil, badf("no submission %q: there are none in %s", name, runner.SubmissionsFolder(p.results))
		} else if at < 0 {
			return nil, badf("no submission %q: want %s", name, nearest(name, known))
		}
		some = append(some, all[at])
	}
	return some, nil
}

// standing is how a submission stands.
type standing struct {
	Submission string    `json:"submission"`
	Runs       int       `json:"runs"`
	Done       int       `json:"done"` // or needless by now
	Failed     int       `json:"failed"`
	Running    int       `json:"running"` // in a task that runs
	Waiting    int       `json:"waiting"` // in a task that is in the queue
	Lost       int       `json:"lost"`    // neither done nor in the queue
	Problems   []problem `json:"problems,omitempty"`
}

// problem is why runs of a task are not done, or how the queue sees it.
type problem struct {
	Task int    `json:"task"`
	Runs int    `json:"runs"` // that are not done
	What string `json:"what"`
	Why  string `json:"why"`
	Node string `json:"node,omitempty"`
	Log  string `json:"log,omitempty"`
}

func (p *program) sweepStatus(c *cli.Context) error {
	all, err := p.submissions(c.Args().Slice())
	if err != nil {
		return err
	}
	queue, queueErr := queueOf(c.Context, all)
	if queueErr != nil {
		p.log.Warn("the queue could not be read", "error", message(queueErr))
	}
	store, err := store.ReadStore(p.results)
	if err != nil {
		return bad(err)
	}
	runs := store.Runs()
	list := []standing{}
	for _, s := range all {
		st, err := standingOf(c, s, runs, queue[s.Name])
		if err != nil {
			return bad(err)
		}
		list = append(list, st)
	}
	return p.emit(list, func(b *printout) {
		if len(list) == 0 {
			b.printf("nothing was submitted from %s\n", p.results)
			return
		}
		var rows, problems [][]string
		for _, s := range list {
			rows = append(rows, []string{s.Submission, count(s.Runs), count(s.Done), count(s.Failed), count(s.Running), count(s.Waiting), count(s.Lost)})
			for i, x := range s.Problems {
				const told = 20
				if i == told {
					problems = append(problems, []string{s.Submission, "", "", fmt.Sprintf("and %d more tasks", len(s.Problems)-told), ""})
					break
				}
				problems = append(problems, []string{s.Submission, fmt.Sprint(x.Task), count(x.Runs), strings.TrimSpace(x.What + ": " + x.Why), strings.TrimSpace(x.Node + " " + x.Log)})
			}
		}
		b.table(1, []string{"submission", "runs", "done", "failed", "running", "waiting", "not done, not queued"}, rows)
		if len(problems) > 0 {
			b.WriteString("\n")
			b.table(1, []string{"submission", "task", "runs", "reason", "where"}, problems)
		}
	})
}

// standingOf counts the runs of a submission by what became of them.
func standingOf(c *cli.Context, s *runner.Submission, runs *store.Runs, queue map[int]slurm.Task) (standing, error) {
	st := standing{Submission: s.Name, Runs: s.Runs}
	tasks, err := s.AllTasks()
	if err != nil {
		return st, err
	}
	lives, err := s.Lives()
	if err != nil {
		return st, err
	}
	open := map[int]int{} // runs that are not done, by task
	reasons := map[int]string{}
	for number, task := range tasks {
		for _, r := range task {
			state, why := r.State(runs)
			switch state {
			case runner.StateDone:
				st.Done++
			case runner.StateFailed:
				st.Failed++
				open[number], reasons[number] = open[number]+1, "failed: "+message(fmt.Errorf("%s", why))
			default:
				q, there := queue[number]
				switch {
				case there && q.State == "RUNNING":
					st.Running++
				case there && !q.Over():
					st.Waiting++
				default:
					st.Lost++
				}
				open[number]++
			}
		}
	}
	var ended map[string]string
	for _, number := range slices.Sorted(maps.Keys(open)) {
		life, lived := lives[number]
		q, there := queue[number]
		x := problem{Task: number, Runs: open[number], Node: life.Host}
		if lived {
			x.Log = filepath.Join(s.Dir, runner.LogFolder)
		}
		switch {
		case there && !q.Over():
			if q.State == "RUNNING" && reasons[number] == "" {
				continue // nothing is amiss
			}
			if x.What, x.Why = strings.ToLower(q.State), q.Why; q.State == "PENDING" && (q.Why == "Resources" || q.Why == "Priority" || q.Why == "None") && !lived {
				continue
			}
			if life.How != "" {
				x.Why += ", after " + life.How
			}
		case reasons[number] != "":
			x.What, x.Why = "ended", reasons[number]
		case life.How == runner.LifeDone && len(life.Failed) > 0:
			x.What, x.Why = "ended", "failed: "+message(fmt.Errorf("%s", life.Failed[0].Error))
		case life.How != "":
			if x.What, x.Why = life.How, life.Reason; there {
				x.Why += ", " + strings.ToLower(q.State)
			}
		default:
			if x.What = runner.LifeUnheard; !lived {
				x.What = "never began"
			}
			if x.Why = strings.ToLower(q.State); !there {
				if ended == nil {
					ended = accountsOf(c, s)
				}
				x.Why = strings.ToLower(ended[accountName(s, number)])
			}
			if x.Why == "" && lived {
				x.Why = "killed, or lost with its machine"
			} else if x.Why == "" {
				x.Why = "cancelled, or never submitted"
			}
		}
		st.Problems = append(st.Problems, x)
	}
	return st, nil
}

// accountsOf returns how the tasks of a submission ended, as far as the cluster knows.
func accountsOf(c *cli.Context, s *runner.Submission) map[string]string {
	arrays, err := s.Arrays()
	if err != nil || len(arrays) == 0 {
		return map[string]string{}
	}
	return slurm.Accounts(c.Context, seq.Map(arrays, func(a runner.Array) string { return a.Job }))
}

// accountName returns the name of a task in the cluster's accounts.
func accountName(s *runner.Submission, number int) string {
	arrays, err := s.Arrays()
	if err != nil {
		return ""
	}
	for _, a := range arrays {
		if number >= a.First && number < a.First+a.Tasks {
			return fmt.Sprintf("%s_%d", a.Job, number-a.First)
		}
	}
	return ""
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
		if err := slurm.Cancel(c.Context, s.Job); err != nil {
			return badf("%s was not cancelled: %w", s.Name, err)
		}
		p.log.Info("cancelled " + s.Name)
	}
	return p.emit(fields{"cancelled", len(some)}, func(b *printout) {
		b.printf("cancelled: finished runs stay in the store; the command that submitted it submits the rest again\n")
	})
}
