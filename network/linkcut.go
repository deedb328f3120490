package network

import "math"

// linkCut is a forest whose nodes have weights, and which can be asked for the lightest node of a path. Each question and each change
// takes a time logarithmic in the number of nodes, on average.
//
// Every tree is parted into paths, and every path is a splay tree by distance from the root.
//
// Source: Sleator and Tarjan, "Self-adjusting binary search trees", JACM 1985, section 6. Differs: none known.
type linkCut struct {
	nodes []linkCutNode
	above []int32 // scratch: from a node to the root of its splay tree
}

type linkCutNode struct {
	parent   int32 // in the splay tree; of its root the node above the path; -1 for none
	child    [2]int32
	weight   int32
	lightest int32 // node of the splay tree below this one with the least weight
	reversed bool  // the order of what is below has to be turned round
}

// newLinkCut returns n trees of one node each, of the largest weight.
func newLinkCut(n int) *linkCut {
	t := &linkCut{nodes: make([]linkCutNode, n)}
	for v := range t.nodes {
		t.nodes[v] = linkCutNode{parent: -1, child: [2]int32{-1, -1}, weight: math.MaxInt32, lightest: int32(v)}
	}
	return t
}

// setWeight changes the weight of a node.
func (t *linkCut) setWeight(v, weight int32) {
	t.access(v)
	t.nodes[v].weight = weight
	t.gather(v)
}

// link joins the trees of u and v, which must be two, by an edge between them.
func (t *linkCut) link(u, v int32) {
	t.root(u)
	t.nodes[u].parent = v
}

// cut takes away the edge between u and v, which must be there.
func (t *linkCut) cut(u, v int32) {
	t.root(u)
	t.access(v) // the path is now u, v
	t.nodes[v].child[0] = -1
	t.nodes[u].parent = -1
	t.gather(v)
}

// lightest returns the lightest node of the path from u to v, which must be in one tree.
func (t *linkCut) lightest(u, v int32) int32 {
	t.root(u)
	t.access(v)
	return t.nodes[v].lightest
}

// root makes v the root of its tree.
func (t *linkCut) root(v int32) {
	t.access(v)
	t.nodes[v].reversed = !t.nodes[v].reversed
}

// access makes the path from the root to v one splay tree, with v as its root and last node.
func (t *linkCut) access(v int32) {
	below := int32(-1)
	for w := v; w >= 0; w = t.nodes[w].parent {
		t.splay(w)
		t.nodes[w].child[1] = below
		t.gather(w)
		below = w
	}
	t.splay(v)
}

// top says whether v is the root of its splay tree.
func (t *linkCut) top(v int32) bool {
	p := t.nodes[v].parent
	return p < 0 || t.nodes[p].child[0] != v && t.nodes[p].child[1] != v
}

// gather works out the lightest node below v.
func (t *linkCut) gather(v int32) {
	n := &t.nodes[v]
	n.lightest = v
	for _, c := range n.child {
		if c >= 0 && t.nodes[t.nodes[c].lightest].weight < t.nodes[n.lightest].weight {
			n.lightest = t.nodes[c].lightest
		}
	}
}

// turn does what reversed says, to the node's children.
func (t *linkCut) turn(v int32) {
	n := &t.nodes[v]
	if !n.reversed {
		return
	}
	n.reversed = false
	n.child[0], n.child[1] = n.child[1], n.child[0]
	for _, c := range n.child {
		if c >= 0 {
			t.nodes[c].reversed = !t.nodes[c].reversed
		}
	}
}

// splay makes v the root of its splay tree.
func (t *linkCut) splay(v int32) {
	t.above = append(t.above[:0], v)
	for w := v; !t.top(w); {
		w = t.nodes[w].parent
		t.above = append(t.above, w)
	}
	for i := len(t.above) - 1; i >= 0; i-- {
		t.turn(t.above[i])
	}
	for !t.top(v) {
		p := t.nodes[v].parent
		if !t.top(p) {
			if t.side(p) == t.side(v) {
				t.rotate(p)
			} else {
				t.rotate(v)
			}
		}
		t.rotate(v)
	}
}

// side says which child of its parent v is.
func (t *linkCut) side(v int32) int {
	if t.nodes[t.nodes[v].parent].child[0] == v {
		return 0
	}
	return 1
}

// rotate puts v in the place of its parent in the splay tree.
func (t *linkCut) rotate(v int32) {
	p := t.nodes[v].parent
	grandparent, side := t.nodes[p].parent, t.side(v)
	if !t.top(p) {
		t.nodes[grandparent].child[t.side(p)] = v
	}
	inner := t.nodes[v].child[1-side]
	t.nodes[v].parent, t.nodes[v].child[1-side] = grandparent, p
	t.nodes[p].parent, t.nodes[p].child[side] = v, inner
	if inner >= 0 {
		t.nodes[inner].parent = p
	}
	t.gather(p)
	t.gather(v)
}
