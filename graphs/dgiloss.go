package graphs

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// DGIInputs are the nodes of Deep Graph Infomax over N vertices with F features: of one float type, but Order of integers.
type DGIInputs struct {
	Weight *G.Node // W (F,D)
	Bias   *G.Node // b (D)
	Slope  *G.Node // (1), of the PReLU
	Match  *G.Node // M (D,D), of the discriminator
	Offset *G.Node // (1), of the discriminator
	Order  *G.Node // (N): the corruption, a permutation of the vertices; no parameter
}

// DGILoss returns the loss of Deep Graph Infomax, a scalar in nats, and the embedding h (N,D): how badly vertices in their
// places are told from vertices that have the features of others, by their vectors and a summary of the whole network.
//
//	H = PReLU(Â X W + b)    H' = PReLU(Â X[order] W + b)    c = σ(mean of the rows of H)
//	L = 1/2N Σ_v [ -log σ(h_v^T M c + offset) - log σ(-(h'_v^T M c + offset)) ]
//
// adjacency is Â (N,N) and features is X (N,F). The gradient flows through both encoders and the summary. It works on up to
// threads goroutines, whose number does not change the result. It returns an error if the shapes or types disagree.
//
// Source: Velickovic et al., ICLR 2019, arXiv:1809.10341, §3.3 and §4.2, transductive. Differs: features may be sparse,
// and are multiplied once, since X[order] W = (X W)[order]; no matrix (N,N) is ever dense.
func DGILoss(adjacency, features *op.Sparse, in DGIInputs, threads int) (loss, h *G.Node, err error) {
	defer op.Recover(&err, "graphs: DGILoss")
	z := G.Must(op.SparseMul(features, in.Weight, threads))                     // (N,D)
	corrupt := G.Must(op.PermuteRows(z, in.Order, threads))                     // (N,D)
	h = G.Must(layers.GCN(adjacency, z, in.Bias, in.Slope, threads))            // (N,D)
	other := G.Must(layers.GCN(adjacency, corrupt, in.Bias, in.Slope, threads)) // (N,D)
	c := G.Must(layers.Summary(h, threads))                                     // (D)
	pos := G.Must(layers.Bilinear(h, c, in.Match, in.Offset, threads))          // (N)
	neg := G.Must(layers.Bilinear(other, c, in.Match, in.Offset, threads))      // (N)
	return G.Must(losses.BinaryCrossEntropy(pos, neg)), h, nil
}

// normalizedAdjacency returns Â = D^-1/2 (A+I) D^-1/2 of a simple undirected network, D the row sums of A+I.
func normalizedAdjacency(net *network.Network) (*op.Sparse, error) {
	n := net.Vertices()
	size := net.Arcs() + n
	offsets, index, value := make([]int64, 1, n+1), make([]int32, 0, size), make([]float32, 0, size)
	for v := range int32(n) {
		add := func(u int32) {
			index = append(index, u)
			value = append(value, float32(1/math.Sqrt(float64(net.Degree(v)+1)*float64(net.Degree(u)+1))))
		}
		own := false // whether v itself has come
		for _, u := range net.Out(v) {
			if u > v && !own {
				add(v)
				own = true
			}
			add(u)
		}
		if !own {
			add(v)
		}
		offsets = append(offsets, int64(len(index)))
	}
	return op.NewSparse(n, offsets, index, value)
}

// normalizedFeatures returns the features (N,F) as a matrix, each row divided by its sum.
func normalizedFeatures(f *network.Features, vertices int) (*op.Sparse, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if f.Rows() != vertices {
		return nil, fmt.Errorf("graphs: features of %d vertices, a network of %d: expected features of every vertex", f.Rows(), vertices)
	}
	f = f.Normalized()
	return op.NewSparse(f.Columns, f.Offsets, f.Index, f.Value)
}

// guardDGI returns the graph of Deep Graph Infomax at a size at which every gradient can be checked.
func guardDGI(o Options) guard.Model {
	o.Dim = min(o.Dim, 4)
	return guard.Model{Name: "dgi", Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		net, err := sampleNetwork(sampleVertices)
		if err != nil {
			return guard.Graph{}, err
		}
		p := newDGIParameters(net.Vertices(), o)
		for _, t := range p.tables() { // all of a size, and none zero, so that no gradient is
			t.InitNormal(o.Seed, 0.5)
		}
		adjacency, err := normalizedAdjacency(net)
		if err != nil {
			return guard.Graph{}, err
		}
		features, err := normalizedFeatures(network.Adjacency(net), net.Vertices())
		if err != nil {
			return guard.Graph{}, err
		}
		order := make([]int, net.Vertices())
		corruption(o.Seed, 0, order)
		in := p.nodes(g, dt, order)
		loss, _, err := DGILoss(adjacency, features, in, 1)
		return guard.Graph{Loss: loss, Params: in.parameters(), Inputs: []*G.Node{in.Order}}, err
	}}
}
