package graphs

import (
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// DGILoss returns the loss of Deep Graph Infomax, a scalar in nats, and the embedding h (N,D): how badly vertices in their
// places are told from vertices that have the features of others, by their vectors and a summary of the whole network.
//
//	H = PReLU(Â X W + b)    H' = PReLU(Â X[order] W + b)    c = σ(mean of the rows of H)
//	L = 1/2N Σ_v [ -log σ(h_v^T M c + offset) - log σ(-(h'_v^T M c + offset)) ]
//
// adjacency is Â (N,N) and features is X (N,F). The parameters are learnt, of one float type, in the order of the constants in dgi.go; order (N), integers, is
// the corruption: a permutation of the vertices. The gradient flows through both encoders and the summary. It works on up to
// threads goroutines, whose number does not change the result. It returns an error if the shapes or types disagree.
//
// Source: Velickovic et al., ICLR 2019, arXiv:1809.10341, §3.3 and §4.2, transductive. Differs: features may be sparse,
// and are multiplied once, since X[order] W = (X W)[order]; no matrix (N,N) is ever dense.
func DGILoss(adjacency, features *op.Sparse, learnt []*G.Node, order *G.Node, threads int) (loss, h *G.Node, err error) {
	defer op.Recover(&err, "graphs: DGILoss")
	z := G.Must(op.SparseMul(features, learnt[dgiWeight], threads))                             // (N,D)
	corrupt := G.Must(op.PermuteRows(z, order, threads))                                        // (N,D)
	h = G.Must(layers.GCN(adjacency, z, learnt[dgiBias], learnt[dgiSlope], threads))            // (N,D)
	other := G.Must(layers.GCN(adjacency, corrupt, learnt[dgiBias], learnt[dgiSlope], threads)) // (N,D)
	c := G.Must(layers.Summary(h, threads))                                                     // (D)
	pos := G.Must(layers.Bilinear(h, c, learnt[dgiMatch], learnt[dgiOffset], threads))          // (N)
	neg := G.Must(layers.Bilinear(other, c, learnt[dgiMatch], learnt[dgiOffset], threads))      // (N)
	return G.Must(losses.BinaryCrossEntropy(pos, neg)), h, nil
}

// normalizedAdjacency returns Â = D^-1/2 (A+I) D^-1/2 of a simple undirected network, D the row sums of A+I.
func normalizedAdjacency(net *network.Network) (*op.Sparse, error) {
	n := net.Vertices()
	size := net.Arcs() + n
	offsets, index, value := make([]int64, 1, n+1), make([]int32, 0, size), make([]float32, 0, size)
	for v := range int32(n) {
		near := append(slices.Clone(net.Out(v)), v)
		slices.Sort(near)
		for _, u := range near {
			index = append(index, u)
			value = append(value, float32(1/math.Sqrt(float64(net.Degree(v)+1)*float64(net.Degree(u)+1))))
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
		tables := newDGITables(net.Vertices(), o)
		for _, t := range tables { // all of a size, and none zero, so that no gradient is
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
		learnt, corrupt := engine.Nodes(g, dt, tables...), engine.IntNode(g, "order", order, len(order))
		loss, _, err := DGILoss(adjacency, features, learnt, corrupt, 1)
		return guard.Graph{Loss: loss, Params: learnt, Inputs: []*G.Node{corrupt}}, err
	}}
}
