package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// RankingChoice is the metric of validation pairs that chooses epochs and options where the vertices of one type are ranked for those
// of another.
const RankingChoice = "recall@20"

// ValidationPrefix stands before the metrics of validation pairs.
const ValidationPrefix = "validation_"

// Names of rankings of targets that need no training, in records, beside those of Baselines.
const (
	BaselineNeighbours = "nearest-neighbours" // "neighbours", of older records, counts all users alike
	BaselineLowPass    = "low-pass"
)

// rankingRun is a run that learns to rank the targets of a type of links.
type rankingRun struct {
	n       *typed.Network // what the model sees: without validation links
	task    *typed.Task    // nil where nothing is to be ranked
	threads int
	measured
}

// trainRanking trains a method on a heterogeneous network. With select = validation a tenth of each source's links that are to be ranked,
// or the pairs of a validation file, chooses the epoch by Recall@20 and is not trained on; with hold-out = x that share is scored at
// the end, and the test pairs are not looked at.
func trainRanking(ctx context.Context, data Data, o graphs.Options, threads int, watch Watch, out *Outcome) error {
	if err := hetnet.CheckPaths(&data.Typed.Schema, o); err != nil {
		return err
	}
	r := &rankingRun{n: data.Typed, task: data.Task, threads: threads}
	var err error
	chosen := o.Select == graphs.SelectValidation
	switch {
	case data.Task == nil && (chosen || o.HoldOut > 0):
		return fmt.Errorf("experiments: the schema of %s ranks nothing, so nothing can be chosen: expected rank: in it, or select = %q", data.Name, graphs.SelectLast)
	case o.Select == graphs.SelectTest:
		return fmt.Errorf("experiments: select = %q: expected %q or %q: test pairs are used only once", o.Select, graphs.SelectValidation, graphs.SelectLast)
	case o.HoldOut > 0:
		r.n, r.task, err = data.Task.HoldOut(data.Typed, o.HoldOut, o.Seed)
	case chosen && len(data.Task.Validation) == 0:
		r.n, r.task, err = data.Task.HoldOut(data.Typed, HoldOutFraction, o.Seed)
	}
	if err != nil {
		return err
	}
	if err := checkModel(o); err != nil {
		return err
	}
	seen := hetnet.SeenBy(o.Method, r.n) // baselines may see more
	out.Input = hetnet.OfNetwork(seen, o.Method, nil)
	if seen.Has(typed.Text) {
		if out.Input.Words, err = data.Papers.wordsOf(ctx, seen, o, threads, &out.Record.Dataset); err != nil {
			return err
		}
	}
	out.ranking = r
	score := r.score
	if !chosen {
		score = nil
	}
	failure := r.train(ctx, data, o, threads, watch, score, out)
	if failure == nil && o.HoldOut > 0 && out.Result != nil && !out.Result.Interrupted {
		failure = r.finish(ctx, out, true)
	}
	return failure
}

// evaluate measures a model by some pairs; other are those of the other part of the split, which are not ranked.
func (r *rankingRun) evaluate(ctx context.Context, l graphs.Learner, pairs, other []typed.Pair) (results.Metrics, error) {
	model, ok := l.(hetnet.Ranker)
	if !ok {
		return nil, fmt.Errorf("experiments: a %T ranks no targets", l)
	}
	score, err := model.Scorer(r.task)
	if err != nil {
		return nil, err
	}
	s, err := r.task.Evaluate(ctx, r.n, pairs, other, score, r.threads)
	if err != nil {
		return nil, err
	}
	return s.Metrics(), nil
}

// score returns what chooses epochs, and keeps all metrics.
func (r *rankingRun) score(ctx context.Context, l graphs.Learner) (float64, error) {
	m, err := r.evaluate(ctx, l, r.task.Validation, nil)
	if err != nil {
		return 0, err
	}
	r.latest = prefixed(ValidationPrefix, m)
	if o, ok := l.(hetnet.Observer); ok {
		o.Observe(m[RankingChoice])
	}
	return m[RankingChoice], nil
}

// prefixed returns metrics under names with a prefix.
func prefixed(prefix string, m results.Metrics) results.Metrics {
	named := results.Metrics{}
	for name, x := range m {
		named[prefix+name] = x
	}
	return named
}

// finish measures the reported epoch on the test pairs or, where some were held out from the model to that end, on these.
func (r *rankingRun) finish(ctx context.Context, out *Outcome, heldOut bool) error {
	if r.task == nil {
		return nil
	}
	start := time.Now()
	defer func() { out.Record.EvalSeconds += time.Since(start).Seconds() }()
	pairs, other := r.task.Test, r.task.Validation
	if heldOut {
		pairs, other = r.task.Validation, nil
	}
	m, err := r.evaluate(ctx, out.Result.Learner, pairs, other)
	if err != nil {
		return err
	}
	if out.Record.Metrics = m; heldOut {
		out.Record.Metrics = prefixed(ValidationPrefix, m)
	}
	out.Record.Baselines, err = RankingBaselines(ctx, r.n, r.task, pairs, other, r.threads)
	return err
}

// rankingBaselines are rankings of targets that need no training, by name, in the order of tables.
var rankingBaselines = []struct {
	name   string
	scorer func(ctx context.Context, t *typed.Task, n *typed.Network, threads int) (typed.Scorer, error)
}{
	{BaselinePopularity, func(_ context.Context, t *typed.Task, n *typed.Network, _ int) (typed.Scorer, error) {
		return t.Popularity(n), nil
	}},
	{BaselineTFIDF, func(_ context.Context, t *typed.Task, n *typed.Network, _ int) (typed.Scorer, error) {
		return t.TFIDF(n)
	}},
	{BaselineNeighbours, func(_ context.Context, t *typed.Task, n *typed.Network, _ int) (typed.Scorer, error) {
		return t.Neighbours(n), nil
	}},
	{BaselineLowPass, func(ctx context.Context, t *typed.Task, n *typed.Network, threads int) (typed.Scorer, error) {
		return t.LowPass(ctx, n, threads)
	}},
}

// RankingBaselineNames returns the names of rankings of targets that need no training, in the order of tables.
func RankingBaselineNames() (names []string) {
	for _, b := range rankingBaselines {
		names = append(names, b.name)
	}
	return names
}

// RankingBaseline returns how one of them scores targets. It returns an error for an unknown name, and those of the baselines.
func RankingBaseline(ctx context.Context, name string, n *typed.Network, task *typed.Task, threads int) (typed.Scorer, error) {
	for _, b := range rankingBaselines {
		if b.name == name {
			return b.scorer(ctx, task, n, threads)
		}
	}
	return nil, unknown.Name{What: "experiments: baseline", Name: name, Known: RankingBaselineNames()}
}

// RankingBaselines returns what rankings that need no training come to on some pairs of a task, as typed.Task.Evaluate has it: all that the
// network has texts for and is not too large for. It returns the errors of Evaluate.
func RankingBaselines(ctx context.Context, n *typed.Network, task *typed.Task, pairs, other []typed.Pair, threads int) (map[string]results.Metrics, error) {
	all := map[string]results.Metrics{}
	for _, name := range RankingBaselineNames() {
		score, err := RankingBaseline(ctx, name, n, task, threads)
		if errors.Is(err, typed.ErrNoTexts) || errors.Is(err, typed.ErrTooLarge) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s, err := task.Evaluate(ctx, n, pairs, other, score, threads)
		if err != nil {
			return nil, err
		}
		all[name] = s.Metrics()
	}
	return all, nil
}

// Known returns the links of the type that was ranked, validation links with them, which are not ranked for a test either; nil where
// none was.
func (out *Outcome) Known() *vectors.Known {
	if out.ranking == nil || out.ranking.task == nil {
		return nil
	}
	n, task := out.ranking.n, out.ranking.task
	source, target := task.Ends(n)
	k := &vectors.Known{Source: n.Types[source].Name, Target: n.Types[target].Name}
	add := func(from, to int32) {
		k.Links = append(k.Links, [2]string{typed.VertexName(k.Source, n.Names[source][from]), typed.VertexName(k.Target, n.Names[target][to])})
	}
	task.EachRanked(n, add)
	for _, p := range task.Validation {
		add(p.Source, p.Target)
	}
	return k
}

// describeTyped says on what data a run worked. Of the links that are ranked, test pairs included, the checksum tells too.
func describeTyped(name string, n *typed.Network, task *typed.Task) results.Dataset {
	d := results.Dataset{Name: name, SHA256: n.Checksum()}
	for t := range n.Types {
		d.Vertices += n.Vertices(t)
	}
	for _, l := range n.Links {
		d.Links += len(l.From)
	}
	d.Train = d.Links
	if task != nil {
		d.SHA256, d.Test = task.Checksum(n), len(task.Test)
		d.Train = len(n.Links[task.Link].From)
	}
	return d
}
