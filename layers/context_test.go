package layers_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
)

// pathEncoder is TaPEm's: in holds the weights of both directions, the projection and its bias, key, offset and matrix of the
// attention, and the steps. It returns the states of the GRU, the attention and the vector of the path.
func pathEncoder(in []*G.Node) (states []*G.Node, attention, vector *G.Node) {
	states, err := layers.BiGRU(in[13:], gruWeights(in), gruWeights(in[4:]))
	if err != nil {
		panic(err)
	}
	projected := make([]*G.Node, len(states))
	for t, h := range states {
		projected[t] = G.Must(layers.Linear(h, in[8], in[9]))
	}
	vector, attention, err = layers.Attention(projected, in[10], in[11], in[12])
	if err != nil {
		panic(err)
	}
	return states, attention, vector
}

// PyTorch's values; see golden.GRUContext.
func TestGoldenContext(t *testing.T) {
	c := readGRU(t).Context
	w, dw := c.Weights, c.GradWeights
	inputs := append(gruInputs("", w.WeightIH, w.WeightHH, w.BiasIH, w.BiasHH),
		gruInputs(" reverse", w.ReverseWeightIH, w.ReverseWeightHH, w.ReverseBiasIH, w.ReverseBiasHH)...)
	inputs = append(inputs, matrixInput("projection", c.ProjWeight), vectorInput("projection bias", c.ProjBias),
		matrixInput("key", c.AttentionK), vectorInput("offset", c.AttentionBias), matrixInput("W", c.AttentionW))
	inputs = append(inputs, stepInputs(c.X)...)

	for s, want := range stepInputs(c.Outputs) {
		expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
			states, _, _ := pathEncoder(in)
			return states[s], nil
		}, values(inputs), want.Floats)
	}
	expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		_, attention, _ := pathEncoder(in)
		return attention, nil
	}, values(inputs), flat(c.Attention))
	vector := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		_, _, vector := pathEncoder(in)
		return vector, nil
	}
	expect(t, vector, inputs, flat(c.Vector))
	check(t, "path encoder", vector, inputs)

	want := [][]float64{
		flat(dw.WeightIH), flat(dw.WeightHH), dw.BiasIH, dw.BiasHH,
		flat(dw.ReverseWeightIH), flat(dw.ReverseWeightHH), dw.ReverseBiasIH, dw.ReverseBiasHH,
		flat(c.GradProjWeight), nil, flat(c.GradAttentionK), nil, flat(c.GradAttentionW),
	}
	for _, in := range stepInputs(c.GradX) {
		want = append(want, in.Floats)
	}
	weights := matrixInput("loss weights", c.LossWeights)
	weights.Diff = false
	expectGradients(t, contracted(vector), append(inputs, weights), c.Loss, want...)
}

// pairEncoder is the shape of TaPEm's pair embedding: [a; f; a∘f; a-f], dropout, and two linear layers with norms.
func pairEncoder(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
	a, f := in[0], in[1]
	x := G.Must(layers.Join(a, f, G.Must(G.HadamardProd(a, f)), G.Must(G.Sub(a, f))))
	x = G.Must(layers.Linear(G.Must(layers.Dropout(x, in[2])), in[3], in[4]))
	x = G.Must(G.Tanh(G.Must(layers.LayerNorm(x, in[5], in[6])))) // ReLU has a kink that differences may meet
	return layers.Linear(x, in[7], nil)
}

func TestPairEncoderGradients(t *testing.T) {
	mask := constant("mask", 3, 8)
	for i := range mask.Floats {
		mask.Floats[i] = float64(i%4) / 2
	}
	check(t, "pair encoder", pairEncoder, []gradcheck.Input{
		normal("a", 3, 2), normal("f", 3, 2), mask, normal("w1", 4, 8), normal("b1", 4), normal("gain", 4), normal("bias", 4), normal("w2", 2, 4),
	})
}

// The values are PyTorch's formula in numpy (1.24): x=np.array([1,2,4.]); (x-x.mean())/np.sqrt(x.var()+1e-5)*2+.5
func TestGoldenLayerNorm(t *testing.T) {
	expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.LayerNorm(in[0], in[1], in[2]) },
		[]gradcheck.Input{input("x", []int{1, 3}, 1, 2, 4), input("gain", []int{3}, 2, 2, 2), input("bias", []int{3}, .5, .5, .5)},
		[]float64{-1.6380830629005954, -0.03452076572514906, 3.1726038286257436})
}
