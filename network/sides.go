package network

// sides tells the two sides of a bipartite network apart: a forest of its vertices v, and of a shadow v+N of each on the other side,
// in which each link joins either end to the shadow of the other. In each component, vertices of one side are in one tree.
type sides struct {
	trees    *forest
	vertices int32
}

// sides returns nil where the network is not bipartite: it has an odd cycle, such as a self-loop. Directions make no difference.
func (n *Network) sides() *sides {
	s := &sides{newForest(2 * n.Vertices()), int32(n.Vertices())}
	for u := range s.vertices {
		for _, v := range n.Out(u) {
			s.trees.join(u, v+s.vertices)
			s.trees.join(v, u+s.vertices)
			if s.trees.find(u) == s.trees.find(u+s.vertices) {
				return nil
			}
		}
	}
	return s
}

// same says whether links tell that u and v are on one side, which a nil s never does.
func (s *sides) same(u, v int32) bool { return s != nil && s.trees.find(u) == s.trees.find(v) }

// sizes returns the numbers of vertices of the sides, one after the other for each component: two of a connected network of two vertices
// or more.
func (s *sides) sizes() []int {
	var sizes []int
	place := map[int32]int{}
	for v := range s.vertices {
		root := s.trees.find(v)
		i, there := place[root]
		if !there {
			i = len(sizes)
			place[root], sizes = i, append(sizes, 0)
		}
		sizes[i]++
	}
	return sizes
}
