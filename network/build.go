package network

import "runtime"

// duplicates says what build dropped.
type duplicates struct {
	repeated    int // links given again
	conflicting int // links given again with another weight
}

// manyArcs is a number of arcs from which on it pays to give memory back early.
const manyArcs = 1 << 24

// build sorts links into adjacency lists and drops the repeated ones; the caller has checked all its arguments. It does not
// set the index.
//
// Two stable counting sorts, by target and then by source, sort all lists in time linear in arcs and vertices. Stability
// leaves equal arcs in the order of the input, so the first weight of a repeated link is the one that stays, and it is the
// same for both arcs of an undirected link. The links are let go between the two, so that at no time there are three copies.
func build(names []string, links []Link, weights []float32, directed bool) (*Network, duplicates) {
	n := len(names)
	byTarget, bySource := make([]int64, n+1), make([]int64, n+1)
	for _, l := range links {
		byTarget[l.To+1]++
		bySource[l.From+1]++
		if !directed && l.From != l.To {
			byTarget[l.From+1]++
			bySource[l.To+1]++
		}
	}
	for v := range n {
		byTarget[v+1] += byTarget[v]
		bySource[v+1] += bySource[v]
	}
	arcs := byTarget[n]
	sources := make([]int32, arcs) // of the arcs sorted by target
	var carried []float32          // and their weights
	if weights != nil {
		carried = make([]float32, arcs)
	}
	next := make([]int64, n)
	copy(next, byTarget)
	put := func(source, target int32, i int) {
		at := next[target]
		next[target]++
		sources[at] = source
		if weights != nil {
			carried[at] = weights[i]
		}
	}
	for i, l := range links {
		put(l.From, l.To, i)
		if !directed && l.From != l.To {
			put(l.To, l.From, i)
		}
	}
	if arcs >= manyArcs {
		runtime.GC()
	}
	targets := make([]int32, arcs)
	var w []float32
	if carried != nil {
		w = make([]float32, arcs)
	}
	copy(next, bySource)
	for target := range int32(n) {
		for i := byTarget[target]; i < byTarget[target+1]; i++ {
			at := next[sources[i]]
			next[sources[i]]++
			targets[at] = target
			if w != nil {
				w[at] = carried[i]
			}
		}
	}
	net := &Network{offsets: bySource, targets: targets, weights: w, names: names, directed: directed}
	return net, net.dedupe()
}

// dedupe drops repeated entries of every adjacency list in place, counts the self-loops, and drops weights that are all 1.
func (n *Network) dedupe() duplicates {
	var d duplicates
	var kept int64
	ones := true
	for u := range int32(n.Vertices()) {
		first, end := n.offsets[u], n.offsets[u+1]
		n.offsets[u] = kept
		for i := first; i < end; i++ {
			v := n.targets[i]
			if kept > n.offsets[u] && n.targets[kept-1] == v {
				if n.directed || u <= v { // an undirected link once
					d.repeated++
					if n.weights != nil && n.weights[kept-1] != n.weights[i] {
						d.conflicting++
					}
				}
				continue
			}
			n.targets[kept] = v
			if n.weights != nil {
				n.weights[kept] = n.weights[i]
				ones = ones && n.weights[i] == 1
			}
			if u == v {
				n.loops++
			}
			kept++
		}
	}
	n.offsets[n.Vertices()] = kept
	n.targets = n.targets[:kept:kept]
	if n.weights != nil {
		n.weights = n.weights[:kept:kept]
	}
	if ones {
		n.weights = nil
	}
	return d
}
