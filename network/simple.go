package network

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
