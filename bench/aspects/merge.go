package main

import (
	"slices"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// merged is a network in which some vertices are two of a real one, and which of the two each of their links belonged to: a truth for aspects
// that needs no labels, as pseudowords are one for senses of words (Gale, Church, Yarowsky 1992).
type merged struct {
	net   *network.Network
	links []aspects.VertexLinks // of the merged vertices, but for links that both of the two had
}

// merge joins pairs of vertices of an undirected network, drawn at random among those with leastDegree links or more, until a share of these
// vertices is in a pair. The two of a pair are not linked. Directions and weights are dropped.
func merge(net *network.Network, share float64, leastDegree int, seed uint64) (*merged, error) {
	net = net.Simple()
	n := net.Vertices()
	r := rng.New(seed, "merge")
	var able []int32
	for v := range int32(n) {
		if net.Degree(v) >= leastDegree {
			able = append(able, v)
		}
	}
	for i := len(able) - 1; i > 0; i-- {
		j := r.Intn(i + 1)
		able[i], able[j] = able[j], able[i]
	}
	into := make([]int32, n) // the vertex that it is merged with, if it is the second of a pair; else itself
	for v := range into {
		into[v] = int32(v)
	}
	pairs := int(share * float64(len(able)) / 2)
	var first []int32
	for i := 0; i+1 < len(able) && len(first) < pairs; i += 2 {
		if a, b := able[i], able[i+1]; !net.Has(a, b) {
			into[b] = a
			first = append(first, a)
		}
	}
	now := make([]int32, n) // number in the merged network
	var names []string
	for v := range into {
		if into[v] == int32(v) {
			now[v] = int32(len(names))
			names = append(names, net.Name(int32(v)))
		}
	}
	second := make(map[int32]int32, len(first))
	for v, a := range into {
		if a != int32(v) {
			now[v], second[a] = now[a], int32(v)
		}
	}
	var links []network.Link
	for _, l := range net.List() {
		if u, v := now[l.From], now[l.To]; u != v {
			links = append(links, network.Link{From: u, To: v})
		}
	}
	m := &merged{}
	var err error
	if m.net, err = network.New(names, links, nil, false); err != nil {
		return nil, err
	}
	for _, a := range first {
		l := aspects.VertexLinks{Vertex: now[a]}
		ends := func(v int32) (of []int32) {
			for _, u := range net.Out(v) {
				of = append(of, now[u])
			}
			slices.Sort(of)
			return slices.Compact(of)
		}
		both := [2][]int32{ends(a), ends(second[a])}
		for i, of := range both {
			for _, u := range of {
				if _, shared := slices.BinarySearch(both[1-i], u); !shared {
					l.Near, l.Label = append(l.Near, u), append(l.Label, int32(i))
				}
			}
		}
		m.links = append(m.links, l)
	}
	return m, nil
}
