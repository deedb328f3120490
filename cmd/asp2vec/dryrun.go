package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// section is a table, a figure or a sweep, and its runs.
type section struct {
	name string
	jobs []store.Job
}

// within returns sections with those of their runs that are among jobs.
func within(sections []section, jobs []store.Job) []section {
	keys := seq.Set(jobs, store.Job.Key)
	some := make([]section, len(sections))
	for i, s := range sections {
		some[i].name = s.name
		for _, j := range s.jobs {
			if keys[j.Key()] {
				some[i].jobs = append(some[i].jobs, j)
			}
		}
	}
	return some
}

// dryRunDoc is what a dry run tells.
type dryRunDoc struct {
	Runs    []dryRun  `json:"runs"`
	Parts   []dryPart `json:"summary"`
	Missing int       `json:"missing"` // of several to choose from, one
	Seconds float64   `json:"seconds"` // of all that are missing, as many at a time as asked for; 0 for not known
	unfit   []string  // data sets that cannot be read here
}

type dryRun struct {
	Dataset     string  `json:"dataset"`
	Method      string  `json:"method"`
	Protocol    string  `json:"protocol"`
	Seed        uint64  `json:"seed"`
	Settings    string  `json:"settings,omitempty"`
	Key         string  `json:"key"`
	State       string  `json:"state"`
	Seconds     float64 `json:"seconds,omitempty"` // that runs of its method on its data set took, the median
	MemoryBytes int64   `json:"memory_bytes,omitempty"`
	Problem     string  `json:"problem,omitempty"`
	Among       int     `json:"among,omitempty"` // runs, of which this is one: that which is chosen is done
}

// dryPart is what a table or figure needs of a data set. A run that several need is in each.
type dryPart struct {
	Part    string `json:"part"`
	Dataset string `json:"dataset"`
	Runs    int    `json:"runs"`
	Missing int    `json:"missing"`
	Problem string `json:"problem,omitempty"` // the first one
}

// dryRun tells what runs there are to do, by section and data set or, in full, one by one.
func (p *program) dryRun(r *runner.Runner, sections []section, full bool) error {
	planned, err := r.Plan(seq.Flat(sections, func(s section) []store.Job { return s.jobs }))
	if err != nil {
		return bad(err)
	}
	doc := dryRunDoc{Runs: []dryRun{}, Missing: seq.Count(planned, runner.Planned.Todo)}
	doc.Seconds = runner.Together(planned, r.Jobs)
	by := map[string]runner.Planned{}
	for _, x := range planned {
		for _, key := range append(x.Among, x.Key) {
			by[key] = x
		}
		j := x.Job
		doc.Runs = append(doc.Runs, dryRun{j.Dataset, j.Options.Method.Name, j.Protocol, j.Options.Seed, j.Settings(), x.Key, x.State, x.Seconds, x.Memory, x.Unfit + x.Error, len(x.Among)})
		if x.Todo() && x.Unfit != "" && !slices.Contains(doc.unfit, j.Dataset) {
			doc.unfit = append(doc.unfit, j.Dataset)
		}
	}
	for _, s := range sections {
		doc.Parts = append(doc.Parts, partsOf(s, by)...)
	}
	return p.emit(doc, func(b *printout) { doc.write(b, r, full) })
}

// partsOf sums up a section by data set.
func partsOf(s section, by map[string]runner.Planned) (parts []dryPart) {
	seen := map[string]bool{}
	for _, j := range s.jobs {
		x, there := by[j.Key()]
		if !there || seen[x.Key] {
			continue // needless, or of an earlier line
		}
		seen[x.Key] = true
		at := slices.IndexFunc(parts, func(part dryPart) bool { return part.Dataset == j.Dataset })
		if at < 0 {
			at, parts = len(parts), append(parts, dryPart{Part: s.name, Dataset: j.Dataset})
		}
		part := &parts[at]
		if part.Runs++; x.Todo() {
			part.Missing++
		}
		part.Problem = cmp.Or(part.Problem, x.Unfit+x.Error)
	}
	return parts
}

// write writes a line for each part and data set, or in full for each run, and what all runs come to.
func (d dryRunDoc) write(b *printout, r *runner.Runner, full bool) {
	var rows [][]string
	if full {
		for _, x := range d.Runs {
			note := message(errors.New(x.Problem))
			if x.Among > 0 {
				note = fmt.Sprintf("one of %d, as will be chosen", x.Among)
			}
			rows = append(rows, []string{x.Dataset, x.Method, x.Protocol, fmt.Sprint(x.Seed), x.Settings, x.State, note})
		}
		b.table(6, []string{"data set", "method", "protocol", "seed", "settings", "run", ""}, rows)
	} else {
		for _, part := range d.Parts {
			rows = append(rows, []string{part.Part, part.Dataset, count(part.Runs), count(part.Missing), message(errors.New(part.Problem))})
		}
		b.table(2, []string{"", "data set", "runs", "to do", ""}, rows)
	}
	b.printf("\n%s, %d to do", many(len(d.Runs), "run"), d.Missing)
	if d.Seconds > 0 {
		b.printf(": about %s for those whose time is known, %d at a time on %d threads in total", about(d.Seconds), r.Jobs, r.Threads)
	}
	if len(d.unfit) > 0 {
		b.printf("\nData that cannot be read here: %s%s", strings.Join(d.unfit, ", "), fetchAdvice(d.unfit))
	}
	if chosen := seq.Count(d.Runs, func(x dryRun) bool { return x.Among > 0 }); chosen > 0 {
		b.printf("\n%d of these are chosen from several, by the runs before them", chosen)
	}
	b.WriteString("\n")
}
