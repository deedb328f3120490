package network

// Stats describes a network.
type Stats struct {
	Vertices    int     `json:"vertices"`
	Links       int     `json:"links"` // an undirected link counts once
	SelfLoops   int     `json:"self_loops"`
	Components  int     `json:"components"`  // weakly connected
	MeanDegree  float64 `json:"mean_degree"` // arcs per vertex; of a directed network the mean out-degree
	MaxDegree   int     `json:"max_degree"`  // arcs of one vertex; of a directed network the largest out-degree
	Reciprocity float64 `json:"reciprocity"` // share of arcs between different vertices whose reverse is an arc; 1 if undirected
}

// Stats counts in time linear in arcs, but for the reciprocity of a directed network, which looks every arc up.
func (n *Network) Stats() Stats {
	s := Stats{Vertices: n.Vertices(), Links: n.Links(), SelfLoops: n.loops, Reciprocity: 1}
	mutual := 0
	for u := range int32(s.Vertices) {
		out := n.Out(u)
		s.MaxDegree = max(s.MaxDegree, len(out))
		for _, v := range out {
			if n.directed && u != v && n.Has(v, u) {
				mutual++
			}
		}
	}
	if n.directed {
		s.Reciprocity = float64(mutual) / float64(max(1, s.Links-s.SelfLoops))
	}
	s.MeanDegree = float64(n.Arcs()) / float64(max(1, s.Vertices))
	s.Components = n.components().trees()
	return s
}
