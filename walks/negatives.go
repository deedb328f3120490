package walks

import (
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// MaxNegatives is the largest number of negatives of a pair, far above any use: a typing error must not ask for all
// memory.
const MaxNegatives = 4096

// negatives draws noise vertices: uniform over all vertices or by weight, with replacement, but none of the window's contexts.
// The centre may be drawn. Where the window's contexts are all the vertices there are, any vertex may be drawn.
//
// Source: Park et al., KDD 2020, section 4.1 (two negatives); uniform and rejected per window as in the authors' code.
type negatives struct {
	vertices int
	perPair  int
	noise    *noise  // nil when uniform
	types    *Types  // nil where vertices are all of one type
	key      rng.Key // of the pass
}

// fill draws perPair negatives for each context of a window, whose distinct vertices firsts marks, to the beginning of dst;
// the rest of dst holds a valid vertex.
func (n *negatives) fill(dst, contexts []int32, firsts, id uint64) {
	stream := n.key.Stream(id)
	used := len(contexts) * n.perPair
	for i := used; i < len(dst); i++ {
		dst[i] = contexts[0]
	}
	if n.noise != nil {
		for i := range used {
			dst[i] = n.noise.outside(contexts, &stream)
		}
		return
	}
	if n.types != nil {
		n.fillTyped(dst, contexts, firsts, &stream)
		return
	}
	// A small network may have no vertex outside the window, and rejection would then never end.
	reject := n.vertices > 2*MaxWindow || bagSize(firsts) < n.vertices
	for i := range used {
		v := int32(stream.Intn(n.vertices))
		for reject && slices.Contains(contexts, v) {
			v = int32(stream.Intn(n.vertices))
		}
		dst[i] = v
	}
}

// fillTyped draws negatives of the types of their contexts.
func (n *negatives) fillTyped(dst, contexts []int32, firsts uint64, stream *rng.Stream) {
	for c, v := range contexts {
		typ := n.types.of(v)
		lo, count := n.types.Start[typ], int(n.types.Start[typ+1]-n.types.Start[typ])
		reject := count > 2*MaxWindow || n.types.outside(typ, contexts, firsts) > 0
		for i := range n.perPair {
			u := lo + int32(stream.Intn(count))
			for reject && slices.Contains(contexts, u) {
				u = lo + int32(stream.Intn(count))
			}
			dst[c*n.perPair+i] = u
		}
	}
}
