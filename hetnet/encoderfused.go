package hetnet

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/fused"
	G "gorgonia.org/gorgonia"
)

// fusedPass is the encoder as one op.
type fusedPass struct {
	gru    *fused.GRU
	tables []*graphs.Table
}

func (e *Encoder) newFused(threads int) (*fusedPass, error) {
	cell := fused.ResetAfter
	if e.cell == graphs.CellResetBefore {
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

// fusedNode returns the encoder as one op of a graph.
func (e *Encoder) fusedNode(params []*G.Node, batch int) (*G.Node, encoderNode, error) {
	pass, err := e.newFused(e.threads)
	if err != nil {
		return nil, nil, err
	}
	var bias *G.Node
	if len(params) > 3 {
		bias = params[3]
	}
	out, err := pass.gru.Node(params[0], params[1], params[2], bias, batch)
	return out, &fusedTexts{gru: pass.gru, batch: batch}, err
}

// fusedTexts pads what is bound with empty texts.
type fusedTexts struct {
	gru    *fused.GRU
	batch  int
	padded [][]int32
}

func (n *fusedTexts) bind(texts [][]int32) error {
	if len(texts) > n.batch {
		return fmt.Errorf("%d texts: want at most %d", len(texts), n.batch)
	}
	n.padded = append(n.padded[:0], texts...)
	for len(n.padded) < n.batch {
		n.padded = append(n.padded, nil)
	}
	return n.gru.Bind(n.padded)
}
