package run

import (
	"errors"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Check looks at the graphs that a run of these options would train, on a small random batch: for nodes that were merged,
// parameters that a run overwrites, gradients that are not those of the loss, and engines that disagree. It returns an error
// only if the options are out of range; what is wrong with the graphs is in the reports.
func Check(o graphs.Options) ([]guard.Report, error) {
	models, err := graphs.GuardModels(o)
	if err != nil {
		return nil, err
	}
	return append(seq.Map(models, guard.Check), guard.Report{Model: o.Method.Name, Findings: []guard.Finding{checkEngines(o)}}), nil
}

// ErrModel is wrapped by the error of Run for a graph that fails a check.
var ErrModel = errors.New("the model's graph fails a check")

// checkModel returns an error that names the checks which a run's graphs fail. Where fused ops compute the whole loss, there
// is no graph to check; with engine auto they do only where they have just been found to agree with it.
func checkModel(o graphs.Options) error {
	fused, err := wholly(o)
	if err != nil {
		return err
	}
	if fused {
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

// wholly says whether fused ops compute the whole loss of a run.
func wholly(o graphs.Options) (bool, error) {
	switch {
	case o.Engine == graphs.EngineGraph:
		return false, nil
	case o.Engine == graphs.EngineFused && o.Method.Engines == nil: // with Engines, a part of the loss may be a graph whatever is asked for
		return true, nil
	}
	engines, err := graphs.Engines(o)
	if err != nil || len(engines) == 0 {
		return false, err
	}
	return !slices.ContainsFunc(engines, func(e string) bool { return e != graphs.EngineFused }), nil
}

// checkEngines says whether the fused op computes what the graph does.
func checkEngines(o graphs.Options) guard.Finding {
	f := guard.Finding{Check: "engines", Status: guard.OK}
	engines, err := graphs.Engines(o)
	switch {
	case err != nil:
		f.Status, f.Detail = guard.Failed, err.Error()
	case len(engines) == 0:
		f.Status, f.Detail = guard.Skipped, "the method's loss has no fused op: training uses the graph"
	case engines[0] == graphs.EngineFused:
		f.Detail = "the fused op agrees with the loss and the gradients of the graph to float32 rounding"
	case o.Engine == graphs.EngineFused:
		f.Status = guard.Failed
		f.Detail = fmt.Sprintf("the fused op does not compute these losses and layers (engine auto takes: %s): want --engine auto or graph", engines[0])
	default:
		f.Status = guard.Skipped
		f.Detail = fmt.Sprintf("no fused op for these losses and layers: training uses %s", engines[0])
	}
	return f
}
