package aspects

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/walks"
)

// input is a node of a graph with the memory that it reads.
func input(g *G.ExprGraph, name string, shape ...int) (*G.Node, []float32) {
	x := make([]float32, tensor.Shape(shape).TotalSize())
	return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x)))), x
}

// rowsOfUse is how many windows a graph takes at a time.
const rowsOfUse = 512

// selectionGraph is the selection of a run's options.
type selectionGraph struct {
	evaluator     *engine.Evaluator
	logits, noise []float32 // (rowsOfUse,K)
}

func newSelectionGraph(o graphs.Options) (*selectionGraph, error) {
	s, g := &selectionGraph{}, G.NewGraph()
	var logits, noise *G.Node
	logits, s.logits = input(g, "logits", rowsOfUse, o.Aspects)
	if layers.Selections.Get(o.Selection).Noise {
		noise, s.noise = input(g, "noise", rowsOfUse, o.Aspects)
	}
	end, steps := input(g, "step", rowsOfUse)
	for i := range steps {
		steps[i] = 1
	}
	prob, err := graphs.AspectProbabilities(o, layers.Choice{Logits: logits, Noise: noise, Step: end})
	if err != nil {
		return nil, err
	}
	s.evaluator, err = engine.NewEvaluator(prob)
	return s, err
}

// choose turns logits (W,K) into probabilities. noise is nil for none.
func (s *selectionGraph) choose(p, noise []float64) error {
	for lo := 0; lo < len(p); lo += len(s.logits) {
		hi := min(lo+len(s.logits), len(p))
		for i, x := range p[lo:hi] {
			s.logits[i] = float32(x)
			if s.noise == nil {
				continue
			}
			if s.noise[i] = 0; noise != nil {
				s.noise[i] = float32(noise[lo+i])
			}
		}
		prob, err := s.evaluator.Run()
		if err != nil {
			return err
		}
		for i := range p[lo:hi] {
			p[lo+i] = float64(prob[i])
		}
	}
	return nil
}

// readoutGraph is the readout of a run's options, and the scores of aspects by it.
type readoutGraph struct {
	o                            graphs.Options
	slots                        int // of the graph's windows
	evaluator                    *engine.Evaluator
	center, context, bag, offset []float32 // (rowsOfUse,D), (rowsOfUse*slots,K,D), (rowsOfUse,slots) both
}

func newReadoutGraph(o graphs.Options) (*readoutGraph, error) {
	r, g := &readoutGraph{o: o, slots: 2 * o.Window}, G.NewGraph()
	var center, context, bag, offset *G.Node
	center, r.center = input(g, "center", rowsOfUse, o.Dim)
	context, r.context = input(g, "context", rowsOfUse*r.slots, o.Aspects, o.Dim)
	bag, r.bag = input(g, "bag", rowsOfUse, r.slots)
	offset, r.offset = input(g, "offset", rowsOfUse, r.slots)
	logits, err := graphs.AspectLogits(o, center, layers.Contexts{Rows: context, Weight: bag, Offset: offset})
	if err != nil {
		return nil, err
	}
	r.evaluator, err = engine.NewEvaluator(logits)
	return r, err
}

// score writes the logits (W,K) of the windows of a batch.
func (r *readoutGraph) score(dst []float64, e graphs.Embedding, b *walks.Batch) error {
	k, d := r.o.Aspects, e.D
	for lo := 0; lo < b.Windows(); lo += rowsOfUse {
		rows := min(rowsOfUse, b.Windows()-lo)
		clear(r.bag)
		for i := range rows {
			w := lo + i
			b.Offsets(r.offset[i*r.slots:][:r.slots], w)
			copy(r.center[i*d:][:d], e.Center[int(b.Center[w])*d:])
			for c, v := range b.Context[w*b.Slots:][:b.Count[w]] {
				copy(r.context[(i*r.slots+c)*k*d:][:k*d], e.Vectors[int(v)*k*d:])
				if b.Bag[w]>>c&1 == 1 {
					r.bag[i*r.slots+c] = 1 / float32(b.BagSize(w))
				}
			}
		}
		logits, err := r.evaluator.Run()
		if err != nil {
			return err
		}
		for i, x := range logits[:rows*k] {
			dst[lo*k+i] = float64(x)
		}
	}
	return nil
}
