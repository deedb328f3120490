package encode

import (
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/gru"
)

// gruPass encodes texts by a recurrent unit outside of a graph: by what gru.Means is in one.
type gruPass struct {
	unit   *gru.GRU[float32]
	tables []*engine.Table
}

func (e *Encoder) newGRU(threads int) (*gruPass, error) {
	unit, err := gru.New(gru.Config[float32]{Cell: e.cell, Words: e.words.Vectors, Width: e.words.Dim, Dim: e.dim, Threads: threads})
	return &gruPass{unit, e.tables}, err
}

func (p *gruPass) weights() gru.Weights[float32] {
	var x [][]float32
	for _, t := range p.tables {
		x = append(x, t.X)
	}
	return gru.WeightsOf(x)
}

func (p *gruPass) forward(texts [][]int32, out []float32) error {
	if err := p.unit.Bind(texts); err != nil {
		return err
	}
	p.unit.Forward(p.weights(), out)
	return nil
}

func (p *gruPass) backward(grad []float32, dst [][]float32) error {
	p.unit.Backward(p.weights(), grad, gru.WeightsOf(dst))
	return nil
}
