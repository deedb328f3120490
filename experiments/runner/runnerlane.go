package runner

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
)

// phase does runs that wait for none of each other, as many at a time as there are lanes. Its error is one of the store.
func (s *session) phase(ctx context.Context, numbers []int) error {
	s.pending = numbers
	lanes, ctx := errgroup.WithContext(ctx) // an error of one ends the others
	for lane := range s.lanes {
		threads := s.Threads / s.lanes
		if lane < s.Threads%s.lanes {
			threads++
		}
		lanes.Go(func() error { return s.work(ctx, max(1, threads)) })
	}
	return lanes.Wait()
}

// work does one run after the other until none is left.
func (s *session) work(ctx context.Context, threads int) error {
	for {
		i, wait, ok := s.next(ctx)
		if !ok {
			return nil
		}
		if err := s.attempt(ctx, i, threads, wait); err != nil {
			return err
		}
	}
}

// next returns the number of a run to do, and whether to wait for another process that was at it: those come after all others.
func (s *session) next(ctx context.Context) (i int, wait, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over(ctx):
	case len(s.pending) > 0:
		i, s.pending = s.pending[0], s.pending[1:]
		return i, false, true
	case len(s.elsewhere) > 0:
		i, s.elsewhere = s.elsewhere[0], s.elsewhere[1:]
		return i, true, true
	}
	return 0, false, false
}

// over says whether no run may start any more.
func (s *session) over(ctx context.Context) bool {
	return ctx.Err() != nil || s.MaxTime > 0 && time.Since(s.began) >= s.MaxTime
}

// attempt does a run, unless another process has done it or is at it. Its error is one of the store.
func (s *session) attempt(ctx context.Context, i, threads int, wait bool) error {
	p := s.planned[i]
	if !s.Alone {
		held, err := store.TakeRun(s.folder(p))
		if err != nil {
			return err
		}
		if held == nil {
			s.mu.Lock()
			s.elsewhere = append(s.elsewhere, i) // or left, if this is over
			s.mu.Unlock()
			if !wait {
				s.tell(i, Event{Event: EventNote, Note: "is being done by another process, and waited for in the end"})
				return nil
			}
			pause(ctx)
			return nil
		}
		defer store.LeaveRun(held)
	}
	entry, err := store.ReadRun(s.folder(p)) // another process may have done it since
	if err != nil {
		s.fail(i, err.Error())
		return nil
	}
	if entry == nil {
		entry = p.entry
	}
	lacks := s.lacks(p.Job, entry)
	switch {
	case entry == nil:
	case entry.Error != "" && p.State == StateMissing:
		s.fail(i, entry.Error)
		return nil
	case entry.Error != "":
		entry = nil // which is tried again
	case !lacks && len(p.Job.Lacks(entry)) == 0:
		s.tell(i, Event{Event: EventDone, Note: NoteThere}, &s.report.There)
		return nil
	case !lacks && store.HasVectors(entry.Dir) && !slices.ContainsFunc(p.Job.Lacks(entry), run.NeedsHeld):
		return s.score(ctx, i, threads, entry)
	}
	return s.perform(ctx, i, threads, entry)
}

// pause waits a little for another process to end what it is at.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(200 * time.Millisecond):
	}
}

// errUndecided is of a choice that its candidates do not make.
var errUndecided = errors.New("experiments: nothing to choose from: none of the runs that decide about it has a score")

// choose puts in the place of each choice the run that was chosen, and returns the numbers of those to do. What is not decided, though its
// runs have ended, has failed. Its error is one of the store.
func (s *session) choose(ctx context.Context) (todo []int, err error) {
	if err := s.plans.look(); err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for _, p := range s.planned {
		for _, name := range p.scored() {
			asked[name] = asked[name] || p.Among == nil
		}
	}
	for i, p := range s.planned {
		if p.Among == nil {
			continue
		}
		chosen, ok := s.plans.chosen(p.Job)
		switch {
		case !ok && s.over(ctx):
			continue
		case !ok:
			s.fail(i, errUndecided.Error())
			continue
		case asked[chosen.scored()[0]]:
			chosen.State = StateDone
		}
		s.planned[i] = chosen
		if s.count(i) {
			todo = append(todo, i)
		}
	}
	return todo, nil
}
