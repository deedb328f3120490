package runner

import (
	"slices"
	"time"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// What happens in the course of Runner.Run.
const (
	EventPlan   = "plan"   // before the first run
	EventStart  = "start"  // of a run
	EventEpoch  = "epoch"  // of a run, at its end
	EventDone   = "done"   // a run, and recorded
	EventWait   = "wait"   // for a run that another process is at, once
	EventThere  = "there"  // a run that another process has done meanwhile
	EventScored = "scored" // a run that is there, by scores that it lacked
	EventKept   = "kept"   // vectors of a run that could not be kept
	EventFailed = "failed" // a run
	EventEnd    = "end"    // after the last run

	EventResume     = "resume"     // a run, from its checkpoint
	EventCheckpoint = "checkpoint" // one that could not be written, or was taken away since the run cannot go on from it
)

// Event is something that happened. In JSON it is one line of what scripts read.
type Event struct {
	Event string `json:"event"`

	// Of a run: its number among those asked for, from 1, and what it is.
	Run      int    `json:"run,omitempty"`
	Key      string `json:"key,omitempty"`
	Dataset  string `json:"dataset,omitempty"`
	Method   string `json:"method,omitempty"`
	Protocol string `json:"protocol,omitempty"`
	Seed     uint64 `json:"seed,omitempty"`
	Settings string `json:"settings,omitempty"` // options that differ from the protocol's

	// Of an epoch. The score is the AUC of the validation set, nil where there is none.
	Stage    string        `json:"stage,omitempty"`
	Epoch    int           `json:"epoch,omitempty"`
	LossNats results.Float `json:"loss_nats,omitempty"`
	Penalty  results.Float `json:"penalty,omitempty"`
	Score    *float64      `json:"score,omitempty"`

	From string `json:"from,omitempty"` // where a run goes on

	Metrics results.Metrics `json:"metrics,omitempty"` // of a run that was done
	Error   string          `json:"error,omitempty"`
	Seconds float64         `json:"seconds,omitempty"` // of a start as estimated, 0 for not known; of an epoch, or a run, that is done

	// Of all that was asked for, of several to choose from one.
	Runs        int     `json:"runs"`
	There       int     `json:"there"` // in the store, by whomever
	Failed      int     `json:"failed"`
	Running     int     `json:"running"`
	SecondsLeft float64 `json:"seconds_left"` // about, of what is running and what is not begun; 0 where nothing is known

	Report *Report `json:"report,omitempty"` // at the end
}

// tell hands an event to the monitor, one at a time, with what can be said of all.
func (s *session) tell(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tellLocked(e)
}

func (s *session) tellLocked(e Event) {
	if s.Monitor == nil {
		return
	}
	e.Runs, e.There, e.Failed, e.Running = s.report.Runs, s.report.There+s.report.Done+s.report.Scored, len(s.report.Failed), len(s.running)
	if e.Event != EventEnd {
		e.SecondsLeft = s.left()
	}
	s.Monitor(e)
}

// of fills in what an event says of its run.
func (s *session) of(i int, e Event) Event {
	j := s.planned[i].Job
	e.Run, e.Key, e.Dataset, e.Method, e.Protocol, e.Seed, e.Settings = i+1, s.planned[i].Key, j.Dataset, j.Options.Method.Name, j.Protocol, j.Options.Seed, j.Settings()
	return e
}

// left is about how long the rest takes: what is running and, where it is known of all, what is to come.
func (s *session) left() (seconds float64) {
	for _, i := range slices.Concat(s.pending, s.elsewhere) {
		one := s.plans.times.of(placeOf(s.planned[i].Job))
		if one == 0 {
			return 0
		}
		seconds += one
	}
	for _, end := range s.running {
		seconds += max(0, time.Until(end).Seconds())
	}
	return seconds / float64(max(1, s.lanes))
}

func (s *session) start(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seconds := s.plans.times.of(placeOf(s.planned[i].Job))
	s.running[i] = in(seconds)
	s.tellLocked(s.of(i, Event{Event: EventStart, Seconds: seconds}))
}

// stop takes a run off the list that was interrupted.
func (s *session) stop(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, i)
}

// finish takes a run off the list, counts it, and tells of it.
func (s *session) finish(i int, e Event, count func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, i)
	count()
	s.tellLocked(s.of(i, e))
}

func (s *session) fail(i int, reason string, before bool) {
	s.finish(i, Event{Event: EventFailed, Error: reason}, func() {
		s.report.Failed = append(s.report.Failed, Failure{s.planned[i].Job, s.planned[i].Job.String(), reason, before})
	})
}

// in is the time in so many seconds.
func in(seconds float64) time.Time {
	return time.Now().Add(time.Duration(min(seconds, 1e9) * float64(time.Second)))
}

// watch tells of the epochs of a run, and follows how far it has come.
func (s *session) watch(i int) run.Watch {
	method := s.planned[i].Job.Options.Method.Name
	began := time.Now()
	return func(happened graphs.Event) {
		switch x := happened.(type) {
		case graphs.Progress:
			s.follow(i, time.Since(began), x)
		case run.Resumed:
			s.tell(s.of(i, Event{Event: EventResume, From: string(x)}))
		case run.CheckpointLost:
			s.tell(s.of(i, Event{Event: EventCheckpoint, Error: x.Err.Error()}))
		case graphs.Epoch:
			e := Event{Event: EventEpoch, Stage: x.Stage, Epoch: x.Number, LossNats: results.Float(x.Loss.Pairs),
				Penalty: results.Float(x.Loss.Penalty), Seconds: (x.Train + x.Eval).Seconds()}
			if e.Stage == graphs.StageMain {
				e.Stage = method
			}
			if x.Scored {
				e.Score = &x.Score
			}
			s.tell(s.of(i, e))
		}
	}
}

// follow works out when a run will have ended that has come so far. Of one that ends with an epoch that scores choose, it is the latest time.
func (s *session) follow(i int, took time.Duration, p graphs.Progress) {
	const first = time.Second // before which it says too little
	share := 0.0
	if p.RunTotal > 0 {
		share = float64(p.RunPairs) / float64(p.RunTotal)
	} else if p.Stage == graphs.StageMain && p.Total > 0 && p.MaxEpochs > 0 {
		share = (float64(p.Epoch-1) + float64(p.Pairs)/float64(p.Total)) / float64(p.MaxEpochs)
	}
	if took < first || !(share > 0 && share <= 1) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans.times.guess(placeOf(s.planned[i].Job), took.Seconds(), share)
	s.running[i] = in(took.Seconds() * (1 - share) / share)
}
