package runner

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/asp2vec/asp2vec/experiments/store"
)

// work does one run after the other until none is left.
func (s *session) work(ctx context.Context, threads int) {
	defer s.wake()
	for {
		i, wait, ok := s.next(ctx)
		if !ok {
			return
		}
		if err := errors.Join(s.attempt(ctx, i, threads, wait), s.reach(i)); err != nil {
			s.mu.Lock()
			s.err = errors.Join(s.err, err)
			s.mu.Unlock()
		}
	}
}

// wake lets those look again who wait for a change.
func (s *session) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed.Broadcast()
}

// next returns the number of a run to do, and whether to wait for another process that was at it: those come after all runs
// that wait for no other.
func (s *session) next(ctx context.Context) (i int, wait, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && !s.over(ctx) {
		if at := s.ready(); at >= 0 {
			i = s.pending[at]
			s.pending = slices.Delete(s.pending, at, at+1)
			return i, false, true
		}
		if len(s.elsewhere) > 0 {
			i, s.elsewhere = s.elsewhere[0], s.elsewhere[1:]
			return i, true, true
		}
		if len(s.pending) == 0 {
			break
		}
		s.changed.Wait() // for runs under way, which decide about those to come
	}
	return 0, false, false
}

// ready returns the place of a pending run that can begin, or -1: of a search the one that has come farthest, and else the first.
func (s *session) ready() int {
	for at, i := range slices.Backward(s.pending) {
		if s.reached[s.planned[i].Key] {
			return at
		}
	}
	return slices.IndexFunc(s.pending, s.decided)
}

// reach notes which runs of a search need not wait any more, now that a run of it has ended. Its error is one of the store.
func (s *session) reach(i int) error {
	j := s.planned[i].Job
	if j.Choice == nil || j.Choice.Halving == nil || !j.Choice.Halving.Asynchronous {
		return nil
	}
	now, err := s.now(j)
	if err != nil {
		return err
	}
	keys := now.runs.Reached(j)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.reached[key] = true
	}
	s.changed.Broadcast()
	return nil
}

// decided says whether all runs have ended that decide about one.
func (s *session) decided(i int) bool {
	return !slices.ContainsFunc(s.planned[i].deciders, func(d int) bool { return s.open[d] })
}

// over says whether no run may start any more.
func (s *session) over(ctx context.Context) bool {
	return ctx.Err() != nil || s.MaxTime > 0 && time.Since(s.began) >= s.MaxTime
}

// attempt does a run, unless another process has done it or is at it. Its error is one of the store.
func (s *session) attempt(ctx context.Context, i, threads int, wait bool) error {
	p := s.planned[i]
	if s.Part == nil {
		held, err := lockRun(s.lockFolder(), p.Key)
		if err != nil {
			return err
		}
		if held == nil {
			s.mu.Lock()
			s.elsewhere = append(s.elsewhere, i) // or left, if this is over
			s.mu.Unlock()
			s.wake()
			if wait {
				s.waitFor(ctx, i)
			}
			return nil
		}
		defer held.Release()
	}
	now, err := s.now(p.Job) // another process may have done it since
	if err != nil {
		return err
	}
	sum, found := now.runs.Summary(p.Job)
	there := found && !p.stale(sum)
	event := ""
	switch {
	case there && !s.lacks(p.Job):
		event = EventThere
	case p.absent() && !found && needsNoRun(now, p):
		event = EventNeedless
	}
	if event != "" {
		s.finish(i, Event{Event: event}, func() { s.report.There++ })
		return nil
	}
	if reason, failed := now.runs.Failure(p.Job); failed && p.absent() {
		s.fail(i, reason, true)
		return nil
	}
	return s.perform(ctx, i, threads, there)
}

// now returns what the store has by now of runs of a job's method on its data.
func (s *session) now(j store.Job) (state, error) {
	if err := s.store.Refresh(); err != nil {
		return state{}, err
	}
	return state{s.store, s.store.RunsThat(func(sum store.Summary) bool { return sum.Dataset == j.Dataset && sum.Method == j.Options.Method.Name })}, nil
}

// waitFor gives another process a moment to end a run.
func (s *session) waitFor(ctx context.Context, i int) {
	s.mu.Lock()
	if !s.waited[i] {
		s.waited[i] = true
		s.tellLocked(s.of(i, Event{Event: EventWait}))
	}
	s.mu.Unlock()
	const poll = 200 * time.Millisecond
	select {
	case <-ctx.Done():
	case <-time.After(poll):
	}
}

// reserve waits until the memory for a run is free of other runs, and says whether it still may start.
func (s *session) reserve(ctx context.Context, need uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.Memory > 0 && s.memory > 0 && s.memory+need > s.Memory {
		s.changed.Wait()
	}
	if s.err != nil || s.over(ctx) {
		return false
	}
	s.memory += need
	return true
}

func (s *session) giveBack(need uint64) {
	s.mu.Lock()
	s.memory -= need
	s.mu.Unlock()
	s.wake()
}
