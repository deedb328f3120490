package experiments

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
)

// Check looks at the graphs that a run of these options would train, on a small random batch: for nodes that were merged,
// parameters that a run overwrites, gradients that are not those of the loss, and engines that disagree. It returns an error
// only if the options are out of range; what is wrong with the graphs is in the reports.
func Check(o graphs.Options) ([]guard.Report, error) {
	models, err := graphs.GuardModels(o)
	if err != nil {
		return nil, err
	}
	var reports []guard.Report
	for _, m := range models {
		reports = append(reports, guard.Check(m))
	}
	return append(reports, guard.Report{Model: o.Method, Findings: []guard.Finding{checkEngines(o)}}), nil
}

// checkEngines says whether the fused op computes what the graph does.
func checkEngines(o graphs.Options) guard.Finding {
	f := guard.Finding{Check: "engines", Status: guard.OK}
	auto := o
	auto.Engine = graphs.EngineAuto
	m, err := graphs.NewModel(auto, 16, 1)
	switch {
	case err != nil:
		f.Status, f.Detail = guard.Failed, err.Error()
	case m.Engine() == graphs.EngineFused:
		f.Detail = "the fused op gives the loss and the gradients of the graph, to float32 rounding"
	case o.Engine == graphs.EngineFused:
		f.Status = guard.Failed
		f.Detail = fmt.Sprintf("the fused op does not compute these losses and layers (engine auto takes: %s): want --engine auto or graph", m.Engine())
	default:
		f.Status = guard.Skipped
		f.Detail = fmt.Sprintf("no fused op for these losses and layers: what is trained is %s", m.Engine())
	}
	return f
}
