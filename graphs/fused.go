package graphs

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/internal/fused"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// standardSelections are the selections that the fused op knows.
var standardSelections = map[string]fused.Selection{
	"none": fused.None, "softmax": fused.Softmax, "gumbel": fused.Gumbel, "hard": fused.Hard, "random": fused.Random,
}

// fusedPairs is the pair term of a loss as one op: a graph of a single node, whose gradient is not gathered in a table but
// added up row by row where the optimizer moves the row.
//
// The op is called without Gorgonia's machine, which locks its caller to a thread and runs the graph on another one: at every step
// training would move to another processor and leave its caches behind, at half the speed on a machine with an idle one.
type fusedPairs struct {
	pairs  *fused.Pairs
	op     G.Op
	tables []G.Value // that the op reads: centres and aspects
}

// fusedSelection returns how the fused op selects aspects, or an error for a loss whose names it does not know.
func fusedSelection(o Options) (fused.Selection, error) {
	selection, known := standardSelections[o.Selection]
	switch {
	case o.flat() && o.PairLoss != "skipgram":
		return 0, fmt.Errorf("graphs: no fused op for pair-loss %q: want engine %q", o.PairLoss, EngineGraph)
	case o.flat():
		selection = fused.None // whatever the aspects of another stage are selected by
	case !known || o.Readout != "mean" || o.PairLoss != "skipgram":
		return 0, fmt.Errorf("graphs: no fused op for readout %q, selection %q and pair-loss %q: want engine %q",
			o.Readout, o.Selection, o.PairLoss, EngineGraph)
	case o.regularized() && losses.Regularizers[o.Regularizer].Batch != nil:
		return 0, fmt.Errorf("graphs: no fused op for regularizer %q: want engine %q", o.Regularizer, EngineGraph)
	}
	return selection, nil
}

// Edited says whether engine auto took the graph for pairs although there is a fused op of the loss's names: a layer or a loss is
// not what it was when the op was written. DeepWalk, as a baseline and as a warm-up, is trained with the same loss of pairs.
func Edited(o Options, engine string) bool {
	_, err := fusedSelection(o)
	return err == nil && o.Engine == EngineAuto && strings.HasPrefix(engine, EngineGraph)
}

func newFusedPairs(o Options, p, q *Table, a *anchor, threads int) (*fusedPairs, error) {
	selection, err := fusedSelection(o)
	if err != nil {
		return nil, err
	}
	pairs, err := fused.NewPairs(fused.Config{
		Aspects: q.Block[0], Dim: q.Block[1], Selection: selection, NoisePerPair: o.Noise == NoisePair,
		Tau: float32(o.Tau), Noise: noiseKey(o.Seed), Threads: threads, Anchor: a.fused(),
	})
	if err != nil {
		return nil, err
	}
	g := G.NewGraph()
	centers, aspects := p.Node(g, tensor.Float32), q.Node(g, tensor.Float32)
	loss, err := pairs.Node(centers, aspects)
	if err != nil {
		return nil, err
	}
	return &fusedPairs{pairs, loss.Op(), []G.Value{centers.Value(), aspects.Value()}}, nil
}

func (f *fusedPairs) Forward(b *walks.Batch) (float64, error) {
	f.pairs.Bind(b)
	loss, err := f.op.Do(f.tables...)
	if err != nil {
		return 0, fmt.Errorf("graphs: fused pairs: %w", err)
	}
	return float64(loss.Data().(float32)), nil
}

func (f *fusedPairs) CenterRow(g []float32, v int) { f.pairs.CenterRow(g, v) }
func (f *fusedPairs) AspectRow(g []float32, v int) { f.pairs.AspectRow(g, v) }

func (f *fusedPairs) PrefetchCenter(v int) { f.pairs.PrefetchCenterRow(v) }
func (f *fusedPairs) PrefetchAspect(v int) { f.pairs.PrefetchAspectRow(v) }
