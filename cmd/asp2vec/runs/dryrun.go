package runs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// section is a table, a figure or a sweep, and its runs.
type section struct {
	name string
	jobs []store.Job
}

// dryRun tells what there is to do of jobs, by section and data set or, in full, one by one.
func (p program) dryRun(r *runner.Runner, sections []section, jobs []store.Job, full bool) error {
	planned, err := r.Plan(jobs)
	if err != nil {
		return shell.Bad(err)
	}
	by := map[string]runner.Planned{}
	var runs, parts [][]any
	var unfit []string // data sets that cannot be read here
	for _, x := range planned {
		for _, key := range append(x.Among, x.Key) {
			by[key] = x
		}
		j := x.Job
		runs = append(runs, []any{j.Dataset, j.Options.Method.Name, j.Protocol, j.Options.Seed, j.Settings(), x.Key, x.State, shell.Known(x.Seconds), shell.Known(shell.Size(x.Memory)), problemOf(x), shell.Known(len(x.Among))})
		if x.Todo() && x.Unfit != "" && !slices.Contains(unfit, j.Dataset) {
			unfit = append(unfit, j.Dataset)
		}
	}
	for _, s := range sections {
		parts = append(parts, partsOf(s, by)...)
	}
	d := p.Answer()
	listRuns, listParts := d.Objects, d.Table
	if full {
		listRuns, listParts = listParts, listRuns
	}
	listRuns("runs", runs, "dataset", "method", "protocol", "seed", "settings", "key", "state", "seconds", "memory_bytes", "problem", "among")
	listParts("summary", parts, "part", "dataset", "runs", "missing", "problem")
	missing, seconds := seq.Count(planned, runner.Planned.Todo), runner.Together(planned, r.Jobs)
	d.Data("missing", missing, "seconds", seconds)
	text := fmt.Sprintf("%s, %d to do", shell.Many(len(planned), "run"), missing)
	if seconds > 0 {
		text += fmt.Sprintf(": about %s for those whose time is known, %d at a time on %d threads in total", shell.About(seconds), r.Jobs, r.Threads)
	}
	if len(unfit) > 0 {
		text += fmt.Sprintf("\nData that cannot be read here: %s%s", strings.Join(unfit, ", "), fetchAdvice(unfit))
	}
	if chosen := seq.Count(planned, func(x runner.Planned) bool { return x.Among != nil }); chosen > 0 {
		text += fmt.Sprintf("\n%d of these are chosen from several, by the runs before them", chosen)
	}
	d.Say("%s", text)
	return p.Show(d)
}

// problemOf says why a run cannot be done, or failed.
func problemOf(x runner.Planned) string { return shell.Message(errors.New(x.Unfit + x.Error)) }

// partsOf sums up a section by data set: its name, the data set, runs, those that are missing, and the first problem. A run that several sections need is in each.
func partsOf(s section, by map[string]runner.Planned) (rows [][]any) {
	seen := map[string]bool{}
	of := map[string][]runner.Planned{}
	var datasets []string
	for _, j := range s.jobs {
		x, there := by[j.Key()]
		if !there || seen[x.Key] {
			continue // needless, of another shard, or of an earlier line
		}
		seen[x.Key] = true
		if of[j.Dataset] == nil {
			datasets = append(datasets, j.Dataset)
		}
		of[j.Dataset] = append(of[j.Dataset], x)
	}
	for _, name := range datasets {
		problem := ""
		for _, x := range of[name] {
			problem = cmp.Or(problem, problemOf(x))
		}
		rows = append(rows, []any{s.name, name, len(of[name]), seq.Count(of[name], runner.Planned.Todo), problem})
	}
	return rows
}
