package walks

import (
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// MaxNegatives is the largest number of negatives of a pair, far above any use: a slip of the hand must not ask for all
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
	key      rng.Key // of the pass
}

// fill draws perPair negatives for each context of a window, whose distinct vertices bag marks, to the beginning of dst;
// the rest of dst holds a valid vertex.
func (n *negatives) fill(dst, contexts []int32, bag, id uint64) {
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
	// A small network may have no vertex outside the window, and rejection would then never end.
	reject := n.vertices > 2*MaxWindow || bagSize(bag) < n.vertices
	for i := range used {
		v := int32(stream.Intn(n.vertices))
		for reject && slices.Contains(contexts, v) {
			v = int32(stream.Intn(n.vertices))
		}
		dst[i] = v
	}
}
