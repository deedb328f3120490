package runner

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// States of a run in a store. A run of other data, or of other code, is another run.
const (
	StateMissing = "missing"
	StateScore   = "to be scored" // by a score that its record does not have: from its vectors or, where these have gone, by training it again
	StateDone    = "there"
	StateFailed  = "failed" // and is not to be tried again
	StateRetry   = "again"  // failed, and is to be tried again
)

// Planned is a run that was asked for.
type Planned struct {
	Job     store.Job
	Key     string
	Folder  string // its name in the store
	State   string
	Error   string  // of one that failed
	Seconds float64 // that one may take which is to be done; 0 for not known
	Memory  int64   // about what it will need, in bytes
	Unfit   string  // why it cannot be done here, if it cannot

	// Among are the keys of the runs of which this stands for the one that is still to be chosen, by runs that come first; nil for a run
	// that is to be done as it is.
	Among []string

	data  *run.DataSet
	entry *store.Entry // that the store had of it
}

// Todo says whether the run is to be done.
func (p Planned) Todo() bool {
	return p.State == StateMissing || p.State == StateRetry || p.State == StateScore
}

// scored names the run with each of its scores.
func (p Planned) scored() []string {
	return seq.Map(p.Job.AllScores(), func(score string) string { return p.Key + " " + score })
}

// Plan returns the runs that were asked for, each once, with what the store says of them: first those that are to be done whatever others
// come to, then one for each choice that they make. It does no run, and writes nothing. It reads their data. It returns an error
// for a store that cannot be read.
func (r *Runner) Plan(jobs []store.Job) ([]Planned, error) {
	_, planned, err := r.plan(jobs)
	return planned, err
}

// planner looks at jobs in the light of a store.
type planner struct {
	*Runner
	store *store.Store
	runs  *store.Runs
	times times
}

// planner reads the store.
func (r *Runner) planner() (*planner, error) {
	r.Data = run.NewCatalog(r.DataDir)
	pl := &planner{Runner: r}
	return pl, pl.look()
}

func (r *Runner) plan(jobs []store.Job) (*planner, []Planned, error) {
	pl, err := r.planner()
	if err != nil {
		return nil, nil, err
	}
	for _, e := range slices.Concat(r.Measured, pl.store.Entries) {
		pl.times.addRecord(e.Record)
	}
	jobs, keys := store.Merged(jobs)
	var planned []Planned
	seen := map[string]bool{}
	keep := func(p Planned) {
		scored := p.scored()
		if slices.ContainsFunc(scored, func(name string) bool { return !seen[name] }) {
			planned = append(planned, p)
		}
		for _, name := range scored {
			seen[name] = true
		}
	}
	var open []Planned // of each choice that others make the run that is to be chosen, among those that Among names
	place := map[string]int{}
	for i, j := range jobs {
		deciders := store.Deciders(j)
		if len(deciders) == 0 {
			if p := pl.planned(j, keys[i]); p.State != StateMissing || j.Choice == nil || !pl.runs.NeedsNoRun(j) {
				keep(p)
			}
			continue
		}
		for _, each := range j.EachScore() {
			choice := fmt.Sprint(deciders[0].Key(), " ", each.Options.Seed, " ", each.Options.Scorer())
			at, there := place[choice]
			if !there {
				at = len(open)
				place[choice], open = at, append(open, pl.planned(each, keys[i]))
			}
			open[at].Among = append(open[at].Among, keys[i])
		}
	}
	for _, p := range open {
		if chosen, ok := pl.chosen(p.Job); ok {
			p = chosen
		}
		keep(p)
	}
	return pl, planned, nil
}

// look reads what the store holds by now.
func (pl *planner) look() (err error) {
	if pl.store, err = store.ReadOwn(pl.Store); err != nil {
		return err
	}
	pl.runs = pl.store.Runs(pl.Data)
	return nil
}

// chosen returns the run that was chosen among the candidates of one, and whether one was.
func (pl *planner) chosen(of store.Job) (Planned, bool) {
	j, ok := pl.runs.Chosen(of)
	if !ok {
		return Planned{}, false
	}
	return pl.planned(j, j.Key()), true
}

func (pl *planner) dataOf(j store.Job) *run.DataSet { return pl.Data.Of(j.Dataset, j.Own) }

// planned returns what the store says of a run.
func (pl *planner) planned(j store.Job, key string) Planned {
	p := Planned{Job: j, Key: key, State: StateMissing, data: pl.dataOf(j)}
	sums, _ := p.data.Checksums(j.Options)
	p.Folder = run.Folder(j.Dataset, sums.Data, j.Options)
	p.entry, _ = pl.runs.Entry(j)
	failure, failed := pl.runs.Failure(j)
	switch {
	case p.entry != nil && p.entry.Error != "":
		failure, failed, p.entry = p.entry.Error, true, nil
	case p.entry != nil && !pl.lacks(j, p.entry) && len(j.Lacks(p.entry)) == 0:
		p.State = StateDone
	case p.entry != nil:
		p.State = StateScore
	}
	switch {
	case p.State != StateMissing || !failed:
	case pl.Retry:
		p.State, p.Error = StateRetry, failure
	default:
		p.State, p.Error = StateFailed, failure
	}
	if p.Todo() && (p.entry == nil || !store.HasVectors(p.entry.Dir)) {
		p.Seconds = pl.times.of(placeOf(j))
		pl.measure(&p)
	}
	if _, err := store.ReadRun(pl.folder(p)); err != nil && p.Todo() { // though something is there
		p.Unfit = err.Error()
	}
	return p
}

func (r *Runner) lacks(j store.Job, there *store.Entry) bool {
	return r.Lacks != nil && r.Lacks(j, there)
}

// measure fills in what a run will need.
func (r *Runner) measure(p *Planned) {
	loaded, err := p.data.Load()
	if err != nil {
		p.Unfit = err.Error()
		return
	}
	data := dataToPlan(loaded)
	data.Name = p.Job.Dataset
	if p.Memory = run.NewPlan(data, p.Job.Options).Memory; r.Memory > 0 && uint64(p.Memory) > r.Memory {
		p.Unfit = fmt.Sprintf("experiments: about %d MiB of memory needed, and there are %d: expected a lower dim, aspects or batch, or fewer walks", p.Memory>>20, r.Memory>>20)
	}
}

// dataToPlan returns data of the size of what a source holds, with a split that runs will not get where there is none.
func dataToPlan(l source.Loaded) run.Data {
	if l.Bibliography != nil {
		return run.Data{Bibliography: l.Bibliography}
	}
	split := l.Split
	if split == nil {
		n := l.Network.LargestComponent()
		links := n.List()
		half := int(source.DatasetRemove * float64(len(links)))
		split = &network.Split{
			Names: n.Names(), Directed: n.Directed(), Test: links[:half], TestNeg: links[:half], Train: links[half:], TrainNeg: links[half:],
		}
	}
	return run.Data{Split: split}
}

// Together is how long the runs of a plan take with several at a time, as far as it is known. jobs is at least 1.
func Together(planned []Planned, jobs int) (seconds float64) {
	for _, p := range planned {
		seconds += p.Seconds
	}
	return seconds / float64(max(1, min(jobs, len(planned))))
}

// CheckStore returns an error for a store in which no run can be made.
func CheckStore(path string) error {
	if err := atomicfile.CheckWritable(filepath.Join(path, results.RecordFile)); err != nil {
		return fmt.Errorf("experiments: store: %w", err)
	}
	return nil
}
