package losses

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Margin returns by how much each anchor is not nearer, by a margin, to its own vector than to another one; in units of squared
// distance.
//
//	loss[b] = max(0, |anchor[b]-own[b]|² - |anchor[b]-other[b]|² + margin)
//
// anchor, own, other (B,D), margin >= 0 -> (B,1), not reduced. It returns an error if shapes or types disagree, or the margin
// is negative or no finite number. Where the maximum is 0 there is no gradient.
//
// Source: Zhang et al., WWW 2018 (Camel), the loss of direct pairs. Differs: none known.
func Margin(anchor, own, other *G.Node, margin float64) (loss *G.Node, err error) {
	if a := anchor.Shape(); a.Dims() != 2 || !own.Shape().Eq(a) || !other.Shape().Eq(a) {
		return nil, fmt.Errorf("losses: Margin: anchor %v, own %v, other %v: expected (B,D) for each", a, own.Shape(), other.Shape())
	}
	if !(margin >= 0 && margin <= math.MaxFloat32) { // so that NaN fails too
		return nil, fmt.Errorf("losses: Margin: margin = %v: expected a number, at least 0", margin)
	}
	defer op.Recover(&err, "losses: Margin")
	bound := G.NewConstant(margin)
	if anchor.Dtype() == tensor.Float32 {
		bound = G.NewConstant(float32(margin))
	}
	excess := G.Must(G.Sub(G.Must(squaredDistance(anchor, own)), G.Must(squaredDistance(anchor, other)))) // (B)
	hinge := G.Must(G.Rectify(G.Must(G.Add(excess, bound))))
	return op.Reshape(hinge, anchor.Shape()[0], 1) // (B,1)
}

// squaredDistance returns Σ_d (a[b,d]-b[b,d])² of rows (B,D) -> (B).
func squaredDistance(a, b *G.Node) (dist *G.Node, err error) {
	defer op.Recover(&err, "losses: squaredDistance")
	return G.Sum(G.Must(G.Square(G.Must(G.Sub(a, b)))), 1)
}
