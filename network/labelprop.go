package network

import "context"

// propagation parts a network by semi-synchronous label propagation. It holds the memory of a run for the next one.
//
// Every vertex starts with its number as label. Vertices are coloured greedily, by decreasing degree and then by number, each
// with the smallest colour that none of its neighbours has. A round updates the vertices colour by colour: a vertex takes the
// most frequent label among its neighbours; it keeps its own if that is among the most frequent, else it takes the largest of
// them. Vertices of one colour are not linked, so their order makes no difference. It ends when every label is among the most
// frequent ones of its vertex's neighbours.
//
// It does end: a vertex that changes its label has more neighbours of its label than before, so each round but the last adds
// at least one to the links within a label, and there are at most links + 1 rounds.
//
// Source: Cordasco and Gargano, BASNA 2010, with the rule Prec-Max; label_propagation_communities of networkx 2.8, which gives
// the same parts where its nodes are in the order of our vertices.
type propagation struct {
	order  []int32 // (n) vertices colour by colour
	keys   []int32 // (n) what order is sorted by; in the end colours
	counts []int32 // (n+1) of keys or labels, or the vertex that last met a colour
}

// run writes the label of each vertex, in [0,n), to labels (n). When ctx ends it stops early, and the labels mean nothing.
func (p *propagation) run(ctx context.Context, net *adjacency, labels []int32) {
	n := len(labels)
	p.order, p.keys, p.counts = resized(p.order, n), resized(p.keys, n), resized(p.counts, n+1)
	p.colour(net)
	clear(p.counts)
	for v := range labels {
		labels[v] = int32(v)
	}
	for rounds := len(net.targets)/2 + 1; rounds > 0 && ctx.Err() == nil && p.round(net, labels); rounds-- {
	}
}

// colour puts the vertices in the order of their colours, and of their numbers within a colour.
func (p *propagation) colour(net *adjacency) {
	n := int32(len(p.order))
	for v := range n {
		p.keys[v] = n - 1 - int32(len(net.of(v)))
	}
	p.sort()
	for v := range p.keys {
		p.keys[v] = n // none yet; counts has a place for it
	}
	for i := range p.counts {
		p.counts[i] = -1
	}
	for _, v := range p.order {
		for _, w := range net.of(v) {
			p.counts[p.keys[w]] = v
		}
		c := int32(0)
		for p.counts[c] == v {
			c++
		}
		p.keys[v] = c
	}
	p.sort()
}

// sort orders the vertices by their keys, which are in [0,n), and then by number.
func (p *propagation) sort() {
	clear(p.counts)
	for _, k := range p.keys {
		p.counts[k+1]++
	}
	for k := range p.order {
		p.counts[k+1] += p.counts[k]
	}
	for v, k := range p.keys {
		p.order[p.counts[k]] = int32(v)
		p.counts[k]++
	}
}

// round updates all vertices once and says whether a label changed.
func (p *propagation) round(net *adjacency, labels []int32) (changed bool) {
	for _, v := range p.order {
		neighbours := net.of(v)
		most, best := int32(0), int32(-1)
		for _, w := range neighbours {
			l := labels[w]
			p.counts[l]++
			if c := p.counts[l]; c > most || c == most && l > best {
				most, best = c, l
			}
		}
		if p.counts[labels[v]] < most {
			labels[v], changed = best, true
		}
		for _, w := range neighbours {
			p.counts[labels[w]] = 0
		}
	}
	return changed
}
