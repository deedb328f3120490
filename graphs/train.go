package graphs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/asp2vec/asp2vec/graphs/engine"
)

// Stages of a run.
const (
	StageWarmUp = "warm-up"
	StageMain   = "main"
)

// Epoch is what one epoch of a stage came to.
type Epoch struct {
	Stage       string
	Number      int         // from 1
	Loss        engine.Loss // mean over the epoch's batches, weighted by pairs
	Pairs       int64       // trained
	Score       float64     // of the embedding after the epoch, if Scored
	Scored      bool
	Best        bool          // the best so far
	Train, Eval time.Duration // wall-clock
}

// Progress is how far an epoch is.
type Progress struct {
	Stage        string
	Epoch        int
	MaxEpochs    int
	Pairs, Total int64       // trained and in all, of this epoch; with windows of random reach Total is what to expect
	Step         int64       // pairs of the latest step
	Loss         engine.Loss // mean so far
	Score        float64
	Scored       bool // Score is the latest epoch's
	Elapsed      time.Duration

	// Of a run that ends after a number of pairs: those trained by all stages, all there will be, and those of them that are not
	// of the main stage; else 0.
	RunPairs, RunTotal, RunWarmUp int64
}

// Event is what happens in a training: a Begun before the first epoch of a stage, a Progress after every batch, an Epoch at its end.
type Event any

// Begun is a stage that begins, with its model.
type Begun struct {
	Stage   string
	Learner Learner
}

// On returns a listener that hands events of one type to a function, and drops all others.
func On[E any](f func(E)) func(Event) {
	return func(e Event) {
		if x, is := e.(E); is {
			f(x)
		}
	}
}

// Monitor watches a run. Any of its functions may be nil, but Score must not be where scores select the epoch.
type Monitor struct {
	// Score returns how good a model is at its present parameters; higher is better.
	Score func(ctx context.Context, l Learner) (float64, error)
	// Tell is told of each event, one at a time.
	Tell func(Event)

	// State returns, as a value for JSON, what the watcher must know again where another training goes on from a checkpoint, and
	// Resume is handed it there, after Begun.
	State  func() any
	Resume func(state []byte) error
}

// StageResult is the outcome of one stage.
type StageResult struct {
	Name      string
	Epochs    []Epoch
	Best      int     // number of the reported epoch; 0 if the parameters are those of none that ended
	BestScore float64 // its score, if scores select
	Partial   int     // number of the epoch amid which the run was stopped, if the parameters are from there; else 0
}

// Result is a trained model.
type Result struct {
	Names       []string
	Learner     Learner    // of the last stage, with the parameters of the reported epoch; nil for a method without stages
	Embedding   *Embedding // nil if training failed before there was any to keep
	Stages      []StageResult
	Took        time.Duration // of vectors that a method without epochs makes at once
	Interrupted bool          // stopped before its end: the parameters are the best so far, or those of StageResult.Partial
	Unfinished  Epoch         // the one amid which the run was stopped or failed, which is no stage's; else zero
}

// Train trains a method on a network, stage by stage: asp2vec after a warm-up by DeepWalk where the options ask for it; or it makes the
// vectors of a method that has no stages. If
// ctx is cancelled it stops after the step, or drops what of it has moved nothing yet, and returns the best epoch's parameters so far, or the current ones where no
// epoch has ended or the last one is asked for, with Interrupted set. The result depends on the network and the options, not
// on the number of threads.
//
// It returns an error if the options or the network do not do, or ctx's if it is cancelled before the first step; there is
// no result then. It also returns one if a score cannot be had or if the loss diverges: then the result holds the epochs
// before that, and the best one's parameters where scores choose the epoch, else a nil Embedding.
//
// Steps use up to threads goroutines. A batch is prepared beside the step before it where GOMAXPROCS leaves a processor for it: to hold
// a run to as many processors, set it as well, as the command line does.
func Train(ctx context.Context, in Input, o Options, threads int, mon Monitor) (*Result, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, fmt.Errorf("graphs: %w", err)
	}
	if o.Method.Embed != nil {
		return embed(ctx, in, o, threads)
	}
	if scored(o.Select) && mon.Score == nil && in.Until == nil {
		return nil, fmt.Errorf("graphs: select = %q without a score: expected one, or select = %q", o.Select, SelectLast)
	}
	stages, err := o.Method.Stages(ctx, in, o, threads)
	if err != nil {
		return nil, err
	}
	res, err := Fit(ctx, in, stages, o, mon)
	if res == nil {
		return nil, err
	}
	res.Names = in.names()
	if err != nil {
		return res, err
	}
	embedding, err := res.Learner.Embedding()
	if err != nil {
		return res, fmt.Errorf("graphs: %s has no embedding: %w", o.Method.Name, err)
	}
	if err := embedding.check(); err != nil { // the last step's numbers have been in no loss
		res.Stages[len(res.Stages)-1].Best = 0
		return res, fmt.Errorf("%w; try a smaller learning-rate than %v", err, o.LearningRate)
	}
	res.Embedding = &embedding
	return res, nil
}

// Fit trains stages one after the other, whatever they are of: a method's, a pilot, words. Of the options it reads the patience;
// of the input what it says of checkpoints and the numbers of epochs. How it ends is said at Train, but that
// the result has an embedding where a stage failed alone.
func Fit(ctx context.Context, in Input, stages []Stage, o Options, mon Monitor) (*Result, error) {
	t := &trainer{o: o, mon: mon}
	if err := t.begin(in.Checkpoints); err != nil {
		return nil, err
	}
	for i := range stages {
		s := &stages[i]
		if epochs, ok := in.Until[s.Name]; ok {
			s.Epochs, s.Choose = min(epochs, s.Epochs), SelectLast
		}
		t.total += int64(s.Pairs)
		if i < len(stages)-1 {
			t.warmUp += int64(s.Pairs)
		}
	}
	last := stages[len(stages)-1]
	res := &Result{Learner: last.Learner}
	for i, s := range stages {
		if s.Follow != nil {
			s.Follow()
		}
		if done, there, err := t.restoreEnded(i, s); err != nil {
			return nil, err
		} else if there {
			t.end(s, done)
			res.Stages = append(res.Stages, done)
			continue
		}
		if ctx.Err() != nil && i > 0 { // what the stages so far have come to is handed on
			if !t.stopped {
				t.save(t.fresh(s))
			}
			t.stopped = true
			continue
		}
		done, err := t.run(ctx, i, s)
		res.Unfinished = t.unfinished
		if len(done.Epochs) > 0 || done.Partial > 0 || i == 0 {
			res.Stages = append(res.Stages, done)
		}
		if err != nil {
			return t.failed(res, stages, i, done), err
		}
		if !t.stopped {
			t.end(s, done)
		}
	}
	if res.Interrupted = ctx.Err() != nil; res.Interrupted && t.steps == 0 {
		return nil, ctx.Err()
	}
	if !t.stopped {
		t.finish()
	}
	return res, nil
}

// embed is Train for a method without epochs.
func embed(ctx context.Context, in Input, o Options, threads int) (*Result, error) {
	start := time.Now()
	e, err := o.Method.Embed(ctx, in, o, threads)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = e.check()
	}
	if err != nil {
		return nil, err
	}
	return &Result{Names: in.names(), Embedding: &e, Took: time.Since(start)}, nil
}

// check returns an error where a number of the embedding is not finite.
func (e Embedding) check() error {
	for _, numbers := range [][]float32{e.Final, e.Vectors} {
		for _, x := range numbers {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("graphs: the embedding contains %v: expected finite numbers", x)
			}
		}
	}
	return nil
}

// Parameters returns how many numbers the result has learnt: those of its learner, or of an embedding that was made at once.
func (r *Result) Parameters() int64 {
	if r.Learner != nil {
		return CountParameters(r.Learner)
	}
	if r.Embedding == nil {
		return 0
	}
	return int64(max(len(r.Embedding.Vectors), len(r.Embedding.Final)))
}

// failed gives the result what is left after stage i failed: its best epoch, or, if none of its own has ended, that of the
// stage before it. Without either there is nothing to keep.
func (t *trainer) failed(res *Result, stages []Stage, i int, done StageResult) *Result {
	if done.Best == 0 {
		if len(done.Epochs) > 0 || i == 0 || stages[i].Choose == SelectLast {
			return res
		}
		stages[i].Follow()
	}
	for _, s := range stages[i+1:] {
		s.Follow()
	}
	if embedding, err := res.Learner.Embedding(); err == nil { // else the failure has left none, and is what is told
		res.Embedding = &embedding
	}
	return res
}

type trainer struct {
	o     Options
	mon   Monitor
	steps int // so far, of all stages

	pairs, total, warmUp int64 // of stages that end after a number of pairs: so far, in all, and of all but the last

	unfinished Epoch // that has begun and not ended
	stopped    bool  // before the stage's end

	checkpoints *Checkpoints // nil for none
	course      course       // of the stages that have ended,
	ended       [][]float32  // and their parameters
	from        *course      // that training goes on from; nil for its beginning
	numbers     [][]float32  // of from, that are still to be taken
}

func (t *trainer) tell(e Event) {
	if t.mon.Tell != nil {
		t.mon.Tell(e)
	}
}

// run trains stage i until its epochs are over, or it stops early, or ctx is cancelled, and leaves it with the parameters of
// the best epoch, also if it fails; if it fails and Best is 0, the parameters are of no use.
func (t *trainer) run(ctx context.Context, i int, s Stage) (StageResult, error) {
	u := t.fresh(s)
	t.tell(Begun{s.Name, s.Learner})
	if err := t.restore(i, u); err != nil {
		return u.done, err
	}
	var failure error
	for end := u.over(); !end && failure == nil && ctx.Err() == nil; {
		end, failure = t.next(ctx, u)
	}
	t.stopped = failure == nil && ctx.Err() != nil && !u.over()
	if t.stopped && u.steps == 0 && t.steps > 0 {
		t.save(u) // between two epochs
	}
	if t.unfinished = (Epoch{}); u.steps > 0 || failure != nil {
		t.unfinished = u.epoch
	}
	if u.steps > 0 {
		u.done.Partial = u.epoch.Number
	}
	if u.best != nil {
		for i, table := range s.Learner.Parameters() {
			copy(table.X, u.best[i])
		}
		u.done.Partial = 0
	}
	if failure != nil {
		u.done.Partial = 0
	}
	if u.done.Partial > 0 || failure != nil && u.best == nil { // the parameters are no longer those of an epoch that ended
		u.done.Best, u.done.BestScore = 0, 0
	}
	return u.done, failure
}

// over says whether the stage has had all its epochs.
func (u *underWay) over() bool { return u.ended || u.epoch.Number > u.Epochs }

// next trains an epoch, or what is left of one, and scores it. It leaves the epoch under way where ctx is cancelled meanwhile, or
// where it fails.
func (t *trainer) next(ctx context.Context, u *underWay) (end bool, err error) {
	if ended, err := t.epoch(ctx, u); err != nil || !ended {
		return false, err
	}
	e := u.epoch
	score := -(e.Loss.Pairs + e.Loss.Penalty)
	if e.Scored {
		start := time.Now()
		e.Score, err = t.mon.Score(ctx, u.Learner)
		e.Eval = time.Since(start)
		if u.epoch.Eval = e.Eval; ctx.Err() != nil {
			return false, nil
		}
		if err == nil && math.IsNaN(e.Score) {
			err = errors.New("the score is NaN: expected a number")
		}
		if err != nil {
			return false, fmt.Errorf("graphs: %s epoch %d: %w", u.Name, e.Number, err)
		}
		score = e.Score
	}
	better, end := u.stop.observe(score)
	e.Best = better
	u.done.Epochs = append(u.done.Epochs, e)
	u.done.Best, u.done.BestScore = u.stop.Best, u.stop.BestScore
	if better && u.Choose != SelectLast && u.Choose != selectEnd {
		u.best = keep(u.best, u.Learner.Parameters())
	}
	u.epoch, u.sum, u.steps = Epoch{Stage: u.Name, Number: e.Number + 1, Scored: e.Scored}, engine.Loss{}, 0
	t.tell(e)
	u.ended = end
	if !u.over() && ctx.Err() == nil {
		t.saveIfDue(u, true)
	}
	return u.over(), nil
}

// keep copies tables over what was kept of them before.
func keep(kept [][]float32, tables []*engine.Table) [][]float32 {
	if kept == nil {
		kept = make([][]float32, len(tables))
	}
	for i, t := range tables {
		kept[i] = append(kept[i][:0], t.X...)
	}
	return kept
}

// scored says whether a rule needs a score.
func scored(rule string) bool {
	return rule == SelectValidation || rule == SelectTest || rule == selectEnd
}

// epoch trains the epoch under way, or what is left of it, and says whether it came to its end.
func (t *trainer) epoch(ctx context.Context, u *underWay) (ended bool, err error) {
	start, before := time.Now(), u.epoch.Train
	elapsed := func() time.Duration { return before + time.Since(start) }
	e := &u.epoch
	progress := Progress{Stage: e.Stage, Epoch: e.Number, MaxEpochs: u.Epochs, Total: u.Learner.Pairs()}
	if n := len(u.done.Epochs); n > 0 {
		progress.Score, progress.Scored = u.done.Epochs[n-1].Score, u.done.Epochs[n-1].Scored
	}
	inner, stop, began := stoppable(ctx)
	defer stop()
	err = u.Learner.Epoch(inner, e.Number, func(pairs int64, l engine.Loss) {
		if pairs == 0 { // the learner left a step
			if u.steps > 0 {
				t.save(u)
			}
			stop()
			return
		}
		began()
		t.steps++
		u.steps++
		e.Pairs += pairs
		if u.Pairs > 0 {
			t.pairs += pairs
		}
		u.sum.Pairs += l.Pairs * float64(pairs)
		u.sum.Penalty += l.Penalty * float64(pairs)
		e.Loss = engine.Loss{Pairs: u.sum.Pairs / float64(e.Pairs), Penalty: u.sum.Penalty / float64(e.Pairs)}
		e.Train = elapsed()
		if t.total > 0 {
			progress.RunPairs, progress.RunTotal, progress.RunWarmUp = t.pairs, max(t.pairs, t.total), t.warmUp
		}
		progress.Pairs, progress.Step, progress.Loss, progress.Elapsed = e.Pairs, pairs, e.Loss, e.Train
		t.tell(progress)
		if ctx.Err() != nil {
			t.save(u)
			stop()
			return
		}
		t.saveIfDue(u, false)
	})
	e.Train = elapsed()
	if err != nil {
		return false, fmt.Errorf("%s epoch %d: %w", e.Stage, e.Number, err)
	}
	return inner.Err() == nil, nil
}

// stoppable returns a context for an epoch's steps, which is cancelled by stop, so that training never ends between a step and
// what is to be kept of it. Until the first step, of which began tells, it is cancelled with ctx too; see askedToLeave.
func stoppable(ctx context.Context) (inner context.Context, stop, began func()) {
	inner, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), leaveKey{}, ctx))
	var stepped atomic.Bool
	release := context.AfterFunc(ctx, func() {
		if !stepped.Load() {
			cancel()
		}
	})
	return inner, func() { release(); cancel() }, func() { stepped.Store(true) }
}

type leaveKey struct{}

// askedToLeave returns the context whose end asks a learner, given that of its epoch, to leave the step under way: one that has moved nothing yet
// it drops, and tells of a step of no pairs instead. A step over a large network takes seconds.
func askedToLeave(ctx context.Context) context.Context {
	if asked, ok := ctx.Value(leaveKey{}).(context.Context); ok {
		return asked
	}
	return ctx
}
