package network

import "math"

// Simple returns the simple undirected network beneath: links without directions, weights and self-loops, over the same
// vertices. A network that is one already is returned itself.
func (n *Network) Simple() *Network {
	if !n.directed && n.weights == nil && n.loops == 0 {
		return n
	}
	var links []Link
	for _, l := range n.List() {
		if l.From != l.To {
			links = append(links, l.ordered())
		}
	}
	simple, err := New(n.names, links, nil, false)
	if err != nil {
		panic(err) // the names and links are those of a network
	}
	return simple
}

// Undirected returns the network without directions, over the same vertices. A pair that is linked either way
// has the sum of both weights; without weights it is one link. A network without directions is returned
// itself.
func (n *Network) Undirected() *Network {
	if !n.directed {
		return n
	}
	links, weights := n.List(), n.listWeights()
	sum := map[Link]float32{}
	for i, w := range weights {
		l := links[i].ordered()
		sum[l] = min(sum[l]+w, math.MaxFloat32)
	}
	for i := range weights {
		weights[i] = sum[links[i].ordered()]
	}
	out, err := New(n.names, links, weights, false)
	if err != nil {
		panic(err) // the names and links are those of a network
	}
	return out
}
