package walks

import (
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// negatives draws noise vertices: uniform over all vertices, with replacement, but none of the window's contexts. The
// centre may be drawn. Where the window's contexts are all the vertices there are, any vertex may be drawn.
//
// Source: Park et al., KDD 2020, section 4.1 (two negatives); uniform and rejected per window as in the authors' code.
type negatives struct {
	vertices int
	perPair  int
	key      rng.Key // of the pass
}

func (n *negatives) appendTo(dst, contexts []int32, id uint64, slots int) []int32 {
	stream := n.key.Stream(id)
	used := len(contexts) * n.perPair
	// A small network may have no vertex outside the window, and rejection would then never end.
	reject := n.vertices > MaxWindow*2 || bagSize(firsts(contexts)) < n.vertices
	for range used {
		v := int32(stream.Intn(n.vertices))
		for reject && slices.Contains(contexts, v) {
			v = int32(stream.Intn(n.vertices))
		}
		dst = append(dst, v)
	}
	for range slots - used { // unused slots hold a valid vertex
		dst = append(dst, contexts[0])
	}
	return dst
}
