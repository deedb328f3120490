package network

import "slices"

// forest is a union-find over vertices by size, whose latest joins can be undone.
type forest struct {
	parent, size []int32
	joined       []int32 // roots that were, in their order
}

func newForest(n int) *forest {
	f := &forest{parent: make([]int32, n), size: make([]int32, n)}
	for i := range f.parent {
		f.parent[i], f.size[i] = int32(i), 1
	}
	return f
}

func (f *forest) find(v int32) int32 {
	for f.parent[v] != v {
		v = f.parent[v]
	}
	return v
}

// join merges the sets of u and v and says whether they were apart.
func (f *forest) join(u, v int32) bool {
	u, v = f.find(u), f.find(v)
	if u == v {
		return false
	}
	if f.size[u] < f.size[v] {
		u, v = v, u
	}
	f.parent[v] = u
	f.size[u] += f.size[v]
	f.joined = append(f.joined, v)
	return true
}

// part undoes what was joined after the first so many joins.
func (f *forest) part(from int) {
	for _, v := range slices.Backward(f.joined[from:]) {
		f.size[f.parent[v]] -= f.size[v]
		f.parent[v] = v
	}
	f.joined = f.joined[:from]
}

// trees returns how many sets there are.
func (f *forest) trees() int { return len(f.parent) - len(f.joined) }

// components returns the weakly connected components.
func (n *Network) components() *forest {
	f := newForest(n.Vertices())
	for u := range int32(n.Vertices()) {
		for _, v := range n.Out(u) {
			f.join(u, v)
		}
	}
	return f
}

// Apart returns how many of the vertices behind the first ones, of which there are from 0 up, no path of links, whatever their directions, joins
// to one of these.
func (n *Network) Apart(first int) (count int) {
	f := n.components()
	joined := map[int32]bool{}
	for v := range int32(n.Vertices()) {
		if root := f.find(v); int(v) < first {
			joined[root] = true
		} else if !joined[root] {
			count++
		}
	}
	return count
}

// LargestComponent returns the largest weakly connected component: its vertices in the order they had, with all links
// among them. Of several equally large ones it is the one with the smallest vertex. A connected network returns itself.
func (n *Network) LargestComponent() *Network {
	net, _ := n.largestComponent()
	return net
}

// largestComponent also returns the vertex of n that each vertex of the component was, or nil when it is n itself.
func (n *Network) largestComponent() (*Network, []int32) {
	f := n.components()
	if f.trees() <= 1 {
		return n, nil
	}
	best := f.find(0)
	for v := range int32(n.Vertices()) { // in increasing order, so that the smallest vertex decides between equals
		if r := f.find(v); f.size[r] > f.size[best] {
			best = r
		}
	}
	old := make([]int32, 0, f.size[best])
	renumbered := make([]int32, n.Vertices())
	for v := range int32(n.Vertices()) {
		if f.find(v) == best {
			renumbered[v] = int32(len(old))
			old = append(old, v)
		}
	}
	c := &Network{directed: n.directed, names: make([]string, len(old)), offsets: make([]int64, len(old)+1)}
	ones := true
	for i, v := range old {
		c.names[i] = n.names[v]
		for _, t := range n.Out(v) {
			c.targets = append(c.targets, renumbered[t]) // still sorted, as the numbering keeps the order
			if t == v {
				c.loops++
			}
		}
		for _, w := range n.OutWeights(v) {
			c.weights = append(c.weights, w)
			ones = ones && w == 1
		}
		c.offsets[i+1] = int64(len(c.targets))
	}
	if ones {
		c.weights = nil
	}
	c.index = lazyIndex(c.names)
	return c, old
}
