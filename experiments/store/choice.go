package store

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// FirstSeed is the one under which a choice of options is made that the other seeds follow.
const FirstSeed = 1

// Choice is a set of runs that differ in some options, of which the one is shown that the validation set likes best, or training
// links held out for that.
type Choice struct {
	Grid    grid.Grid // its combinations are the candidates
	Against string    // of the metric that chooses: the suffix of a kind of negatives (eval.Negatives)
}

// triedIn says whether a run of before was chosen from the combinations of the choice when it ran.
func (c *Choice) triedIn(r results.Record) bool {
	for each := range c.Grid.All() {
		if !slices.Contains(r.Tried, results.Tried{Name: c.Grid.Name(each)}) {
			return false
		}
	}
	return true
}

// same says whether two choices, or none, are one.
func (c *Choice) same(other *Choice) bool {
	return c == other || c != nil && other != nil && reflect.DeepEqual(*c, *other)
}

// Merged returns jobs with each training once, in their order, with all scores that are wanted of it. What is also asked for without a choice, or by another one, is done whatever
// one of them comes to.
func Merged(jobs []Job) (all []Job, keys []string) {
	at := map[string]int{}
	for _, j := range jobs {
		key := j.Key()
		i, there := at[key]
		switch {
		case !there:
			at[key] = len(all)
			all, keys = append(all, j), append(keys, key)
		case !all[i].Choice.same(j.Choice):
			all[i].Choice = nil
		}
		if there {
			all[i].Scores = append(all[i].AllScores(), j.AllScores()...)
		}
	}
	return all, keys
}

// Candidates returns the runs that a run of a choice is one of, under a seed: the job with each combination of its choice. Without
// a choice it is that job alone.
func (j Job) Candidates(seed uint64) (all []Job) {
	j.Options.Seed = seed
	if j.Choice == nil {
		return []Job{j}
	}
	var seen []graphs.Options
	for c := range j.Choice.Grid.All() {
		each := j
		if j.Choice.Grid.Set(&each.Options, c); slices.ContainsFunc(seen, each.Options.Equal) {
			continue
		}
		seen = append(seen, each.Options)
		all = append(all, each)
	}
	return all
}

// NeedsNoRun says whether a table or a sweep needs no run of the job any more: because there is its record or, for one of a choice,
// because another one was chosen. A run that is only to choose, on links held out, is needed no more after the choice.
func (r *Runs) NeedsNoRun(j Job) bool {
	if _, ok := r.Find(j); ok || j.Choice == nil {
		return ok
	}
	if onlyChooses(j) {
		j.Options.HoldOut = 0
		return r.contest(j, FirstSeed).decided
	}
	chosen, ok := r.Chosen(j)
	return ok && chosen.Key() != j.Key()
}

// Chosen returns that one of a job's candidates that was chosen, under the job's own seed or the first, and whether one was.
func (r *Runs) Chosen(j Job) (Job, bool) {
	own := r.contest(j, j.Options.Seed)
	decided := own
	if !own.decided {
		decided = r.contest(j, FirstSeed)
	}
	if !decided.decided {
		return Job{}, false
	}
	return own.candidates[decided.best], true
}

// contest is the candidates of a choice under one seed, and the best of them.
type contest struct {
	candidates []Job
	best       int
	decided    bool
}

// contest returns that of a job. It is worked out once for all of its candidates, which are known by what the first of them is.
func (r *Runs) contest(j Job, seed uint64) contest {
	first := j
	first.Options.Seed = seed
	if j.Choice != nil {
		for c := range j.Choice.Grid.All() {
			j.Choice.Grid.Set(&first.Options, c)
			break
		}
	}
	sums, _ := r.checksums(first)
	key := fmt.Sprintf("%p %v %s %s %s %s", j.Choice, sums, j.Protocol, first.Options.Scorer(), j.Scores, first.text()) // scores choose among the same vectors
	c, known := r.contests[key]
	if !known {
		c.candidates = j.Candidates(seed)
		c.best, c.decided = r.best(c.candidates)
		r.contests[key] = c
	}
	return c
}

// Deciders returns the runs that decide about a job of a choice: its candidates under the first seed or, where links are held out for the
// choice, these with links held out. None for a job that decides itself, and for one without a choice.
func Deciders(j Job) []Job {
	held := choosesNothing(j.Options)
	if j.Choice == nil || onlyChooses(j) || !held && j.Options.Seed == FirstSeed {
		return nil
	}
	return Choosing(j.Candidates(FirstSeed))
}

// Choosing returns the runs whose scores choose among some jobs: those jobs or, where no links choose epochs, the same with
// links held out for that.
func Choosing(jobs []Job) []Job {
	all := slices.Clone(jobs)
	for i := range all {
		if o := &all[i].Options; choosesNothing(*o) && o.HoldOut == 0 {
			o.HoldOut = run.HoldOutFraction
		}
	}
	return all
}

// onlyChooses says whether a job is only to choose.
func onlyChooses(j Job) bool { return choosesNothing(j.Options) && j.Options.HoldOut > 0 }

// choosesNothing says whether a run looks at no links to choose its epoch, so that links are held out to choose among several.
func choosesNothing(o graphs.Options) bool {
	return o.Select == graphs.SelectLast || o.Select == graphs.SelectLoss
}

// Shown returns the job that a cell of some jobs shows, and its record, if there is one: the only job, or that one of a choice's candidates which
// was chosen, or the first where none was.
func (r *Runs) Shown(jobs []Job) (j Job, record results.Record, there bool) {
	if len(jobs) == 0 {
		return j, record, false
	}
	if j = jobs[0]; len(jobs) > 1 {
		chosen, ok := r.Chosen(j)
		if !ok {
			return j, record, false
		}
		j = chosen
	}
	record, there = r.Find(j)
	return j, record, there
}

// best returns the index of the best of several jobs by the score that chose their epochs: only if all were tried, of which
// some may have failed, or if the choice was made when they ran. Where there is no validation set it is by links held out under the
// first seed, for the jobs of that seed: of the jobs themselves there may be no record then.
func (r *Runs) best(jobs []Job) (best int, ok bool) {
	for i, j := range jobs {
		if record, found := r.Find(j); found && j.Choice != nil && j.Choice.triedIn(record) {
			return i, true
		}
	}
	if len(jobs) == 0 || choosesNothing(jobs[0].Options) && jobs[0].Options.Seed != FirstSeed {
		return 0, false
	}
	tried, most, against := 0, math.Inf(-1), ""
	if jobs[0].Choice != nil {
		against = jobs[0].Choice.Against
	}
	for i, j := range Choosing(jobs) {
		record, found := r.Find(j)
		if !found {
			if _, failed := r.Failure(j); failed {
				tried++
			}
			continue
		}
		tried++
		if score, on := chosenBy(record, against); on != "" && score > most {
			best, most = i, score
		}
	}
	return best, tried == len(jobs) && !math.IsInf(most, -1)
}

// Links that epochs are chosen on.
const (
	OnValidation = "validation"
	OnTest       = "test"
	onPapers     = " of other papers" // after the metric
)

// OnPapers says whether epochs were chosen on papers.
func OnPapers(chosenOn string) bool { return strings.HasSuffix(chosenOn, onPapers) }

// ChosenBy returns the score of a record's reported epoch on what chose it, or that of the links held out from the run, and what that
// is; "" for nothing, or for no number.
func ChosenBy(r results.Record) (score float64, on string) { return chosenBy(r, "") }

// chosenBy is ChosenBy against negatives of a suffix, where links were held out from the run.
func chosenBy(r results.Record, against string) (score float64, on string) {
	if score, ok := r.Metrics[run.ValidationAUC+against]; ok {
		return number(score, OnValidation)
	}
	for _, e := range r.Epochs {
		dev, ofPapers := e.Metrics[run.DevPrefix+run.ValidatedChoice]
		switch {
		case e.Stage != r.BestStage || e.Epoch != r.BestEpoch:
		case r.Selection == results.ValidationBest && ofPapers:
			return number(dev, run.ValidatedChoice+onPapers)
		case r.Selection == results.TestBest && ofPapers:
			return number(e.Metrics[run.DevPrefix+run.PaperChoice], run.PaperChoice+onPapers)
		case r.Selection == results.ValidationBest && e.ValidationAUC != nil:
			return number(*e.ValidationAUC, OnValidation)
		case r.Selection == results.TestBest && e.TestAUC != nil:
			return number(*e.TestAUC, OnTest)
		}
	}
	return 0, ""
}

func number(x float64, on string) (float64, string) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, ""
	}
	return x, on
}
