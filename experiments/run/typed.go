package run

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
)

// What chooses epochs by rankings: recall among the first so many candidates of the validation questions.
const (
	ValidatedChoice = "recall@5"
	PaperChoice     = "recall@2" // as the code of TaPEm
)

// Prefixes of an epoch's metrics: of validation questions, and of test questions where the protocol looks at them.
const (
	DevPrefix  = "dev_"
	testPrefix = "test_"
)

// typedRun is a run on vertices of several types, and its metrics, where an epoch has more than an AUC.
type typedRun struct {
	b       *typed.Authorship // nil where nothing is asked
	task    *typed.Task       // about authors; nil where nothing is asked
	threads int
	paper   bool // test questions are looked at after every epoch, and the best of each metric is reported
	prior   bool // of authors, is chosen

	epochs []results.Metrics // of each epoch so far
	latest results.Metrics   // of the one under way; nil where it is not scored
}

// trainTyped trains a method on a heterogeneous network. Of papers the validation half of the test papers chooses the
// epoch with select = validation, and the other half is looked at once, at the end. With select = test it is done as in the code of TaPEm: the test half
// is scored after every epoch, and of each metric the best epoch's value is reported. Nothing of a network with a schema is scored.
func trainTyped(ctx context.Context, data Data, o graphs.Options, threads int, watch Watch, out *Outcome) (err error) {
	n := data.network()
	if err := hetnet.CheckPaths(&n.Schema, o); err != nil {
		return err
	}
	r := &typedRun{threads: threads, paper: o.Select == graphs.SelectTest, prior: hetnet.Own(o).AuthorPrior}
	chosen := r.paper || o.Select == graphs.SelectValidation
	b := data.Bibliography
	switch {
	case b == nil && (o.HoldOut > 0 || chosen):
		return fmt.Errorf("experiments: select = %q, hold-out = %v: nothing of a network with a schema is scored: expected select = %q and hold-out = 0", o.Select, o.HoldOut, graphs.SelectLast)
	case o.HoldOut > 0:
		return fmt.Errorf("experiments: hold-out = %v on papers and authors: expected 0: the papers are split already", o.HoldOut)
	case b != nil && (chosen || len(b.Test) > 0): // a model alone, without a measure of it, needs no test papers
		task, err := b.Task()
		switch {
		case err != nil && chosen:
			return fmt.Errorf("%w; select = %q needs none", err, graphs.SelectLast)
		case err != nil:
			return err
		}
		r.b, r.task, out.typed = b.Authorship, task, r
	}
	if err := checkModel(o); err != nil {
		return err
	}
	if b != nil {
		out.Input = hetnet.OfPapers(n, nil)
	} else {
		out.Input = hetnet.OfNetwork(n, o.Method)
	}
	if seen := out.Input.Network; seen.Has(typed.Text) {
		if out.Input.Words, err = data.Words.wordsOf(ctx, seen, o, threads, &out.Record.Dataset); err != nil {
			return err
		}
	}
	return r.train(ctx, data, o, watch, out)
}

// train trains the method on the input of the outcome, and fills in what came of it.
func (r *typedRun) train(ctx context.Context, data Data, o graphs.Options, watch Watch, out *Outcome) (err error) {
	monitor := graphs.Monitor{
		State:  func() any { return r.epochs }, // what a checkpoint has of the record
		Resume: func(text []byte) error { return json.Unmarshal(text, &r.epochs) },
		Tell: func(e graphs.Event) {
			if _, ended := e.(graphs.Epoch); ended {
				r.epochs, r.latest = append(r.epochs, r.latest), nil
			}
			watch.tell(e)
		},
	}
	if r.task != nil {
		monitor.Score = r.score
	}
	in := graphs.Input{Typed: out.Input}
	if in.Checkpoints, err = data.Checkpoints.training(&out.Record, nil, watch); err != nil {
		return err
	}
	res, failure := graphs.Train(ctx, in, o, r.threads, monitor)
	if res == nil {
		return failure
	}
	describe(&out.Record, res, o)
	for i := range min(len(r.epochs), len(out.Record.Epochs)) {
		e := &out.Record.Epochs[i]
		e.ValidationAUC, e.TestAUC, e.Metrics = nil, nil, r.epochs[i]
	}
	if res.Embedding != nil {
		out.Result = res
	}
	return failure
}

// prefixed returns metrics under names with a prefix.
func prefixed(prefix string, m results.Metrics) results.Metrics {
	named := results.Metrics{}
	for name, x := range m {
		named[prefix+name] = x
	}
	return named
}

// ranker returns what ranks with what a model has learnt, with the prior of authors that validation chooses where the options ask for one.
func (r *typedRun) ranker(ctx context.Context, l graphs.Learner) (typed.Ranker, error) {
	ranker, ok := l.(typed.Ranker)
	if !ok {
		return nil, fmt.Errorf("experiments: a %T ranks no authors", l)
	}
	if m, ok := l.(interface {
		ChoosePrior(context.Context, *typed.Authorship, []typed.Question, int) error
	}); ok && r.prior {
		return ranker, m.ChoosePrior(ctx, r.b, r.task.Validation, r.threads)
	}
	return ranker, nil
}

// score returns what chooses epochs, and keeps all metrics.
func (r *typedRun) score(ctx context.Context, l graphs.Learner) (float64, error) {
	ranker, err := r.ranker(ctx, l)
	if err != nil {
		return 0, err
	}
	validation, err := typed.Evaluate(ctx, ranker, r.task.Validation, r.threads)
	if err != nil {
		return 0, err
	}
	r.latest = prefixed(DevPrefix, validation)
	if o, ok := l.(hetnet.Observer); ok {
		o.Observe(validation[PaperChoice])
	}
	if !r.paper {
		return validation[ValidatedChoice], nil
	}
	test, err := typed.Evaluate(ctx, ranker, r.task.Test, r.threads)
	maps.Copy(r.latest, prefixed(testPrefix, test))
	return validation[PaperChoice], err
}

// finish measures the reported epoch on the test questions, or takes the best of each metric over all epochs of the last stage.
func (r *typedRun) finish(ctx context.Context, out *Outcome) error {
	start := time.Now()
	ranker, err := r.ranker(ctx, out.Result.Learner)
	if err != nil {
		return err
	}
	if out.Record.Metrics, err = typed.Evaluate(ctx, ranker, r.task.Test, r.threads); err != nil {
		return err
	}
	out.Record.EvalSeconds += time.Since(start).Seconds()
	if out.Record.Baselines, err = Baselines(ctx, r.b, r.task, out.Input.Words, r.threads); err != nil {
		return err
	}
	if m, ok := out.Result.Learner.(interface {
		AspectSpread(context.Context) (float64, error)
	}); ok {
		spread, err := m.AspectSpread(ctx)
		if err != nil {
			return err
		}
		out.Record.AspectSpread = new(results.Float(spread))
	}
	if !r.paper {
		return nil
	}
	for name := range out.Record.Metrics {
		for i, e := range out.Record.Epochs {
			if i < len(r.epochs) && e.Stage == out.Record.Method {
				out.Record.Metrics[name] = math.Max(out.Record.Metrics[name], r.epochs[i][testPrefix+name])
			}
		}
	}
	return nil
}

// describeTyped says on what heterogeneous network a run worked; of papers, of those with authors to be named too.
func (d Data) describeTyped() results.Dataset {
	n, b := d.network(), d.Bibliography
	if b != nil {
		train := n.Vertices(papers.Trained)
		return results.Dataset{Name: d.Name, SHA256: b.Checksum(), Vertices: n.Vertices(papers.Author) + train, Links: len(b.Written().From), Train: train, Test: len(b.Test)}
	}
	all := results.Dataset{Name: d.Name, SHA256: n.Checksum()}
	for t := range n.Types {
		all.Vertices += n.Vertices(t)
	}
	for _, l := range n.Links {
		all.Links += len(l.From)
	}
	all.Train = all.Links
	return all
}
