package graphs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Stages of a run.
const (
	StageWarmUp = "warm-up"
	StageMain   = "main"
)

// Epoch is what one epoch of a stage came to.
type Epoch struct {
	Stage       string
	Number      int     // from 1
	Loss        Loss    // mean over the epoch's batches, weighted by pairs
	Pairs       int64   // trained
	Score       float64 // of the embedding after the epoch, if Scored
	Scored      bool
	Best        bool          // the best so far
	Train, Eval time.Duration // wall-clock
}

// Progress is how far an epoch is.
type Progress struct {
	Stage        string
	Epoch        int
	MaxEpochs    int
	Pairs, Total int64 // trained and in all, of this epoch; with windows of random reach Total is what to expect
	Step         int64 // pairs of the latest step
	Loss         Loss  // mean so far
	Score        float64
	Scored       bool // Score is the latest epoch's
	Elapsed      time.Duration

	// Of a run that ends after a number of pairs: those trained by all stages, all there will be, and those of them that are not
	// of the main stage; else 0.
	RunPairs, RunTotal, RunWarmUp int64
}

// Monitor watches a run. Any of its functions may be nil, but Score must not be where scores select the epoch.
type Monitor struct {
	// Score returns how good a model is at its present parameters; higher is better.
	Score func(ctx context.Context, l Learner) (float64, error)
	// Begin is told of a stage before its first epoch.
	Begin func(stage string, l Learner)
	// Step is told after every batch, Done after every epoch.
	Step func(Progress)
	Done func(Epoch)
}

// Stage is the outcome of one stage.
type Stage struct {
	Name      string
	Epochs    []Epoch
	Best      int     // number of the reported epoch; 0 if the parameters are those of none that ended
	BestScore float64 // its score, if scores select
	Partial   int     // number of the epoch amid which the run was stopped, if the parameters are from there; else 0
	Shared    bool    // trained by another run; see Stages
}

// Result is a trained model.
type Result struct {
	Names       []string
	Learner     Learner    // of the last stage, with the parameters of the reported epoch
	Embedding   *Embedding // nil if training failed before there was any to keep
	Stages      []Stage
	Interrupted bool  // stopped before its end: the parameters are the best so far, or those of Stage.Partial
	Unfinished  Epoch // the one amid which the run was stopped or failed, which is no stage's; else zero
}

// Train trains a method on a network, stage by stage: asp2vec after a warm-up by DeepWalk where the options ask for it. If
// ctx is cancelled it stops after the step, and returns the best epoch's parameters so far, or the current ones where no
// epoch has ended or the last one is asked for, with Interrupted set. The result depends on the network and the options, not
// on the number of threads.
//
// It returns an error if the options or the network do not do, or ctx's if it is cancelled before the first step; there is
// no result then. It also returns one if a score cannot be had or if the loss diverges: then the result holds the epochs
// before that, and the best one's parameters where scores choose the epoch, else a nil Embedding.
//
// Steps use up to threads goroutines; one more prepares batches meanwhile. To hold a run to as many processors, set GOMAXPROCS
// as well, as the command line does.
func Train(ctx context.Context, in Input, o Options, threads int, mon Monitor) (*Result, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, fmt.Errorf("graphs: %w", err)
	}
	if o.scored() && mon.Score == nil && in.Until == nil {
		return nil, fmt.Errorf("graphs: select = %q without a score: want one, or select = %q", o.Select, SelectLast)
	}
	stages, err := o.Method.Phases(ctx, in, o, threads)
	if err != nil {
		return nil, err
	}
	t := &trainer{o: o, mon: mon}
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
	res := &Result{Names: in.names(), Learner: last.Learner}
	for i, s := range stages {
		if s.Follow != nil {
			s.Follow()
		}
		if ctx.Err() != nil && i > 0 {
			continue // what the stages so far have come to is handed on
		}
		if done, there := in.Stages.resume(s, o); there {
			t.pairs += int64(s.Pairs)
			res.Stages = append(res.Stages, done)
			continue
		}
		done, err := t.run(ctx, s)
		res.Unfinished = t.unfinished
		if len(done.Epochs) > 0 || done.Partial > 0 || i == 0 {
			res.Stages = append(res.Stages, done)
		}
		if err != nil {
			return t.failed(res, stages, i, done), err
		}
		if ctx.Err() == nil {
			in.Stages.keep(s, o, done)
		}
	}
	if res.Interrupted = ctx.Err() != nil; res.Interrupted && t.steps == 0 {
		return nil, ctx.Err()
	}
	embedding := last.Learner.Embedding()
	if len(embedding.Final) == 0 {
		return res, fmt.Errorf("graphs: %s has no embedding: want finite parameters; try a smaller learning-rate than %v", o.Method.Name, o.LearningRate)
	}
	for _, numbers := range [][]float32{embedding.Final, embedding.Vectors} {
		for _, x := range numbers { // the last step's numbers have been in no loss
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				res.Stages[len(res.Stages)-1].Best = 0
				return res, fmt.Errorf("graphs: the embedding holds %v: want finite numbers; try a smaller learning-rate than %v", x, o.LearningRate)
			}
		}
	}
	res.Embedding = &embedding
	return res, nil
}

// failed gives the result what is left after stage i failed: its best epoch, or, if none of its own has ended, that of the
// stage before it. Without either there is nothing to keep.
func (t *trainer) failed(res *Result, stages []Phase, i int, done Stage) *Result {
	if done.Best == 0 {
		if len(done.Epochs) > 0 || i == 0 || stages[i].Choose == SelectLast {
			return res
		}
		stages[i].Follow()
	}
	for _, s := range stages[i+1:] {
		s.Follow()
	}
	embedding := res.Learner.Embedding()
	res.Embedding = &embedding
	return res
}

type trainer struct {
	o     Options
	mon   Monitor
	steps int // so far, of all stages

	pairs, total, warmUp int64 // of stages that end after a number of pairs: so far, in all, and of all but the last

	unfinished Epoch // that has begun and not ended
}

// run trains a stage until its epochs are over, or it stops early, or ctx is cancelled, and leaves it with the parameters of
// the best epoch, also if it fails; if it fails and Best is 0, the parameters are of no use.
func (t *trainer) run(ctx context.Context, s Phase) (Stage, error) {
	done := Stage{Name: s.Name}
	stop := &stopping{rule: s.Choose, patience: t.o.Patience}
	if t.mon.Begin != nil {
		t.mon.Begin(s.Name, s.Learner)
	}
	var best [][]float32 // parameters
	var failure error
	for n := 1; n <= s.Epochs && ctx.Err() == nil; n++ {
		e, err := t.epoch(ctx, s, done, n)
		t.unfinished = e
		if err != nil {
			failure = err
			break
		}
		if e.Pairs > 0 {
			done.Partial = n // until the epoch has ended
		}
		if ctx.Err() != nil { // the epoch was not finished
			break
		}
		score := -(e.Loss.Pairs + e.Loss.Penalty)
		if e.Scored {
			e.Score, e.Eval, err = t.score(ctx, s.Learner)
			t.unfinished.Eval = e.Eval
			if ctx.Err() != nil {
				break
			}
			if err == nil && math.IsNaN(e.Score) {
				err = errors.New("the score is NaN: want a number")
			}
			if err != nil {
				failure = fmt.Errorf("graphs: %s epoch %d: %w", s.Name, n, err)
				break
			}
			score = e.Score
		}
		done.Partial, t.unfinished = 0, Epoch{}
		better, end := stop.observe(score)
		e.Best = better
		done.Epochs = append(done.Epochs, e)
		done.Best, done.BestScore = stop.best, stop.bestScore
		if t.mon.Done != nil {
			t.mon.Done(e)
		}
		if better && s.Choose != SelectLast {
			best = keep(best, s.Learner.Parameters())
		}
		if end {
			break
		}
	}
	if best != nil {
		for i, table := range s.Learner.Parameters() {
			copy(table.X, best[i])
		}
		done.Partial = 0
	}
	if failure != nil {
		done.Partial = 0
	}
	if done.Partial > 0 || failure != nil && best == nil { // the parameters are no longer those of an epoch that ended
		done.Best, done.BestScore = 0, 0
	}
	return done, failure
}

// keep copies tables over what was kept of them before.
func keep(kept [][]float32, tables []*Table) [][]float32 {
	if kept == nil {
		kept = make([][]float32, len(tables))
	}
	for i, t := range tables {
		kept[i] = append(kept[i][:0], t.X...)
	}
	return kept
}

// scored says whether a rule needs a score.
func scored(rule string) bool { return rule == SelectValidation || rule == SelectTest }

// scored says whether scores choose the reported epoch.
func (o Options) scored() bool { return scored(o.Select) }

func (t *trainer) epoch(ctx context.Context, s Phase, done Stage, n int) (Epoch, error) {
	e := Epoch{Stage: s.Name, Number: n, Scored: scored(s.Choose)}
	start := time.Now()
	progress := Progress{Stage: e.Stage, Epoch: n, MaxEpochs: s.Epochs, Total: s.Learner.Pairs()}
	if len(done.Epochs) > 0 {
		last := done.Epochs[len(done.Epochs)-1]
		progress.Score, progress.Scored = last.Score, last.Scored
	}
	var sum Loss
	err := s.Learner.Epoch(ctx, n, func(pairs int64, l Loss) {
		t.steps++
		e.Pairs += pairs
		if s.Pairs > 0 {
			t.pairs += pairs
		}
		sum.Pairs += l.Pairs * float64(pairs)
		sum.Penalty += l.Penalty * float64(pairs)
		e.Loss = Loss{sum.Pairs / float64(e.Pairs), sum.Penalty / float64(e.Pairs)}
		if t.mon.Step != nil {
			if t.total > 0 {
				progress.RunPairs, progress.RunTotal, progress.RunWarmUp = t.pairs, max(t.pairs, t.total), t.warmUp
			}
			progress.Pairs, progress.Step, progress.Loss, progress.Elapsed = e.Pairs, pairs, e.Loss, time.Since(start)
			t.mon.Step(progress)
		}
	})
	e.Train = time.Since(start)
	if err != nil {
		return e, fmt.Errorf("%s epoch %d: %w", e.Stage, n, err)
	}
	return e, nil
}

func (t *trainer) score(ctx context.Context, l Learner) (float64, time.Duration, error) {
	start := time.Now()
	score, err := t.mon.Score(ctx, l)
	return score, time.Since(start), err
}
