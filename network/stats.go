package network

// Stats describes a network.
type Stats struct {
	Vertices        int     `json:"vertices"`
	Links           int     `json:"links"` // an undirected link counts once
	Directed        bool    `json:"directed"`
	Weighted        bool    `json:"weighted"`
	SelfLoops       int     `json:"self_loops"`
	Isolated        int     `json:"isolated"`   // vertices without a link to another vertex
	Components      int     `json:"components"` // weakly connected
	LargestVertices int     `json:"largest_vertices"`
	LargestLinks    int     `json:"largest_links"`
	Sinks           int     `json:"sinks"`       // vertices without an outgoing arc: a walk ends there
	Sources         int     `json:"sources"`     // vertices without an incoming arc: no walk comes there
	MeanDegree      float64 `json:"mean_degree"` // arcs per vertex; of a directed network the mean out-degree
	MaxDegree       int     `json:"max_degree"`  // arcs of one vertex; of a directed network the largest out-degree
	MaxInDegree     int     `json:"max_in_degree"`
	Density         float64 `json:"density"`     // links between different vertices, as a share of those possible, in [0,1]
	Reciprocity     float64 `json:"reciprocity"` // share of arcs between different vertices whose reverse is an arc; 1 if undirected
}

// Stats counts in time linear in arcs, but for the reciprocity of a directed network, which looks every arc up.
func (n *Network) Stats() Stats {
	s := Stats{
		Vertices: n.Vertices(), Links: n.Links(), Directed: n.directed, Weighted: n.Weighted(), SelfLoops: n.loops,
		Reciprocity: 1,
	}
	in := make([]int, n.Vertices())
	linked := make([]bool, n.Vertices())
	mutual := 0
	for u := range int32(n.Vertices()) {
		out := n.Out(u)
		s.MaxDegree = max(s.MaxDegree, len(out))
		if len(out) == 0 {
			s.Sinks++
		}
		for _, v := range out {
			in[v]++
			if u != v {
				linked[u], linked[v] = true, true
				if n.directed && n.Has(v, u) {
					mutual++
				}
			}
		}
	}
	for v := range in {
		s.MaxInDegree = max(s.MaxInDegree, in[v])
		if in[v] == 0 {
			s.Sources++
		}
		if !linked[v] {
			s.Isolated++
		}
	}
	proper := s.Links - s.SelfLoops
	if n.directed {
		s.Reciprocity = 0
		if proper > 0 {
			s.Reciprocity = float64(mutual) / float64(proper)
		}
	}
	if v := float64(s.Vertices); v > 0 {
		s.MeanDegree = float64(n.Arcs()) / v
		if v > 1 {
			s.Density = float64(proper) / (v * (v - 1))
			if !n.directed {
				s.Density *= 2
			}
		}
	}
	_, s.Components = n.components()
	largest := n.LargestComponent()
	s.LargestVertices, s.LargestLinks = largest.Vertices(), largest.Links()
	return s
}
