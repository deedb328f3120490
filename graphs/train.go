package graphs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
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
	Pairs, Total int64 // trained and in all, of this epoch
	Loss         Loss  // mean so far
	Score        float64
	Scored       bool // Score is the latest epoch's
	Elapsed      time.Duration
}

// Monitor watches a run. Any of its functions may be nil, but Score must not be where scores select the epoch.
type Monitor struct {
	// Score returns how good an embedding (N,D) is; higher is better.
	Score func(ctx context.Context, embedding []float32, d int) (float64, error)
	// Begin is told of a stage before its first epoch.
	Begin func(stage string, m *Model, pairsPerEpoch int64)
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
}

// Result is a trained model.
type Result struct {
	Names       []string
	Model       *Model    // with the parameters of the reported epoch
	Embedding   []float32 // (N,D): final vectors; nil if training failed before there were any to keep
	Stages      []Stage
	Interrupted bool // stopped before its end: the parameters are the best so far, or those of Stage.Partial
}

// Train trains a model on the walks of a network: a warm-up by DeepWalk where the options ask for it, then the model. If
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
func Train(ctx context.Context, net *network.Network, o Options, threads int, mon Monitor) (*Result, error) {
	o = o.Complete()
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("graphs: %w", err)
	}
	if o.Select != SelectLast && mon.Score == nil {
		return nil, fmt.Errorf("graphs: select = %q without a score: want one, or select = %q", o.Select, SelectLast)
	}
	stream, err := newStream(ctx, net, o, threads)
	if err != nil {
		return nil, err
	}
	t := &trainer{o: o, stream: stream, mon: mon, vertices: net.Vertices(), threads: threads}
	res := &Result{Names: net.Names()}
	main, err := NewModel(o, net.Vertices(), threads)
	if err != nil {
		return nil, err
	}
	res.Model = main
	var warmed []float32
	if o.WarmUp {
		warm := o
		warm.Method, warm.Epochs = MethodDeepWalk, o.WarmUpEpochs
		m, err := NewModel(warm, net.Vertices(), threads)
		if err != nil {
			return nil, err
		}
		stage, err := t.run(ctx, StageWarmUp, m)
		res.Stages = append(res.Stages, stage)
		if err != nil && stage.Best == 0 {
			return res, err
		}
		warmed = t.embedding(m)
		main.warmStart(warmed)
		if err != nil {
			res.Embedding = t.embedding(main)
			return res, err
		}
	}
	if ctx.Err() == nil {
		stage, err := t.run(ctx, StageMain, main)
		if len(stage.Epochs) > 0 || stage.Partial > 0 || warmed == nil {
			res.Stages = append(res.Stages, stage)
		}
		if err != nil {
			return t.failed(res, stage, warmed), err
		}
	}
	if res.Interrupted = ctx.Err() != nil; res.Interrupted && t.steps == 0 {
		return nil, ctx.Err()
	}
	embedding := t.embedding(main)
	for _, x := range embedding { // the last step's numbers have been in no loss
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			res.Stages[len(res.Stages)-1].Best = 0
			return res, fmt.Errorf("graphs: the embedding holds %v: want finite numbers; try a smaller learning-rate than %v", x, o.LearningRate)
		}
	}
	res.Embedding = embedding
	return res, nil
}

// failed gives the result what is left after the main stage failed: its best epoch, or that of the warm-up, whose embedding
// is warmed, if no epoch of its own has ended.
func (t *trainer) failed(res *Result, stage Stage, warmed []float32) *Result {
	if stage.Best == 0 {
		if len(stage.Epochs) > 0 || warmed == nil || t.o.Select == SelectLast {
			return res
		}
		res.Model.warmStart(warmed)
	}
	res.Embedding = t.embedding(res.Model)
	return res
}

// newStream draws the walks and makes the stream of batches.
func newStream(ctx context.Context, net *network.Network, o Options, threads int) (*walks.Stream, error) {
	uniform, err := walks.NewUniform(net, walks.Options{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	var src walks.Source = uniform
	if keepWalks(uniform, o) {
		if src, err = walks.Store(ctx, uniform, threads); err != nil {
			return nil, err
		}
	}
	return walks.NewStream(ctx, src, net.Vertices(), walks.StreamOptions{
		Window: o.Window, Negatives: o.Negatives, Batch: o.Batch, Order: o.Order, Resample: o.Resample, Seed: o.Seed,
	})
}

// keepWalks says whether walks are kept in memory rather than drawn anew for each epoch. By default they are where the
// published order comes back to each walk at random, and where the corpus is small.
func keepWalks(src walks.Source, o Options) bool {
	const small = 64 << 20 // bytes
	switch o.WalksInMemory {
	case "true":
		return true
	case "false":
		return false
	}
	return o.Order == walks.Grouped || src.Walks()*src.MaxLength()*4 <= small
}

type trainer struct {
	o        Options
	stream   *walks.Stream
	mon      Monitor
	vertices int
	threads  int
	passes   uint64 // epochs so far, of all stages
	steps    int    // so far, of all stages
}

func (t *trainer) embedding(m *Model) []float32 {
	u := make([]float32, t.vertices*t.o.Dim)
	m.Final(u)
	return u
}

// run trains a model until its epochs are over, or it stops early, or ctx is cancelled, and leaves it with the parameters
// of the best epoch, also if it fails; if it fails and Best is 0, the parameters are of no use.
func (t *trainer) run(ctx context.Context, name string, m *Model) (Stage, error) {
	stage := Stage{Name: name}
	stop := &stopping{rule: t.o.Select, patience: t.o.Patience}
	if t.mon.Begin != nil {
		t.mon.Begin(name, m, t.stream.Pairs())
	}
	var bestP, bestQ []float32
	var failure error
	for n := 1; n <= m.o.Epochs; n++ {
		e, err := t.epoch(ctx, stage, m, n)
		if err != nil {
			failure = err
			break
		}
		if e.Pairs > 0 {
			stage.Partial = n // until the epoch has ended
		}
		if ctx.Err() != nil { // the epoch was not finished
			break
		}
		if e.Scored {
			e.Score, e.Eval, err = t.score(ctx, m)
			if ctx.Err() != nil {
				break
			}
			if err == nil && math.IsNaN(e.Score) {
				err = errors.New("the score is NaN: want a number")
			}
			if err != nil {
				failure = fmt.Errorf("graphs: %s epoch %d: %w", name, n, err)
				break
			}
		}
		stage.Partial = 0
		best, end := stop.observe(e.Score)
		e.Best = best
		stage.Epochs = append(stage.Epochs, e)
		stage.Best, stage.BestScore = stop.best, stop.bestScore
		if t.mon.Done != nil {
			t.mon.Done(e)
		}
		if best && t.o.Select != SelectLast {
			bestP, bestQ = append(bestP[:0], m.P.X...), append(bestQ[:0], m.Q.X...)
		}
		if end {
			break
		}
	}
	if bestP != nil {
		copy(m.P.X, bestP)
		copy(m.Q.X, bestQ)
		stage.Partial = 0
	}
	if failure != nil {
		stage.Partial = 0
	}
	if stage.Partial > 0 || failure != nil && bestP == nil { // the parameters are no longer those of an epoch that ended
		stage.Best, stage.BestScore = 0, 0
	}
	return stage, failure
}

func (t *trainer) epoch(ctx context.Context, stage Stage, m *Model, n int) (Epoch, error) {
	e := Epoch{Stage: stage.Name, Number: n, Scored: t.o.Select != SelectLast}
	start := time.Now()
	progress := Progress{Stage: e.Stage, Epoch: n, MaxEpochs: m.o.Epochs, Total: t.stream.Pairs()}
	if len(stage.Epochs) > 0 {
		last := stage.Epochs[len(stage.Epochs)-1]
		progress.Score, progress.Scored = last.Score, last.Scored
	}
	var sum Loss
	t.passes++
	for b := range t.stream.Pass(ctx, t.passes) {
		l, err := m.Step(b)
		if err != nil {
			return e, fmt.Errorf("%s epoch %d: %w", e.Stage, n, err)
		}
		t.steps++
		e.Pairs += int64(b.Pairs)
		sum.Pairs += l.Pairs * float64(b.Pairs)
		sum.Penalty += l.Penalty * float64(b.Pairs)
		e.Loss = Loss{sum.Pairs / float64(e.Pairs), sum.Penalty / float64(e.Pairs)}
		if t.mon.Step != nil {
			progress.Pairs, progress.Loss, progress.Elapsed = e.Pairs, e.Loss, time.Since(start)
			t.mon.Step(progress)
		}
		if ctx.Err() != nil {
			break
		}
	}
	m.capNorms()
	e.Train = time.Since(start)
	return e, nil
}

func (t *trainer) score(ctx context.Context, m *Model) (float64, time.Duration, error) {
	start := time.Now()
	score, err := t.mon.Score(ctx, t.embedding(m), t.o.Dim)
	return score, time.Since(start), err
}
