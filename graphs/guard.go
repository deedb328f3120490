package graphs

import (
	"fmt"

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
		p, q := sampleTables(o, 0.5)
		a := sampleAnchor(o)
		w := newWindows(o, windows, o.Aspects, a)
		w.SetStep(SampleStep)
		w.Fill(b, 0, min(windows, b.Windows()), sampleFacts())
		pNode, qNode := p.Node(g, dt), q.Node(g, dt)
		in := w.Nodes(g, dt, "")
		learned, err := in.learn(g, dt, sampleLearned(o))
		if err != nil {
			return guard.Graph{}, err
		}
		loss, err := whole(o, pNode, qNode, in, pairTermOf(o, a != nil))
		if err != nil {
			return guard.Graph{}, err
		}
		if o.penalizesTables() {
			penalty, err := AspectPenalty(o, SampleAspects(qNode), sampleVertices)
			if err != nil {
				return guard.Graph{}, err
			}
			if loss, err = G.Add(loss, penalty); err != nil {
				return guard.Graph{}, err
			}
		}
		inputs := []*G.Node{in.Center, in.Context, in.Negative, in.Weight}
		if in.Noise != nil {
			inputs = append(inputs, in.Noise)
		}
		if !o.flat() { // DeepWalk reads no bag
			inputs = append(inputs, in.Bag)
		}
		if in.Anchor != nil {
			inputs = append(inputs, in.Anchor, in.AnchorNegative, in.AnchorWeight)
		}
		return guard.Graph{Loss: loss, Params: append([]*G.Node{pNode, qNode}, learned...), Inputs: inputs}, nil
	}
	return m
}
