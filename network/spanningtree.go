package network

import "math"

// spanningTree is the spanning tree, or forest, of a network whose links are deleted in their order, that lasts longest: the links that
// are deleted last are in it, wherever there is a choice. So of the links that are there the first ones, any number of them, can be
// deleted together without parting vertices if and only if none of them is in the tree.
//
// A link that is put back for good is as one that is deleted after all others.
type spanningTree struct {
	links []Link
	trees *linkCut // its nodes are the vertices, and after them the tree's links, whose weights are their places in the order
	node  []int32  // of each link of the tree; -1 for others
	link  []int32  // of each node after the vertices
}

const lasting = math.MaxInt32 - 1 // weight of a link that is put back for good; vertices are heavier

// newSpanningTree returns the tree of all links, fewer than 2³¹-2. It is Kruskal's, from the last link to the first.
func newSpanningTree(vertices int, links []Link) *spanningTree {
	t := &spanningTree{links: links, trees: newLinkCut(2 * vertices), node: make([]int32, len(links))}
	joined := newForest(vertices)
	for i := len(links) - 1; i >= 0; i-- {
		t.node[i] = -1
		if joined.join(links[i].From, links[i].To) {
			t.link = append(t.link, int32(i))
			t.add(i, int32(vertices+len(t.link)-1), int32(i))
		}
	}
	return t
}

// add joins two trees by a link with a free node.
func (t *spanningTree) add(i int, node, weight int32) {
	t.node[i] = node
	t.trees.setWeight(node, weight)
	t.trees.link(node, t.links[i].From)
	t.trees.link(node, t.links[i].To)
}

// has says whether one of the links first to end-1 is in the tree.
func (t *spanningTree) has(first, end int) bool {
	for _, node := range t.node[first:end] {
		if node >= 0 {
			return true
		}
	}
	return false
}

// putBack puts back the links first to end-1 for good.
func (t *spanningTree) putBack(first, end int) {
	for _, node := range t.node[first:end] {
		if node >= 0 {
			t.trees.setWeight(node, lasting)
		}
	}
	vertices := int32(len(t.trees.nodes) / 2)
	for i := first; i < end; i++ {
		l := t.links[i]
		if t.node[i] >= 0 || l.From == l.To {
			continue
		}
		node := t.trees.lightest(l.From, l.To)
		if t.trees.nodes[node].weight >= lasting {
			continue // its ends will be joined without it
		}
		out := t.link[node-vertices]
		t.trees.cut(node, t.links[out].From)
		t.trees.cut(node, t.links[out].To)
		t.node[out], t.link[node-vertices] = -1, int32(i)
		t.add(i, node, lasting)
	}
}
