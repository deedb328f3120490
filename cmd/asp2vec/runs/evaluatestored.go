package runs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// EvaluateStored scores the kept vectors of runs.
func EvaluateStored(p *shell.Program, c *cli.Context) error {
	if c.NArg() > 1 {
		return shell.Badf("%d names given: expected one FILE.yaml, table or runs", c.NArg())
	}
	jobs, err := program{p}.storedJobs(c, c.Args().First())
	if err != nil {
		return err
	}
	r, err := program{p}.newRunner(1)
	if err != nil {
		return err
	}
	o := p.ScoreOptions(c)
	scores, how := shell.List(c, "score"), shell.Measurement(c)
	if slices.Contains(scores, shell.ScoreNative) {
		return shell.Badf("--score native: stored runs have their own score already: expected --score %s", strings.Join(eval.Scorers.Names(), ", "))
	}
	all, missing, unkept := r.ScoreStored(c.Context, jobs, scores, o, how, func(i, n int) { p.Log.Debug("scored", "run", i, "of", n) })
	program{p}.tellUnscored(all, missing)
	if !slices.ContainsFunc(all, runner.Stored.Scored) {
		if unkept == nil {
			unkept = fmt.Errorf("no run was scored of %s: expected runs of the store with vectors that were kept", shell.Many(len(jobs), "run"))
		}
		return shell.Bad(unkept)
	}
	if p.JSON {
		err = p.Emit(seq.Map(all, storedFields))
	} else {
		err = p.PrintTables(c.String("format"), storedTable(all, scores, how.Keys()))
	}
	return errors.Join(err, shell.Bad(unkept))
}

// runName is what names a run of the store: the beginning of its key.
var runName = regexp.MustCompile("^[0-9a-f]{8,24}$")

// IsRun says whether a word names a run, and no file.
func IsRun(word string) bool {
	return !shell.IsPath(word) && runName.MatchString(word)
}

// storedJobs returns the runs that a word names: those of a sweep's or a table's file, of a table or figure of the paper, one run, or all of the store, of which
// --where leaves some.
func (p program) storedJobs(c *cli.Context, word string) (jobs []store.Job, err error) {
	filter, err := store.ParseFilter(strings.Join(c.StringSlice("where"), ","))
	switch {
	case err != nil:
		return nil, shell.WithNearest(err)
	case c.IsSet("where") && word != AllRuns:
		return nil, shell.Badf("--where applies to runs: expected asp2vec evaluate runs")
	}
	if sweep.IsFile(word) {
		return jobsOf(word, sweep.ToRun)
	}
	there, err := store.ReadOwn(p.Results)
	if err != nil {
		return nil, shell.Bad(err)
	}
	if word != AllRuns && !IsRun(word) {
		chosen, err := p.chooseProducts([]string{word})
		if err != nil {
			return nil, err
		}
		for _, x := range chosen {
			jobs = append(jobs, x.jobs(sweep.Scope{})...)
		}
		return jobs, nil
	}
	list, _, err := there.List(filter, func(e *store.Entry) bool {
		return e.Present && e.Error == "" && !e.Interrupted && (word == AllRuns || strings.HasPrefix(e.Name(), word) || strings.HasPrefix(e.Key, word))
	}, "", 0)
	if err == nil && len(list) == 0 && word != AllRuns {
		err = fmt.Errorf("no run %s in %s: expected one that results show runs lists", word, p.Results)
	}
	files, gone := map[string][]store.Job{}, map[string]int{}
	for _, e := range list {
		j, unknown := store.JobOf(e.Record)
		switch {
		case unknown != nil || j.Options.Method.Typed:
			continue
		case j.Own != nil:
			if j.Own = ownData(e, files); j.Own == nil {
				gone[j.Dataset]++
				continue
			}
		}
		jobs = append(jobs, j)
	}
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		p.Log.Warn("runs are of data that is not here: expected the sweep's file that their records name, or asp2vec evaluate FILE.yaml", "data_set", name, "runs", gone[name])
	}
	return jobs, shell.Bad(err)
}

// ownData returns where the data of a run lie by the file of its sweep, of those that were read or are; nil
// where that is not known.
func ownData(e *store.Entry, files map[string][]store.Job) *source.OwnData {
	for _, word := range e.Command {
		if !sweep.IsFile(word) {
			continue
		}
		if _, read := files[word]; !read {
			files[word], _ = jobsOf(word, sweep.ToRun)
		}
		for _, j := range files[word] {
			if j.Own != nil && j.Dataset == e.Dataset.Name {
				return j.Own
			}
		}
	}
	return nil
}

// tellUnscored says which runs could not be scored.
func (p program) tellUnscored(all []runner.Stored, missing int) {
	if failed := seq.Filter(all, func(one runner.Stored) bool { return one.Error != "" }); len(failed) > 0 {
		first := slices.MaxFunc(failed, func(a, b runner.Stored) int { return cmp.Compare(len(a.Error), len(b.Error)) })
		p.Log.Warn("runs could not be scored: their vectors were not kept (sweep and reproduce keep them), or have not what the score needs",
			"runs", len(failed), "run", first.Job.String(), "error", shell.Message(fmt.Errorf("%s", first.Error)))
	}
	if missing > 0 {
		p.Log.Warn("runs are not in the store, and were left out", "runs", missing)
	}
}

// storedFields is a run as evaluate prints it with --json.
func storedFields(one runner.Stored) shell.Fields {
	scores := seq.Filter(one.Scores, func(s results.Scored) bool { return s.Metrics != nil })
	all := shell.Fields{"run", one.Job.String(), "key", one.Job.Key(), "scores", append([]results.Scored{}, scores...)}
	if one.Error != "" {
		all = append(all, "error", one.Error)
	}
	return all
}

// storedTable has a row for each setting on each data set, and a column for each metric of each score, over seeds.
func storedTable(all []runner.Stored, scores, metrics []string) render.Table {
	t := render.Table{Name: "scores", Title: "scores of stored runs", Corner: "data set", Columns: []string{"method", "protocol", "settings", "seeds"}}
	for _, score := range scores {
		for _, m := range metrics {
			t.Columns = append(t.Columns, score+" "+strings.ToUpper(m))
		}
	}
	type place struct{ dataset, group string }
	groups := map[place][]runner.Stored{}
	var order []place
	for _, one := range all {
		at := place{one.Job.Dataset, one.Job.Group()}
		if !one.Scored() {
			continue
		}
		if groups[at] == nil {
			order = append(order, at)
		}
		groups[at] = append(groups[at], one)
	}
	for _, at := range order {
		group := groups[at]
		j := group[0].Job
		values := render.Texts(j.Options.Method.Name, j.Protocol, j.Settings(), shell.Count(len(group)))
		for i := range scores {
			for _, m := range metrics {
				var over []float64 // those seeds that have it
				for _, one := range group {
					over = append(over, metricOf(one.Scores[i].Metrics, m)...)
				}
				values = append(values, render.ValueOf(over))
			}
		}
		t.Rows = append(t.Rows, render.Row{Label: j.Dataset, Values: values})
	}
	return t
}

// metricOf returns a metric on test links or, of a run that was scored by links held out, on those; nothing where there is none.
func metricOf(all map[string]float64, name string) []float64 {
	for _, name := range []string{name, run.ValidationPrefix + name} {
		if x, ok := all[name]; ok {
			return []float64{x}
		}
	}
	return nil
}
