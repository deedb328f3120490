package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/filelock"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// keepVectors leaves the vectors of a run on links in its folder. A run whose vectors cannot be kept is none the worse: a later score trains it again.
func (s *session) keepVectors(i int, out *run.Outcome) {
	if s.Vectors <= 0 || out.Result == nil || s.planned[i].Job.Options.Method.Typed {
		return
	}
	err := store.KeepVectors(s.folder(s.planned[i]), out.Result.Names, *out.Result.Embedding)
	if err == nil {
		_, _, err = store.Trim(s.Store, s.Vectors)
	}
	if err != nil {
		s.tell(i, Event{Event: EventNote, Note: "vectors are not kept; another score will train the run again", Error: err.Error()})
	}
}

// score measures the kept vectors of a run by the scores that its record lacks. Where they have gone meanwhile, it trains again.
func (s *session) score(ctx context.Context, i, threads int, there *store.Entry) error {
	p := s.planned[i]
	s.tell(i, Event{Event: EventStart})
	scores, err, unkept := s.scored(ctx, p, there, p.Job.Lacks(there), eval.ScoreOptions{Threads: threads}, eval.Measurement{}, there.Dir == s.folder(p))
	s.stop(i)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return s.perform(ctx, i, threads, there)
	case unkept != nil:
		return unkept
	}
	s.tell(i, Event{Event: EventDone, Note: NoteScored, Metrics: scores[0].Metrics}, &s.report.Scored)
	return nil
}

// Stored is a run of a store, and what came of scoring it.
type Stored struct {
	Job    store.Job
	Scores []results.Scored // in the order asked for, without metrics where it could not be scored
	Error  string           // why not
}

// Scored says whether it has any of the scores.
func (s Stored) Scored() bool {
	return slices.ContainsFunc(s.Scores, func(x results.Scored) bool { return x.Metrics != nil })
}

// ScoreStored measures runs of the store by some scores, with options of all: from their vectors, where
// those were kept. What a record has already is not measured again; the rest is added to the store. It returns the runs that have records, in
// their order, and how many have none. It returns an error for a store that cannot be read, where ctx is done, and, with all runs, for scores that could not be kept in it.
func (r *Runner) ScoreStored(ctx context.Context, jobs []store.Job, scores []string, o eval.ScoreOptions, m eval.Measurement, done func(i, n int)) (all []Stored, missing int, err error) {
	plans, err := r.planner()
	if err != nil {
		return nil, 0, err
	}
	var unkept error
	merged, keys := store.Merged(jobs)
	for i, j := range merged {
		p := plans.planned(j, keys[i])
		entry := p.entry
		one := Stored{Job: j}
		if entry == nil {
			if _, err := store.ReadRun(r.folder(p)); err != nil {
				one.Error = err.Error()
				all = append(all, one)
			} else {
				missing++
			}
			continue
		}
		lacking := seq.Filter(scores, func(score string) bool {
			_, all := metricsOf(entry, eval.ScoreText(score, o.Values), j, m)
			return !all
		})
		if len(lacking) > 0 {
			more, err, lost := r.scored(ctx, p, entry, lacking, o, m, false)
			if ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			if err != nil {
				one.Error = err.Error()
			}
			if lost != nil && unkept == nil {
				unkept = fmt.Errorf("experiments: scores could not be kept: %w", lost)
			}
			scored := *entry
			for _, s := range more {
				scored.AddScore(s)
			}
			entry = &scored
		}
		for _, score := range scores {
			score = eval.ScoreText(score, o.Values)
			found, _ := metricsOf(entry, score, j, m)
			one.Scores = append(one.Scores, results.Scored{Score: score, Metrics: found})
		}
		all = append(all, one)
		done(i+1, len(merged))
	}
	return all, missing, unkept
}

// metricsOf returns the metrics that an entry has of a score, nil where it has none of those asked for, and whether it has all of them.
func metricsOf(e *store.Entry, score string, j store.Job, m eval.Measurement) (found map[string]float64, all bool) {
	record, has := e.By(score)
	all = has
	for _, name := range m.Keys() {
		if j.Options.HoldOut > 0 {
			name = run.ValidationPrefix + name
		}
		if _, measured := record.Metrics[name]; measured && has {
			found = record.Metrics
		} else {
			all = false
		}
	}
	return found, all
}

// scored measures the kept vectors of a planned run by some scores, with options of all, and adds these to
// the folder of the run, from which it keeps others meanwhile unless the caller does. It returns an error
// where the vectors or the data of the run are not there, and, with the others, for scores and metrics that
// cannot be had of them; apart, why they could not be added.
func (r *Runner) scored(ctx context.Context, p Planned, there *store.Entry, scores []string, o eval.ScoreOptions, m eval.Measurement, held bool) (all []results.Scored, err, unkept error) {
	if !held && !r.Alone && there.Dir != "" {
		var lock *filelock.Lock
		for lock == nil && unkept == nil && ctx.Err() == nil {
			if lock, unkept = store.TakeRun(there.Dir); lock == nil && unkept == nil {
				pause(ctx)
			}
		}
		if lock != nil {
			defer store.LeaveRun(lock)
		}
	}
	split, err := p.split(ctx)
	if err != nil {
		return nil, err, nil
	}
	v, err := store.LoadVectors(there.Dir, there.Record, split.Names)
	if err != nil {
		return nil, err, nil
	}
	if len(m.Metrics) > 0 && !slices.Contains(m.Metrics, "auc") {
		m.Metrics = append(slices.Clone(m.Metrics), "auc") // which tables ask for
	}
	o.Seed = p.Job.Options.Seed
	var failed error
	for _, score := range scores {
		begin := time.Now()
		found, err := eval.Measure(ctx, score, v, split, o, m)
		if ctx.Err() != nil {
			return nil, ctx.Err(), nil
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if p.Job.Options.HoldOut > 0 {
			found = run.OfHeldOut(found)
		}
		code, _ := results.Environment()
		name := eval.ScoreText(score, o.Values)
		all = append(all, results.Scored{
			Of: there.ID(), Score: name, Definition: run.ScoreDefinition(name, found), Metrics: found, Code: &code, Finished: time.Now().UTC().Truncate(time.Millisecond),
			Seconds: time.Since(begin).Seconds(),
		})
	}
	if len(all) > 0 && unkept == nil {
		unkept = addScores(there, all)
	}
	return all, failed, unkept
}

// split returns the links that measure a run: those of its data, or those held out from it.
func (p Planned) split(ctx context.Context) (*network.Split, error) {
	loaded, err := p.data.Load()
	if err != nil {
		return nil, err
	}
	o := p.Job.Options
	data, err := run.DataOf(ctx, loaded, false, o)
	switch {
	case err != nil:
		return nil, err
	case data.Split == nil:
		return nil, fmt.Errorf("experiments: %s has no links to predict: scores are of links", p.Job.Dataset)
	case o.HoldOut > 0:
		return data.Split.HoldOutAlike(o.HoldOut, o.Seed)
	}
	return data.Split, nil
}

// addScores adds scores to the folder of a run that is held, each with the metrics that it has there. It
// returns an error where the run is not there any more.
func addScores(there *store.Entry, scores []results.Scored) error {
	now, err := store.ReadRun(there.Dir)
	if err != nil {
		return err
	}
	if now == nil || now.ID() != there.ID() {
		return fmt.Errorf("experiments: the run in %s has been taken away", there.Dir)
	}
	for _, x := range scores {
		x.Of = now.ID()
		now.AddScore(x)
		x.Metrics = now.MetricsBy(x.Score)
		if err := x.Write(there.Dir); err != nil {
			return err
		}
	}
	return nil
}
