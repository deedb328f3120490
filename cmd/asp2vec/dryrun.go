package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// fullFlag asks a dry run for every run.
func fullFlag(category string) cli.Flag {
	return &cli.BoolFlag{Name: "full", Category: category, Usage: "with --dry-run: list each run"}
}

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
	Runs    []dryRun         `json:"runs"`
	Parts   []dryPart        `json:"summary"`
	Missing int              `json:"missing"` // of several to choose from, one
	Seconds float64          `json:"seconds"` // of all that are missing, as many at a time as asked for; 0 for not known
	known   bool             // Seconds is of all
	planned []runner.Planned // of Runs
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
	Part        string  `json:"part"`
	Dataset     string  `json:"dataset"`
	Runs        int     `json:"runs"`
	Missing     int     `json:"missing"`
	Seconds     float64 `json:"seconds"` // of these, one at a time; 0 for not known
	MemoryBytes int64   `json:"memory_bytes,omitempty"`
	Problem     string  `json:"problem,omitempty"` // the first one
}

// dryRun tells what runs there are to do, by section and data set or, in full, one by one, with what those would need that are not in the
// store.
func (p *program) dryRun(r *runner.Runner, sections []section, full bool) error {
	jobs := seq.Flat(sections, func(s section) []store.Job { return s.jobs })
	planned, err := r.Plan(jobs)
	if err != nil {
		return bad(err)
	}
	doc := dryRunDoc{Runs: []dryRun{}, Missing: seq.Count(planned, runner.Planned.Todo), planned: planned}
	doc.Seconds, doc.known = runner.Together(planned, r.Jobs)
	p.warnOlder(store.ByMethod(runner.OlderRuns(planned)), true)
	by := map[string]runner.Planned{}
	for _, x := range planned {
		j := x.Job
		for _, key := range append(x.Among, x.Key) {
			by[key] = x
		}
		doc.Runs = append(doc.Runs, dryRun{j.Dataset, j.Options.Method.Name, j.Protocol, j.Options.Seed, j.Settings(), x.Key, x.State, x.Seconds, x.Memory, x.Unfit + x.Error, len(x.Among)})
	}
	for _, s := range sections {
		doc.Parts = append(doc.Parts, partsOf(s, by)...)
	}
	return p.emit(doc, func(b *printout) {
		if full {
			doc.list(b)
		} else {
			doc.summary(b)
		}
		doc.conclude(b, r)
	})
}

// partsOf sums up a section by data set.
func partsOf(s section, by map[string]runner.Planned) (parts []dryPart) {
	at := map[string]int{}
	of := map[string][]runner.Planned{}
	seen := map[string]bool{}
	for _, j := range s.jobs {
		key := j.Key()
		x, there := by[key]
		if !there || seen[x.Key] {
			continue // needless, or of an earlier line
		}
		seen[x.Key] = true
		if _, begun := at[j.Dataset]; !begun {
			at[j.Dataset] = len(parts)
			parts = append(parts, dryPart{Part: s.name, Dataset: j.Dataset})
		}
		part := &parts[at[j.Dataset]]
		part.Runs++
		if x.Todo() {
			part.MemoryBytes = max(part.MemoryBytes, x.Memory)
		}
		if problem := x.Unfit + x.Error; problem != "" && part.Problem == "" {
			part.Problem = problem
		}
		of[j.Dataset] = append(of[j.Dataset], x)
	}
	for dataset, list := range of {
		parts[at[dataset]].Missing = seq.Count(list, runner.Planned.Todo)
		parts[at[dataset]].Seconds, _ = runner.Together(list, 1)
	}
	return parts
}

// summary writes a line for each part and data set.
func (d dryRunDoc) summary(b *printout) {
	var rows [][]string
	last := ""
	for _, part := range d.Parts {
		name, time, memory, note := part.Part, "", "", ""
		if name == last {
			name = ""
		}
		last = part.Part
		if part.Missing > 0 {
			if time = about(part.Seconds); part.MemoryBytes > 0 { // else the data are not here
				memory = size(part.MemoryBytes).String()
			}
		}
		if note, _, _ = strings.Cut(message(errors.New(part.Problem)), ": want "); part.Problem == "" {
			note = ""
		}
		rows = append(rows, []string{name, part.Dataset, count(part.Runs), count(part.Missing), time, memory, note})
	}
	b.table(2, []string{"", "data set", "runs", "to do", "time", "memory", ""}, rows)
}

// list writes a line for each run.
func (d dryRunDoc) list(b *printout) {
	var rows [][]string
	for i, r := range d.Runs {
		time, memory := "", ""
		if d.planned[i].Todo() {
			time, memory = about(r.Seconds), size(r.MemoryBytes).String()
		}
		note := ""
		if r.Among > 0 {
			note = fmt.Sprintf("one of %d, as will be chosen", r.Among)
		}
		if r.Problem != "" {
			note = message(errors.New(r.Problem))
		}
		rows = append(rows, []string{r.Dataset, r.Method, r.Protocol, fmt.Sprint(r.Seed), r.Settings, r.State, time, memory, note})
	}
	b.table(6, []string{"data set", "method", "protocol", "seed", "settings", "run", "time", "memory", ""}, rows)
}

// absent returns the data sets that are not in a folder.
func (d dryRunDoc) absent(dir string) (names []string) {
	for _, part := range d.Parts {
		if set, err := network.Lookup(part.Dataset); err == nil && !slices.Contains(names, set.Name) {
			if _, _, err := set.Find(dir); err != nil {
				names = append(names, set.Name)
			}
		}
	}
	return names
}

// conclude writes what all runs come to.
func (d dryRunDoc) conclude(b *printout, r *runner.Runner) {
	todo := seq.Filter(d.planned, runner.Planned.Todo)
	var largest int64
	for _, x := range todo {
		largest = max(largest, x.Memory)
	}
	chosen := seq.Count(d.planned, func(x runner.Planned) bool { return x.Among != nil })
	unfit := seq.Count(todo, func(x runner.Planned) bool { return x.Unfit != "" })
	b.printf("\n%s, %d to do", many(len(d.Runs), "run"), d.Missing)
	if d.Missing > 0 && largest > 0 { // else nothing is known of them
		time := "time unknown before the first"
		if d.Seconds > 0 {
			time = "about " + about(d.Seconds)
		}
		if d.Seconds > 0 && !d.known {
			time += ", and what is not known"
		}
		b.printf(": %s, %d at a time on %d threads in total; the largest needs about %s", time, r.Jobs, r.Threads, size(largest))
	}
	if unfit > 0 {
		b.printf("\nData for %d of these is missing here%s", unfit, strings.Replace(fetchAdvice(d.absent(r.DataDir)), ", or ", ": want ", 1))
	}
	if chosen > 0 {
		b.printf("\n%d of these are chosen from several, by the runs before them", chosen)
	}
	b.WriteString("\n")
}
