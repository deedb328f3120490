package run

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/results"
)

// What chooses epochs in author identification: recall among the first so many candidates of the development papers.
const (
	ValidatedChoice = "recall@5"
	PaperChoice     = "recall@2" // as the code of TaPEm
)

// Prefixes of an epoch's metrics: of development papers, and of test papers where the protocol looks at them.
const (
	DevPrefix  = "dev_"
	testPrefix = "test_"
)

// authorRun is a run that learns to identify the authors of papers.
type authorRun struct {
	task    *papers.Identification // nil where no paper is to be named
	cache   *PaperCache
	threads int
	paper   bool // test papers are looked at after every epoch, and the best of each metric is reported
	choice  string
	prior   bool // of authors, is chosen

	measured
}

// trainAuthors trains a method on a bibliography. With select = validation the development half of the test papers chooses the
// epoch, and the other half is looked at once, at the end. With select = test it is done as in the code of TaPEm: the test half
// is scored after every epoch, and of each metric the best epoch's value is reported.
func trainAuthors(ctx context.Context, data Data, o graphs.Options, threads int, watch Watch, out *Outcome) error {
	if err := hetnet.CheckPaths(papers.Schema(), o); err != nil {
		return err
	}
	if o.HoldOut > 0 {
		return fmt.Errorf("experiments: hold-out = %v on papers and authors: expected 0: the papers are split already", o.HoldOut)
	}
	b := data.Bibliography
	a := &authorRun{cache: data.Papers, threads: threads, paper: o.Select == graphs.SelectTest, choice: ValidatedChoice, prior: hetnet.Own(o).AuthorPrior}
	if a.paper {
		a.choice = PaperChoice
	}
	chosen := a.paper || o.Select == graphs.SelectValidation
	if chosen || len(b.Test) > 0 { // a model alone, without a measure of it, needs no test papers
		task, err := papers.NewIdentification(b)
		switch {
		case err != nil && chosen:
			return fmt.Errorf("%w; select = %q needs none", err, graphs.SelectLast)
		case err != nil:
			return err
		}
		a.task, out.authors = task, a
	}
	if err := checkModel(o); err != nil {
		return err
	}
	words, err := data.Papers.wordsOf(ctx, b.Network, o, threads, &out.Record.Dataset)
	if err != nil {
		return err
	}
	out.Input = hetnet.OfPapers(b.Network, words)
	return a.train(ctx, data, o, threads, watch, a.score, out)
}

// score returns what chooses epochs, and keeps all metrics.
func (a *authorRun) score(ctx context.Context, l graphs.Learner) (float64, error) {
	ranker, ok := l.(papers.Ranker)
	if !ok {
		return 0, fmt.Errorf("experiments: a %T ranks no authors", l)
	}
	if err := a.choosePrior(ctx, ranker); err != nil {
		return 0, err
	}
	dev, err := a.task.Evaluate(ctx, ranker, a.task.Dev, a.threads)
	if err != nil {
		return 0, err
	}
	a.latest = prefixed(DevPrefix, dev.Metrics())
	if o, ok := l.(hetnet.Observer); ok {
		o.Observe(a.latest[DevPrefix+PaperChoice])
	}
	if a.paper {
		test, err := a.task.Evaluate(ctx, ranker, a.task.Test, a.threads)
		if err != nil {
			return 0, err
		}
		maps.Copy(a.latest, prefixed(testPrefix, test.Metrics()))
	}
	return a.latest[DevPrefix+a.choice], nil
}

// choosePrior lets the development papers choose the prior of authors, where the options ask for one.
func (a *authorRun) choosePrior(ctx context.Context, ranker papers.Ranker) error {
	if !a.prior {
		return nil
	}
	return hetnet.ChoosePrior(ctx, ranker, a.task, a.threads)
}

// finish measures the reported epoch on the test papers, or takes the best of each metric over all epochs of the last stage.
func (a *authorRun) finish(ctx context.Context, out *Outcome) error {
	start := time.Now()
	ranker, ok := out.Result.Learner.(papers.Ranker)
	if !ok {
		return fmt.Errorf("experiments: a %T ranks no authors", out.Result.Learner)
	}
	if err := a.choosePrior(ctx, ranker); err != nil {
		return err
	}
	test, err := a.task.Evaluate(ctx, ranker, a.task.Test, a.threads)
	if err != nil {
		return err
	}
	out.Record.EvalSeconds += time.Since(start).Seconds()
	out.Record.Metrics = test.Metrics()
	if out.Record.Baselines, err = a.cache.baselinesOf(ctx, a.task, out.Input.Words, out.Record.Dataset.SHA256, a.threads); err != nil {
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
	if !a.paper {
		return nil
	}
	for name := range out.Record.Metrics {
		for i, e := range out.Record.Epochs {
			if i < len(a.epochs) && e.Stage == out.Record.Method {
				out.Record.Metrics[name] = math.Max(out.Record.Metrics[name], a.epochs[i][testPrefix+name])
			}
		}
	}
	return nil
}

// describeAuthors says on what data a run worked.
func describeAuthors(name string, b *papers.Bibliography) results.Dataset {
	train := b.Vertices(papers.Trained)
	return results.Dataset{Name: name, SHA256: b.Checksum(), Vertices: b.Vertices(papers.Author) + train, Links: len(b.Written().From), Train: train, Test: len(b.Test)}
}

// checkKind returns an error for a method that does not learn from such data.
func checkKind(data Data, o graphs.Options) error {
	m := o.Method
	switch {
	case data.Typed != nil && !m.Typed:
		return fmt.Errorf("experiments: %s does not learn from heterogeneous networks such as %s: expected %s", m.Name, data.Name, strings.Join(hetnet.Names(), ", "))
	case data.Typed != nil:
		return nil
	case m.Typed && data.Bibliography == nil:
		return fmt.Errorf("experiments: %s learns from papers and authors, and %s has none: expected a bibliography", m.Name, data.Name)
	case !m.Typed && data.Bibliography != nil:
		return fmt.Errorf("experiments: %s learns from networks with one type of vertices, and %s has papers and authors: expected another method", m.Name, data.Name)
	}
	return nil
}
