// Package run does one run: from data over walks, a model and its evaluation to a record.
package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// StandardProtocol is the name of the protocol whose options are this project's own choice.
const StandardProtocol = "standard"

// Protocols are the names of those of runs, sorted: each is that of a graphs.Protocol.
var Protocols = []string{"paper", StandardProtocol, "validated"}

// DefaultProtocol is the one of commands that are given none.
const DefaultProtocol = StandardProtocol

// HoldOutFraction is the share of the training links that validation takes.
const HoldOutFraction = 0.1

// Watch is told how a run goes: the events of graphs and, before the first stage, a results.Pilot for what a pilot has found, a NoPilot,
// a Judged and a Resumed; and at any time a CheckpointLost. It may be nil.
type Watch func(graphs.Event)

// Resumed is where training goes on from a checkpoint.
type Resumed string

// CheckpointLost says why a checkpoint could not be written, or was taken away.
type CheckpointLost struct{ Err error }

// NoPilot says that fewer links than that can be held out for a pilot, so that the recipe decides.
type NoPilot int

// Judged is how many links choose the epoch, or score its end, where links do.
type Judged int

func (w Watch) tell(e graphs.Event) {
	if w != nil {
		w(e)
	}
}

// Outcome is what a run leaves behind.
type Outcome struct {
	Record results.Record
	Result *graphs.Result // nil if training failed with nothing to keep
	Input  hetnet.Input   // of a method on papers and authors

	typed *typedRun // nil where it asks for no ranking
}

// Run trains a model and measures it. With select = validation, a tenth of the training links is held out of the walks and
// of the classifier's training set, and chooses the epoch; the test links are looked at once, at the end, by a classifier
// trained on all training links. With select = test they choose the epoch, as in the paper. Without test links there is
// no test score.
//
// If ctx is cancelled the outcome is that of the best epoch so far, marked as interrupted. If the run fails, the error is
// also in the record, with the epochs before it; if they had a best one, the outcome is that of it.
//
// The graph of a loss that has been edited is checked beforehand; see ErrModel.
func Run(ctx context.Context, data Data, o graphs.Options, protocol string, threads int, watch Watch) (*Outcome, error) {
	if o.Method != nil && NeedsHeld(o.Scorer()) { // which measures beside the run's own
		data.Scores, o.Scoring = append(slices.Clone(data.Scores), o.Scorer()), graphs.ScoringNative
	}
	out, failure := train(ctx, data, o, protocol, threads, watch)
	if failure == nil && o.Refit && out.Result != nil && !out.Result.Interrupted && data.Split != nil {
		failure = out.refit(ctx, data, o, threads, watch)
	}
	return out, out.finish(ctx, data, o, threads, failure)
}

// train is Run without the test links' last word; finish completes it.
func train(ctx context.Context, data Data, o graphs.Options, protocol string, threads int, watch Watch) (*Outcome, error) {
	limitGarbage()
	debug.FreeOSMemory() // what a run before has left: plans take runs one by one
	if data.Typed != nil {
		o = hetnet.ForSchema(o)
	}
	o, invalid := o.Resolve()
	if o.Method == nil {
		return &Outcome{Record: results.NewRecord("")}, invalid
	}
	out := &Outcome{Record: results.NewRecord(o.Method.Name)}
	r := &out.Record
	r.Protocol, r.Seed = protocol, o.Seed
	r.Host.Threads = threads
	r.Selection = map[string]string{
		graphs.SelectValidation: results.ValidationBest, graphs.SelectTest: results.TestBest, graphs.SelectLoss: results.LossBest,
		graphs.SelectLast: results.Last,
	}[o.Select]
	r.Scoring = o.Scorer()
	r.Dataset = data.Describe()
	var err error
	if r.Options, err = results.MarshalOptions(o); err != nil || invalid != nil {
		return out, cmp.Or(invalid, err) // of a NaN, what says where it is
	}
	r.Definition = Definition(o)
	if err := CheckMethod(data, o); err != nil {
		return out, err
	}
	if o.Method.Typed {
		return out, trainTyped(ctx, data, o, threads, watch, out)
	}
	return out, trainLinks(ctx, data, o, threads, watch, out)
}

// finish measures what was trained on the test links, if there are any, and completes the record with how the run ended. Also
// after an interruption or a failure: what was trained so far is measured, in the moment that takes.
func (out *Outcome) finish(ctx context.Context, data Data, o graphs.Options, threads int, failure error) error {
	switch {
	case out.Result == nil:
	case out.typed != nil:
		if err := out.typed.finish(context.WithoutCancel(ctx), out); err != nil {
			failure = errors.Join(failure, err)
		}
	case o.HoldOut > 0:
		// The links held out have had their say; the test links are for a run that knows what it wants.
	case data.Split != nil && len(data.Split.Test) > 0:
		if err := out.score(ctx, data.Split, data.Scores, o, threads); err != nil {
			failure = errors.Join(failure, err)
		}
		if failure == nil && !out.Result.Interrupted {
			failure = out.scoreFitted(ctx, data, o, threads)
		}
	}
	out.Record.Finish(failure)
	return failure
}

func trainLinks(ctx context.Context, data Data, o graphs.Options, threads int, watch Watch, out *Outcome) error {
	split := data.Split
	if o.Select == graphs.SelectTest && len(split.Test) == 0 {
		return fmt.Errorf("experiments: select = %q without test links: expected a split, or select = %q", o.Select, graphs.SelectValidation)
	}
	seen, err := Seen(split, o) // what the model and the choice of the epoch may look at
	if err != nil {
		return err
	}
	net, err := seen.TrainNetwork()
	if err != nil {
		return err
	}
	if err := checkModel(o); err != nil {
		return err
	}
	against, err := ranked(seen, "published")
	if err != nil {
		return err
	}
	judge := &linkScorer{against: against, method: o.Method, scoring: o.Scorer(), threads: threads}
	monitor := graphs.Monitor{
		State: func() any { return linkState{out.Record.StepPairs, judge.start} },
		Resume: func(state []byte) error {
			var s linkState
			if err := json.Unmarshal(state, &s); err != nil {
				return err
			}
			out.Record.StepPairs, judge.start = s.StepPairs, s.Start
			return nil
		},
	}
	monitor.Tell = func(e graphs.Event) {
		switch p := e.(type) {
		case graphs.Progress:
			out.Record.StepPairs = max(out.Record.StepPairs, p.Step)
			if pilot := out.Record.Pilot; pilot != nil {
				p.RunPairs, p.RunTotal = p.RunPairs+pilot.Pairs, p.RunTotal+pilot.Pairs
			}
			e = p
		case graphs.Begun:
			out.Record.StepPairs, judge.start = 0, nil
		}
		watch.tell(e)
	}
	chooses := o.Select == graphs.SelectValidation || o.Select == graphs.SelectTest
	if chooses {
		monitor.Score = judge.score
	}
	if chooses || o.HoldOut > 0 {
		watch.tell(Judged(len(seen.Test)))
	}
	in := graphs.Input{Network: net}
	if err := out.prepare(&in, data, "train", o, watch); err != nil {
		return err
	}
	o, err = pilot(ctx, data, seen, o, threads, watch, out)
	if err != nil {
		return err
	}
	res, failure := graphs.Train(ctx, in, o, threads, monitor)
	if res == nil {
		return failure
	}
	describe(&out.Record, res, o)
	addPilot(&out.Record)
	if res.Embedding == nil {
		return failure
	}
	out.Result = res
	if failure == nil && o.HoldOut > 0 && !res.Interrupted {
		failure = out.scoreHeldOut(ctx, seen, data.Scores, o, threads)
	}
	return failure
}

// prepare completes the input of a training of the run, whose checkpoints have the name of a part: with what vertices and vectors it begins with.
func (out *Outcome) prepare(in *graphs.Input, data Data, part string, o graphs.Options, watch Watch) (err error) {
	if in.Features, err = Features(o, data.Split.Names); err != nil {
		return err
	}
	if in.Features != nil {
		if err := checkFeatures(in.Features, o, data.Memory); err != nil {
			return err
		}
		d := &out.Record.Dataset
		d.FeaturesSHA256, d.FeaturesMissing, d.FeaturesUnknown = in.Features.Checksum(), in.Features.Missing, in.Features.Unknown
	}
	in.Checkpoints, err = data.Checkpoints.of(part).training(&out.Record, in.Until, watch)
	return err
}

// NeedsHeld reports whether a score is fitted to links held out from a training, which kept vectors of all
// links do not have.
func NeedsHeld(score string) bool { return eval.Scorers.Get(score).Held }

// scoreFitted measures by scores that are fitted to links held out: by coefficients of the data or, where
// those have none, of further trainings, whose time is that of scoring. If it is interrupted, the run is.
func (out *Outcome) scoreFitted(ctx context.Context, data Data, o graphs.Options, threads int) error {
	scores := seq.Filter(data.Scores, NeedsHeld)
	if len(scores) == 0 {
		return nil
	}
	begin := time.Now()
	defer func() { out.Record.EvalSeconds += time.Since(begin).Seconds() }()
	v, how := VectorsOf(o.Method, *out.Result.Embedding), eval.ScoreOptions{Threads: threads, Coefficients: data.Coefficients}
	if data.Coefficients == nil {
		var err error
		v.Held, err = Companions(ctx, data.Name, data.Split, o, threads)
		if ctx.Err() != nil {
			out.interrupt()
			return nil
		}
		if err != nil {
			return fmt.Errorf("once more without a tenth of the training links: %w", err)
		}
	}
	err := out.scoreBy(ctx, scores, v, data.Split, how)
	if ctx.Err() != nil {
		out.interrupt()
		return nil
	}
	return err
}

// interrupt makes the outcome that of an interrupted run.
func (out *Outcome) interrupt() { out.Result.Interrupted, out.Record.Interrupted = true, true }

// scoreBy adds scores of what was trained on the test links of a split.
func (out *Outcome) scoreBy(ctx context.Context, scores []string, v eval.Vectors, split *network.Split, how eval.ScoreOptions) error {
	for _, name := range scores {
		if err := out.addScore(ctx, name, v, split, how); err != nil {
			return err
		}
	}
	return nil
}

// score measures what was trained on the test links of a split, by the run's own score and by others but for
// those that are fitted to links held out. Others may take long: if it is interrupted in them, the run is.
func (out *Outcome) score(ctx context.Context, split *network.Split, others []string, o graphs.Options, threads int) (err error) {
	begin := time.Now()
	defer func() { out.Record.EvalSeconds += time.Since(begin).Seconds() }()
	r, v := &out.Record, VectorsOf(o.Method, *out.Result.Embedding)
	how := eval.ScoreOptions{Threads: threads, Seed: o.Seed}
	if r.Metrics, err = eval.Measure(context.WithoutCancel(ctx), o.Scorer(), v, split, how, eval.Measurement{}); err != nil {
		return err
	}
	if lengths, err := eval.LengthsByDegree(v.One, split); err == nil && !math.IsNaN(lengths) {
		r.Metrics[LengthsByDegree] = lengths
	}
	r.ScoreDefinition = ScoreDefinition(o.Scorer(), r.Metrics)
	names := slices.Concat(Untrained, others)
	for i, name := range names {
		if name == o.Scorer() || slices.Contains(names[:i], name) || NeedsHeld(name) {
			continue
		}
		if err := out.addScore(ctx, name, v, split, how); err != nil && ctx.Err() != nil {
			out.interrupt()
			return nil
		} // without a score that cannot be had the run is none the worse
	}
	return nil
}

// addScore adds to the record the metrics of vectors by a score.
func (out *Outcome) addScore(ctx context.Context, name string, v eval.Vectors, split *network.Split, how eval.ScoreOptions) error {
	given := how.Coefficients != nil
	if !given {
		how.Coefficients = map[string]*eval.Coefficients{}
	}
	metrics, err := eval.Measure(ctx, name, v, split, how, eval.Measurement{})
	if err != nil {
		return err
	}
	s := results.Scored{Score: name, Definition: ScoreDefinition(name, metrics), Metrics: metrics}
	if !given && len(how.Coefficients) > 0 {
		if s.Coefficients, err = json.Marshal(how.Coefficients); err != nil {
			return err // which numbers that are finite have not
		}
	}
	out.Record.AddScore(s)
	return nil
}

// LengthsByDegree is the name of eval.LengthsByDegree among the metrics of a run.
const LengthsByDegree = "lengths_by_degree"

// linkState is what a checkpoint has of the record and of the classifier, whose next epoch starts from its weights.
type linkState struct {
	StepPairs int64
	Start     [][]float64
}

// scoreHeldOut measures what was trained on the links that were held out from it. Where these are too few for
// a score that is fitted to them, the run has it not.
func (out *Outcome) scoreHeldOut(ctx context.Context, seen *network.Split, others []string, o graphs.Options, threads int) error {
	if err := out.score(ctx, seen, others, o, threads); err != nil {
		return err
	}
	begin := time.Now()
	r, v := &out.Record, VectorsOf(o.Method, *out.Result.Embedding)
	v.Held = []eval.Held{{Vectors: v, Split: seen}}
	err := out.scoreBy(ctx, seq.Filter(others, NeedsHeld), v, seen, eval.ScoreOptions{Threads: threads})
	r.EvalSeconds += time.Since(begin).Seconds()
	if ctx.Err() != nil {
		out.interrupt() // but for what its links held out say so far
	} else if err != nil && !errors.Is(err, eval.ErrFewLinks) {
		return err
	}
	r.Metrics = OfHeldOut(r.Metrics)
	for i := range r.Scores {
		r.Scores[i].Metrics = OfHeldOut(r.Scores[i].Metrics)
	}
	return nil
}

// OfHeldOut returns metrics under the names of those of links that were held out from a run.
func OfHeldOut(m results.Metrics) results.Metrics {
	return prefixed(ValidationPrefix, m)
}

// ValidationPrefix stands before the metrics of links that were held out.
const ValidationPrefix = "validation_"

// ValidationAUC is the metric of a run that was scored by the links held out from it.
const ValidationAUC = "validation_auc"

// refit trains once more on all training links, each stage for as many epochs as validation has chosen, and takes the place of
// what chose them. The learning rate falls as it did. Where it is interrupted or fails, what chose them stays.
func (out *Outcome) refit(ctx context.Context, data Data, o graphs.Options, threads int, watch Watch) error {
	if p := out.Record.Pilot; p != nil {
		o = o.WithRateSum(cmp.Or(p.Optimizer, o.Optimizer), p.RateSum)
	}
	net, err := data.Split.TrainNetwork()
	if err != nil {
		return err
	}
	in := graphs.Input{Network: net, Until: map[string]int{}}
	for _, s := range out.Result.Stages {
		in.Until[s.Name] = max(s.Best, 1)
	}
	if err := out.prepare(&in, data, "refit", o, watch); err != nil {
		return err
	}
	res, err := graphs.Train(ctx, in, o, threads, graphs.Monitor{Tell: watch})
	if ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())) && (res == nil || res.Interrupted) {
		out.interrupt()
		return nil
	}
	if err != nil {
		return fmt.Errorf("once more on all training links: %w", err)
	}
	for _, s := range res.Stages {
		for _, e := range s.Epochs {
			out.Record.RefitSeconds += e.Train.Seconds()
		}
	}
	out.Record.TrainSeconds += out.Record.RefitSeconds
	out.Result = res
	return nil
}

// VectorsOf returns what scores read of a method's embedding.
func VectorsOf(m *graphs.Method, e graphs.Embedding) eval.Vectors {
	v := eval.Vectors{One: eval.Embedding{N: len(e.Final) / max(e.D, 1), D: e.D, Data: e.Final}}
	several := eval.MultiEmbedding{First: e.First, D: e.D, Data: e.Vectors, Share: e.Share}
	if m.MultiVector() { // what DeepWalk leaves beside its vectors are contexts
		v.Several = several
	}
	if e.Center != nil && e.Vectors != nil {
		v.Sides = &eval.Sides{Source: eval.Embedding{N: v.One.N, D: e.D, Data: e.Center}, Target: several}
	}
	return v
}

// Untrained are the scores that every run is measured by beside its own: what the network says without training.
var Untrained = []string{"degrees", "walk"}

// linkScorer gives the AUC that chooses epochs, the mean against several lists of negatives. Each classifier starts from the one of the stage's epoch before, which saves
// time and moves the optimum within the solver's tolerance.
type linkScorer struct {
	against []*network.Split // of the same links, with the negatives of each list as TestNeg
	method  *graphs.Method
	scoring string
	threads int
	start   [][]float64 // weights of each list's classifier
}

// ranked returns a split once for each of some kinds of negatives, as eval.Negatives.In has them. It returns an error for a kind that the split cannot have.
func ranked(s *network.Split, kinds ...string) (all []*network.Split, err error) {
	for _, kind := range kinds {
		one, err := eval.NegativesKinds.Get(kind).In(s)
		if err != nil {
			return nil, fmt.Errorf("experiments: negatives %q: %w", kind, err)
		}
		all = append(all, one)
	}
	return all, nil
}

func (s *linkScorer) score(ctx context.Context, l graphs.Learner) (float64, error) {
	e, err := l.Embedding()
	if err != nil {
		return 0, err
	}
	if len(s.start) != len(s.against) {
		s.start = make([][]float64, len(s.against))
	}
	var sum float64
	for i, split := range s.against {
		scorer, err := eval.Fit(ctx, s.scoring, VectorsOf(s.method, e), split, eval.ScoreOptions{Threads: s.threads, Start: s.start[i]})
		if err != nil {
			return 0, err
		}
		s.start[i] = scorer.Weights
		all, err := scorer.Measure(ctx, split, eval.Measurement{Negatives: []string{"uniform"}})
		if err != nil {
			return 0, err
		}
		sum += all["auc_random"]
	}
	return sum / float64(len(s.against)), nil
}

// describe copies the course of a run into its record.
func describe(r *results.Record, res *graphs.Result, o graphs.Options) {
	r.Interrupted = res.Interrupted
	r.TrainSeconds, r.EvalSeconds = (res.Took + res.Unfinished.Train).Seconds(), res.Unfinished.Eval.Seconds()
	m := o.Method
	r.Parameters = results.Parameters{Count: res.Parameters(), Formula: m.Formula, Paper: m.PublishedCount(int64(len(res.Names)), o)}
	for _, s := range res.Stages {
		name := results.StageWarmUp
		if s.Name == graphs.StageMain {
			name = o.Method.Name
		}
		r.BestStage, r.BestEpoch, r.PartialEpoch = name, s.Best, s.Partial
		for _, e := range s.Epochs {
			epoch := results.Epoch{
				Stage: name, Epoch: e.Number, LossNats: results.Float(e.Loss.Pairs), Penalty: results.Float(e.Loss.Penalty),
				Seconds: e.Train.Seconds(), Pairs: e.Pairs,
			}
			if e.Train > 0 { // a coarse clock sees no time pass in a tiny epoch, and JSON has no infinity
				epoch.PairsPerSecond = float64(e.Pairs) / e.Train.Seconds()
			}
			if score := e.Score; e.Scored && o.Select == graphs.SelectValidation {
				epoch.ValidationAUC = &score
			} else if e.Scored {
				epoch.TestAUC = &score
			}
			r.Epochs = append(r.Epochs, epoch)
			r.TrainSeconds += e.Train.Seconds()
			r.EvalSeconds += e.Eval.Seconds()
		}
	}
}
