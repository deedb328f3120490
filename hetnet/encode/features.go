package encode

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/network"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Features is the encoder of vertices that have features: a linear layer, f = X W + b, or two with a hidden layer of rectified
// numbers between them, f = max(0, X W + b) Vᵀ + c. A step works out the vectors of all vertices of the type, and gives those asked for.
type Features struct {
	dim    int
	tables []*engine.Table // W (F,D), b (D); or W (F,H), b (H), V (D,H), c (D)
	Graph                  // of all vertices
	used   []int32
	out    []float32
}

// NewFeatures returns an encoder with random weights, uniform in ±1/√F and, with hidden numbers between two layers, ±1/√hidden in the
// second. It returns an error where there are no features.
func NewFeatures(f *network.Features, hidden, dim int, seed uint64, threads int) (*Features, error) {
	if f == nil || f.Columns < 1 {
		return nil, fmt.Errorf("encode: features without columns: expected some")
	}
	x, err := op.NewSparse(f.Columns, f.Offsets, f.Index, f.Value)
	if err != nil {
		return nil, err
	}
	n := len(f.Offsets) - 1
	e := &Features{dim: dim}
	first := dim
	if hidden > 0 {
		first = hidden
	}
	e.tables = []*engine.Table{engine.NewTable("feature_weights", f.Columns, first), engine.NewTable("feature_bias", first)}
	e.tables[0].InitUniform(seed, 1/math.Sqrt(float64(f.Columns)))
	if hidden > 0 {
		second := engine.NewTable("feature_weights_2", dim, hidden)
		second.InitUniform(seed, 1/math.Sqrt(float64(hidden)))
		e.tables = append(e.tables, second, engine.NewTable("feature_bias_2", dim))
	}
	e.Graph = NewGraph(n, dim, func(g *G.ExprGraph) (*G.Node, []*G.Node, error) {
		params := engine.Nodes(g, tensor.Float32, e.tables...)
		out, err := FeatureVectors(x, params, threads)
		return out, params, err
	})
	return e, nil
}

// FeatureVectors returns the vectors (N,D) of vertices with features x (N,F), constant: x w + b, with weights w (F,D) and bias b (D); or of
// four parameters w (F,H), b (H), v (D,H), c (D) max(0, x w + b) vᵀ + c. It returns an error for another number of parameters, or if shapes
// disagree.
func FeatureVectors(x *op.Sparse, params []*G.Node, threads int) (out *G.Node, err error) {
	defer op.Recover(&err, "encode: FeatureVectors")
	if len(params) != 2 && len(params) != 4 {
		return nil, fmt.Errorf("encode: FeatureVectors: %d parameters: expected 2 of a layer, or 4 of two", len(params))
	}
	out = G.Must(op.AddRow(G.Must(op.SparseMul(x, params[0], threads)), params[1], threads))
	if len(params) == 2 {
		return out, nil
	}
	return layers.Linear(G.Must(G.Rectify(out)), params[2], params[3])
}

func (e *Features) Of(vertices []int32) ([]float32, error) {
	all, err := e.Vectors()
	if err != nil {
		return nil, err
	}
	e.used = append(e.used[:0], vertices...)
	e.out = Gathered(e.out, all, vertices, e.dim)
	return e.out, nil
}

// Backward computes the gradients of the weights, given that of the vectors of the last encode.
func (e *Features) Backward(grad []float32) error {
	clear(e.Grad)
	for i, v := range e.used {
		copy(e.Grad[int(v)*e.dim:][:e.dim], grad[i*e.dim:])
	}
	return e.Differentiate()
}

// Parameters returns the weights and biases, layer by layer.
func (e *Features) Parameters() []*engine.Table { return e.tables }

// Gradients returns those of Parameters.
func (e *Features) Gradients() (all [][]float32) {
	for i := range e.tables {
		all = append(all, e.Gradient(i))
	}
	return all
}
