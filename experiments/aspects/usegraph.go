package aspects

import (
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/walks"
)

// useGraphs compute the logits and the probabilities of windows as the model does; each is nil where what is written in use.go
// computes the same.
type useGraphs struct {
	readout   *readoutGraph
	selection *selectionGraph
}

func newUseGraphs(o graphs.Options) (*useGraphs, error) {
	var u useGraphs
	readout, err := newReadoutGraph(o)
	if err != nil {
		return nil, err
	}
	if same, err := readout.isMean(); err != nil {
		return nil, err
	} else if !same {
		u.readout = readout
	}
	selection, err := newSelectionGraph(o)
	if err != nil {
		return nil, err
	}
	if same, err := selection.isFast(); err != nil {
		return nil, err
	} else if !same {
		u.selection = selection
	}
	return &u, nil
}

// input is a node of a graph with the memory that it reads.
func input(g *G.ExprGraph, name string, shape ...int) (*G.Node, []float32) {
	x := make([]float32, tensor.Shape(shape).TotalSize())
	return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x)))), x
}

// rowsOfUse is how many windows a graph takes at a time.
const rowsOfUse = 512

// selectionGraph is the selection of a run's options.
type selectionGraph struct {
	o             graphs.Options
	evaluator     *graphs.Evaluator
	logits, noise []float32 // (rowsOfUse,K)
}

func newSelectionGraph(o graphs.Options) (*selectionGraph, error) {
	s, g := &selectionGraph{o: o}, G.NewGraph()
	var logits, noise *G.Node
	logits, s.logits = input(g, "logits", rowsOfUse, o.Aspects)
	if layers.Selections[o.Selection].Noise {
		noise, s.noise = input(g, "noise", rowsOfUse, o.Aspects)
	}
	prob, err := graphs.AspectProbabilities(o, logits, noise)
	if err != nil {
		return nil, err
	}
	s.evaluator, err = graphs.NewEvaluator(prob)
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

// isFast says whether chooseFast computes the same.
func (s *selectionGraph) isFast() (bool, error) {
	if name := s.o.Selection; name != "gumbel" && name != "hard" && name != "softmax" {
		return false, nil
	}
	k := s.o.Aspects
	logits, noise := make([]float64, len(s.logits)), make([]float64, len(s.logits))
	stream := rng.New(1, "use")
	for i := range logits {
		logits[i] = float64(float32(2 * stream.Normal()))
		if s.noise != nil {
			noise[i] = float64(float32(stream.Normal()))
		}
	}
	fast := append([]float64(nil), logits...)
	for i := range fast {
		fast[i] += noise[i]
	}
	for w := range rowsOfUse {
		chooseFast(s.o, fast[w*k:][:k])
	}
	if err := s.choose(logits, noise); err != nil {
		return false, err
	}
	return graphs.Near(fast, logits, 0, graphs.AgreeTolerance(s.o)), nil
}

// readoutGraph is the readout of a run's options, and the scores of aspects by it.
type readoutGraph struct {
	o                    graphs.Options
	slots                int // of the graph's windows
	evaluator            *graphs.Evaluator
	center, context, bag []float32 // (rowsOfUse,D), (rowsOfUse*slots,K,D), (rowsOfUse,slots)
}

func newReadoutGraph(o graphs.Options) (*readoutGraph, error) {
	r, g := &readoutGraph{o: o, slots: 2 * o.Window}, G.NewGraph()
	var center, context, bag *G.Node
	center, r.center = input(g, "center", rowsOfUse, o.Dim)
	context, r.context = input(g, "context", rowsOfUse*r.slots, o.Aspects, o.Dim)
	bag, r.bag = input(g, "bag", rowsOfUse, r.slots)
	logits, err := graphs.AspectLogits(o, center, context, bag)
	if err != nil {
		return nil, err
	}
	r.evaluator, err = graphs.NewEvaluator(logits)
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

// isMean says whether scoreMean computes the same.
func (r *readoutGraph) isMean() (bool, error) {
	if r.o.Readout != "mean" {
		return false, nil
	}
	const n = 20
	k, d := r.o.Aspects, r.o.Dim
	stream := rng.New(1, "use")
	e := graphs.Embedding{D: d, Center: make([]float32, n*d), Vectors: make([]float32, n*k*d)}
	for _, x := range [][]float32{e.Center, e.Vectors} {
		for i := range x {
			x[i] = float32(stream.Normal() / math.Sqrt(float64(d)))
		}
	}
	b := &walks.Batch{Slots: r.slots}
	for w := range n {
		count := 1 + w%r.slots
		b.Center, b.Count = append(b.Center, int32(w)), append(b.Count, int32(count))
		var bag uint64
		for c := range r.slots {
			v := int32((w + 3*c) % n)
			b.Context = append(b.Context, v)
			if c < count && (c == 0 || stream.Intn(3) > 0) {
				bag |= 1 << c
			}
		}
		b.Bag = append(b.Bag, bag)
	}
	mean, graph := make([]float64, n*k), make([]float64, n*k)
	for w := range n {
		scoreMean(mean[w*k:][:k], make([]float32, r.slots*k), e, b, w)
	}
	if err := r.score(graph, e, b); err != nil {
		return false, err
	}
	return graphs.Near(mean, graph, 0, 1e-4), nil
}
