package experiments

import (
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
)

// What a plan says beforehand is what the run then does: exactly, where no walk ends early and no link is held out, else at
// most.
func TestPlan(t *testing.T) {
	for _, directed := range []bool{false, true} {
		for _, window := range []int{1, 3, 30} { // 30 is longer than a walk
			d, o := data(t, directed), options(graphs.SelectLast)
			o.Window, o.Epochs, o.WarmUpEpochs, o.Batch = window, 1, 1, 1e6
			plan := NewPlan(d, o)
			execute(t, d, o, Watch{Begin: func(stage string, m *graphs.Model, pairs int64) {
				if pairs > plan.Pairs || !directed && pairs != plan.Pairs {
					t.Errorf("directed %v, window %d: %d pairs an epoch, planned %d", directed, window, pairs, plan.Pairs)
				}
				if got := int64(len(m.P.X) + len(m.Q.X)); stage == graphs.StageMain && got != plan.Parameters {
					t.Errorf("%d parameters, planned %d", got, plan.Parameters)
				}
			}})
			if plan.Vertices != len(d.Split.Names) || plan.Train != len(d.Split.Train) || plan.Test != len(d.Split.Test) {
				t.Errorf("%+v of %d vertices, %d and %d links", plan, len(d.Split.Names), len(d.Split.Train), len(d.Split.Test))
			}
			if !directed && plan.Walks != int64(plan.Vertices*o.Walks) || directed && plan.Walks >= int64(plan.Vertices*o.Walks) {
				t.Errorf("directed %v: %d walks from %d vertices", directed, plan.Walks, plan.Vertices)
			}
		}
	}
}
