package run

import (
	"context"
	"encoding/json"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// measured is the metrics of a run on vertices of several types, where an epoch has more than an AUC.
type measured struct {
	epochs []results.Metrics // of each epoch so far
	latest results.Metrics   // of the one under way; nil where it is not scored
}

// train trains the method on the input of the outcome, and fills in what came of it. score chooses the epoch, and is nil where none is chosen.
func (m *measured) train(ctx context.Context, data Data, o graphs.Options, threads int, watch Watch, score func(context.Context, graphs.Learner) (float64, error), out *Outcome) (err error) {
	monitor := graphs.Monitor{
		Step: watch.Step, Score: score,
		State: func() any { return m.epochs }, // what a checkpoint has of the record
		Resume: func(text []byte) error {
			return json.Unmarshal(text, &m.epochs)
		},
		Begin: watch.Begin,
		Done: func(e graphs.Epoch) {
			m.epochs = append(m.epochs, m.latest)
			m.latest = nil
			if watch.Done != nil {
				watch.Done(e)
			}
		},
	}
	in := graphs.Input{Typed: out.Input}
	if in.Checkpoints, err = data.Checkpoints.training(&out.Record, nil); err != nil {
		return err
	}
	res, failure := graphs.Train(ctx, in, o, threads, monitor)
	if res == nil {
		return failure
	}
	describe(&out.Record, res, o)
	for i := range min(len(m.epochs), len(out.Record.Epochs)) {
		e := &out.Record.Epochs[i]
		e.ValidationAUC, e.TestAUC, e.Metrics = nil, nil, m.epochs[i]
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
