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
	EventNote   = "note"   // on a run: that it goes on from a checkpoint, or waits for another process; and what could not be kept of it
	EventDone   = "done"   // a run, and recorded
	EventFailed = "failed" // a run
	EventEnd    = "end"    // after the last run
)

// How a run came to be done, or failed, that was not trained.
const (
	NoteThere  = "by another process"
	NoteScored = "from its kept vectors"          // by scores that it lacked
	NoteBefore = "before, and is not tried again" // told before EventPlan, of which it is part
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

	Note    string          `json:"note,omitempty"`    // what there is to say of a run
	Metrics results.Metrics `json:"metrics,omitempty"` // of a run that was done
	Error   string          `json:"error,omitempty"`   // of a run that failed; of a note that is a warning what went wrong
	Seconds float64         `json:"seconds,omitempty"` // of a start as estimated, 0 for not known; of an epoch, or a run, that is done

	// Of all that was asked for, of several to choose from one.
	Runs        int     `json:"runs"`
	There       int     `json:"there"` // in the store, by whomever
	Failed      int     `json:"failed"`
	Running     int     `json:"running"`
	SecondsLeft float64 `json:"seconds_left"` // about, of what is running and what is not begun; 0 where nothing is known

	Report *Report `json:"report,omitempty"` // at the end
}

// noRun is in place of a run's number in events of all runs.
const noRun = -1

// tell takes over what has happened to a run, counts it, and hands it to the monitor, one event at a time.
func (s *session) tell(i int, e Event, counts ...*int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range counts {
		*n++
	}
	if i != noRun {
		p := s.planned[i]
		j := p.Job
		e.Run, e.Key, e.Dataset, e.Method, e.Protocol, e.Seed, e.Settings = i+1, p.Key, j.Dataset, j.Options.Method.Name, j.Protocol, j.Options.Seed, j.Settings()
		switch e.Event {
		case EventStart:
			e.Seconds = s.plans.times.of(placeOf(j))
			s.running[i] = in(e.Seconds)
		case EventDone:
			delete(s.running, i)
			s.plans.times.add(placeOf(j), e.Seconds)
		case EventFailed:
			delete(s.running, i)
			s.report.Failed = append(s.report.Failed, Failure{j, j.String(), e.Error, e.Note == NoteBefore})
		}
	}
	if s.Monitor == nil {
		return
	}
	e.Runs, e.There, e.Failed, e.Running = s.report.Runs, s.report.There+s.report.Done+s.report.Scored, len(s.report.Failed), len(s.running)
	if e.Event != EventEnd {
		e.SecondsLeft = s.left()
	}
	s.Monitor(e)
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

// stop takes a run off the list that was interrupted.
func (s *session) stop(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, i)
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
			s.tell(i, Event{Event: EventNote, Note: "continues from a checkpoint at " + string(x)})
		case run.CheckpointLost:
			s.tell(i, Event{Event: EventNote, Note: "without its checkpoint", Error: x.Err.Error()})
		case graphs.Epoch:
			e := Event{Event: EventEpoch, Stage: x.Stage, Epoch: x.Number, LossNats: results.Float(x.Loss.Pairs),
				Penalty: results.Float(x.Loss.Penalty), Seconds: (x.Train + x.Eval).Seconds()}
			if e.Stage == graphs.StageMain {
				e.Stage = method
			}
			if x.Scored {
				e.Score = &x.Score
			}
			s.tell(i, e)
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
