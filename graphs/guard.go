package graphs

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/layers"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// GuardModels returns the graphs that a run of these options trains, at a size at which every gradient can be checked:
// sixteen vertices, vectors of at most four numbers, four windows. It returns an error for options that Resolve refuses.
func GuardModels(o Options) ([]guard.Model, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, fmt.Errorf("graphs: %w", err)
	}
	m := o.Method
	switch {
	case m.Guard != nil:
		return m.Guard(o), nil
	case m.Models == nil:
		return nil, nil
	}
	var models []guard.Model
	for _, each := range m.Models(o) {
		models = append(models, guardModel(each))
	}
	return models, nil
}

// Smooth returns the model of the options with softmax in place of a selection that passes another gradient than its own; nil for others.
func Smooth(o Options, model func(o Options) guard.Model) *guard.Model {
	if !layers.Selections.Get(o.Selection).StraightThrough {
		return nil
	}
	with := o
	with.Selection = "softmax"
	m := model(with)
	m.Name = "softmax in place of " + o.Selection
	return &m
}

func guardModel(o Options) guard.Model {
	const windows = 4
	o.Dim = min(o.Dim, 4)
	o.Lambda = min(o.Lambda, 1) // a larger weight would drown the pairs in the rounding of differences
	m := guard.Model{Name: o.Method.Name, AddsUp: func() error { return AddsUp(o) }}
	if !o.flat() {
		m.Smooth = Smooth(o, guardModel)
	}
	m.Build = func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		b, err := sampleBatch(o, sampleVertices)
		if err != nil {
			return guard.Graph{}, err
		}
		m := sampleModel(o, 0.5)
		w := engine.NewWindows(m.Shape, windows, o.Aspects, m.Anchor)
		w.SetStep(SampleStep)
		w.Fill(b, 0, min(windows, b.Windows()), sampleFacts())
		graph, in, err := m.Graph(g, dt, w)
		if err != nil {
			return graph, err
		}
		if m.Table != nil {
			penalty, err := m.Table(engine.AspectsAt(graph.Params[1], SampleStep), sampleVertices)
			if err != nil {
				return graph, err
			}
			if graph.Loss, err = G.Add(graph.Loss, penalty); err != nil {
				return graph, err
			}
		}
		graph.Inputs = []*G.Node{in.Center, in.Context, in.Negative, in.Weight}
		if in.Noise != nil {
			graph.Inputs = append(graph.Inputs, in.Noise)
		}
		if !o.flat() { // DeepWalk reads no bag
			graph.Inputs = append(graph.Inputs, in.Bag)
		}
		if in.Anchor != nil {
			graph.Inputs = append(graph.Inputs, in.Anchor, in.AnchorNegative, in.AnchorWeight)
		}
		return graph, nil
	}
	return m
}

// AddsUp returns an error unless the loss of the options is the sum of what blocks of windows and of vertices make of it, on a small random batch, with vectors
// of two lengths. See engine.AddsUp.
func AddsUp(o Options) error {
	b, err := sampleBatch(o, sampleVertices)
	if err != nil {
		return err
	}
	c := engine.Checked{Batch: b, Facts: sampleFacts(), Step: SampleStep, PairLoss: o.PairLoss, Regularizer: o.Regularizer,
		Tolerance: 1e-4 * max(1, 0.5/o.Tau)} // a low temperature magnifies rounding
	if !o.flat() {
		c.Readout, c.Selection = o.Readout, o.Selection
	}
	for _, std := range []float64{0.5, 2} {
		if err := engine.AddsUp(sampleModel(o, std), c); err != nil {
			return err
		}
	}
	return nil
}
