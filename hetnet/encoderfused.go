package hetnet

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/fused"
)

// fusedPass is the encoder as one op.
type fusedPass struct {
	gru    *fused.GRU
	tables []*graphs.Table
}

func (e *Encoder) newFused(threads int) (*fusedPass, error) {
	cell := fused.ResetAfter
	if e.cell == CellResetBefore {
		cell = fused.ResetBefore
	}
	gru, err := fused.NewGRU(fused.GRUConfig{Cell: cell, Words: e.words.Vectors, Width: e.words.Dim, Dim: e.dim, Threads: threads})
	if err != nil {
		return nil, fmt.Errorf("hetnet: %w", err)
	}
	return &fusedPass{gru, e.tables}, nil
}

func (p *fusedPass) weights() fused.GRUWeights {
	x := make([][]float32, len(p.tables))
	for i, t := range p.tables {
		x[i] = t.X
	}
	return gruWeights(x)
}

func gruWeights(x [][]float32) fused.GRUWeights {
	w := fused.GRUWeights{IH: x[0], HH: x[1], BiasIH: x[2]}
	if len(x) > 3 {
		w.BiasHH = x[3]
	}
	return w
}

func (p *fusedPass) forward(texts [][]int32, out []float32) error {
	if err := p.gru.Bind(texts); err != nil {
		return err
	}
	p.gru.Forward(p.weights(), out)
	return nil
}

func (p *fusedPass) backward(grad []float32, dst [][]float32) error {
	p.gru.Backward(p.weights(), grad, gruWeights(dst))
	return nil
}
