// Package aspects looks at what aspects of vertices come to: how unlike they are, how they are used, and which communities they stand for.
package aspects

import (
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// Agreement is how well a labelling matches the truth, and how well it would by chance.
type Agreement struct {
	NMI      float64 `json:"nmi"`
	Chance   float64 `json:"chance"`    // mean over labels dealt out at random
	ChanceSD float64 `json:"chance_sd"` // and their standard deviation
	Count    int     `json:"count"`     // of links, or of vertices
}

// chanceDraws is how often labels are dealt out at random.
const chanceDraws = 20

// labelled are links, seen from one of their ends: the community that made each, and the aspect that the model gives it.
type labelled struct{ community, aspect []int32 }

func (l *labelled) add(community, aspect int32) {
	l.community, l.aspect = append(l.community, community), append(l.aspect, aspect)
}

// inSeveral says whether there are links of more than one community.
func (l labelled) inSeveral() bool {
	return slices.ContainsFunc(l.community, func(c int32) bool { return c != l.community[0] })
}

// Match compares the aspects of links with the communities that made them, without the links that none did; a link
// counts from either end.
//
// What an aspect stands for is the same along a walk, but nothing makes it the same everywhere, so there are two measures:
// over all test links at once, and among the links of one vertex at a time, over all links, averaged over the vertices
// whose links are of several communities. By chance means: with the aspects of all links, or of the vertex's, shuffled.
//
// Links are compared, not vertices, because the communities overlap: a vertex is in several, so that groups of vertices are
// no partition, while a link was made by one community and has one aspect at each end, so that both labellings of links are
// partitions, for which NMI is defined, and the overlap shows as links of one vertex with different labels (after Ahn, Bagrow
// and Lehmann, "Link communities reveal multiscale complexity in networks", Nature 466, 2010, doi:10.1038/nature09182).
// Measures of covers of vertices would need memberships, which the model does not give: its aspects are of a vertex in a
// context. It returns an error for a split with a vertex that the planted network does not have, and where no
// test link is of a community.
func Match(e graphs.Embedding, s *network.Split, planted *network.PlantedNetwork, seed uint64) (links, vertices Agreement, err error) {
	origin := make(map[network.Link]int32, planted.Network.Links())
	for i, l := range planted.Network.List() {
		origin[l] = planted.Origins[i]
	}
	old := make([]int32, len(s.Names)) // the number in the planted network
	for v, name := range s.Names {
		var ok bool
		if old[v], ok = planted.Network.Index(name); !ok {
			return links, vertices, fmt.Errorf("experiments: aspects: vertex %q of the split is not in the planted network", name)
		}
	}
	x := VectorsOf(e, graphs.MethodOf(graphs.MethodAsp2vec))
	var test labelled
	at := make([]labelled, len(s.Names))
	for i, list := range [][]network.Link{s.Train, s.Test} {
		for _, l := range list {
			u, v := old[l.From], old[l.To]
			community, ok := origin[network.Link{From: min(u, v), To: max(u, v)}]
			if !ok || community < 0 {
				continue
			}
			there, back := x.aspectTo(l.To, l.From), x.aspectTo(l.From, l.To)
			at[l.From].add(community, there)
			at[l.To].add(community, back)
			if i == 1 {
				test.add(community, there)
				test.add(community, back)
			}
		}
	}
	r := rng.New(seed, "chance")
	if links.NMI, err = eval.NMI(test.community, test.aspect); err != nil {
		return links, vertices, err
	}
	links.Count = len(test.community) / 2
	if links.Chance, links.ChanceSD, err = eval.Chance(eval.NMI, test.community, test.aspect, chanceDraws, r); err != nil {
		return links, vertices, err
	}
	vertices, err = matchWithin(at, r)
	return links, vertices, err
}

// matchWithin averages the agreement among each vertex's links.
func matchWithin(at []labelled, r *rng.Stream) (Agreement, error) {
	var a Agreement
	var variance float64
	for _, l := range at {
		if !l.inSeveral() {
			continue
		}
		nmi, err := eval.NMI(l.community, l.aspect)
		if err != nil {
			return a, err
		}
		mean, sd, err := eval.Chance(eval.NMI, l.community, l.aspect, chanceDraws, r)
		if err != nil {
			return a, err
		}
		a.NMI += nmi
		a.Chance += mean
		variance += sd * sd
		a.Count++
	}
	if a.Count == 0 {
		return a, fmt.Errorf("experiments: aspects: no vertex has links of several communities: want some")
	}
	n := float64(a.Count)
	a.NMI, a.Chance, a.ChanceSD = a.NMI/n, a.Chance/n, math.Sqrt(variance)/n // shuffles of different vertices are independent
	return a, nil
}
