package graphs

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// composedPenalty is the regularizer as a graph.
type composedPenalty struct {
	program *Program
}

func newComposedPenalty(o Options, q *Table) (*composedPenalty, error) {
	g := G.NewGraph()
	node := q.Node(g, tensor.Float32)
	penalty, err := AspectPenalty(o, node)
	if err != nil {
		return nil, err
	}
	p, err := Compile(penalty, node)
	if err != nil {
		return nil, err
	}
	return &composedPenalty{p}, nil
}

func (c *composedPenalty) Forward() (float64, error) { return c.program.Run() }

func (c *composedPenalty) Row(g []float32, v int) float64 {
	copy(g, c.program.Gradient(0)[v*len(g):])
	return 0
}

// fusedPenalty is the standard regularizer, worked out for each row just before the row moves.
type fusedPenalty struct {
	q               *Table
	epsilon, lambda float32
}

func newFusedPenalty(o Options, q *Table) (*fusedPenalty, error) {
	if o.Regularizer != "cosine" {
		return nil, fmt.Errorf("graphs: no fused op for regularizer %q: want engine %q", o.Regularizer, EngineGraph)
	}
	return &fusedPenalty{q, float32(o.Epsilon), float32(o.penaltyWeight(q.Rows, q.Block[0]))}, nil
}

func (f *fusedPenalty) Forward() (float64, error) { return 0, nil }

func (f *fusedPenalty) Row(g []float32, v int) float64 {
	k, d := f.q.Block[0], f.q.Block[1]
	return float64(f.lambda) * float64(kernel.Regularizer(g, f.q.Row(v), k, d, f.epsilon, f.lambda))
}
