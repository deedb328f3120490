package run

import (
	"errors"
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Check looks at the graphs that a run of these options would train, on a small random batch: for nodes that were merged,
// parameters that a run overwrites, and gradients that are not those of the loss. It returns an error
// only if the options are out of range; what is wrong with the graphs is in the reports.
func Check(o graphs.Options) ([]guard.Report, error) {
	models, err := graphs.GuardModels(o)
	if err != nil {
		return nil, err
	}
	if len(models) == 0 {
		return []guard.Report{{Model: o.Method.Name, Findings: []guard.Finding{{Check: "graph", Status: guard.Skipped, Detail: "it trains no loss: there is no graph to check"}}}}, nil
	}
	return seq.Map(models, guard.Check), nil
}

// ErrModel is wrapped by the error of Run for a graph that fails a check.
var ErrModel = errors.New("the model's graph fails a check")

// checkModel returns an error that names the checks which a run's graphs fail. Code that is as it was when the tests last passed needs none.
func checkModel(o graphs.Options) error {
	if !Edited(o) {
		return nil
	}
	models, err := graphs.GuardModels(o)
	if err != nil {
		return err
	}
	return checkModels(models)
}

func checkModels(models []guard.Model) error {
	errs := seq.Map(models, func(m guard.Model) error { return guard.Check(m).Err() })
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("experiments: %w: %w; asp2vec check shows them all", ErrModel, err)
	}
	return nil
}
