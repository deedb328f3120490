package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// GCN returns one layer of graph convolution: each vertex takes up what its neighbours have, and its own.
//
//	H = PReLU(Â Z + b)
//
// adjacency is Â (N,N), constant; z (N,D) is X W, the features of each vertex times the weights; bias b (D); slope (1), one
// for all of H -> (N,D), unitless. To pass on X with its rows in another order, reorder z: (X[order]) W = (X W)[order]. It works on
// up to threads goroutines, whose number does not change the result. It returns an error if the shapes or types disagree.
//
// Source: Kipf and Welling, ICLR 2017, arXiv:1609.02907, Eq. (2), with the PReLU of Velickovic et al., ICLR 2019,
// arXiv:1809.10341, Eq. (3). Differs: none known.
func GCN(adjacency *op.Sparse, z, bias, slope *G.Node, threads int) (h *G.Node, err error) {
	rows, columns := adjacency.Shape()
	if s, b := z.Shape(), bias.Shape(); rows != columns || s.Dims() != 2 || s[0] != rows || b.Dims() != 1 || b[0] != s[1] {
		return nil, fmt.Errorf("layers: GCN: adjacency (%d,%d), z %v, bias %v: expected (N,N), (N,D) and (D)", rows, columns, s, b)
	}
	defer op.Recover(&err, "layers: GCN")
	sum := G.Must(op.SparseMul(adjacency, z, threads)) // (N,D)
	sum = G.Must(op.AddRow(sum, bias, threads))        // (N,D)
	return G.Must(op.PReLU(sum, slope, threads)), nil
}

// Summary returns one vector for all vertices, whose elements are in (0,1).
//
//	c = σ(1/N Σ_v h[v])
//
// h (N,D) -> (D). It works on up to threads goroutines, whose number does not change the result. It returns an error for another
// shape.
//
// Source: Velickovic et al., ICLR 2019, arXiv:1809.10341, Eq. (5). Differs: none known.
func Summary(h *G.Node, threads int) (c *G.Node, err error) {
	if h.Dims() != 2 {
		return nil, fmt.Errorf("layers: Summary: h %v: expected (N,D)", h.Shape())
	}
	defer op.Recover(&err, "layers: Summary")
	return G.Must(G.Sigmoid(G.Must(op.MeanRows(h, threads)))), nil
}

// Bilinear returns how well each row goes with one vector; a logit.
//
//	out[v] = <h[v], M c> + offset
//
// h (N,D), c (E), m (D,E), offset (1) -> (N). It works on up to threads goroutines, whose number does not change the result. It
// returns an error if the shapes or types disagree.
//
// Source: Velickovic et al., ICLR 2019, arXiv:1809.10341, Eq. (4). Differs: the offset, as in the authors' code.
func Bilinear(h, c, m, offset *G.Node, threads int) (logit *G.Node, err error) {
	hs, cs, ms, os := h.Shape(), c.Shape(), m.Shape(), offset.Shape()
	if hs.Dims() != 2 || cs.Dims() != 1 || ms.Dims() != 2 || ms[0] != hs[1] || ms[1] != cs[0] || os.Dims() != 1 || os[0] != 1 {
		return nil, fmt.Errorf("layers: Bilinear: h %v, c %v, m %v, offset %v: expected (N,D), (E), (D,E) and (1)", hs, cs, ms, os)
	}
	defer op.Recover(&err, "layers: Bilinear")
	direction := G.Must(op.RowScores(m, c, threads))      // (D)
	scores := G.Must(op.RowScores(h, direction, threads)) // (N)
	return G.Must(op.AddRow(scores, offset, threads)), nil
}
