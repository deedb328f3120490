package aspects

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// Agreement is how well a grouping of links matches their labels, and how well it would by chance.
type Agreement struct {
	NMI      float64 `json:"nmi"`
	Chance   float64 `json:"chance"`    // mean over groups dealt out at random
	ChanceSD float64 `json:"chance_sd"` // and their standard deviation
	Count    int     `json:"count"`     // of links, or of vertices
}

// chanceDraws is how often groups are dealt out at random.
const chanceDraws = 20

// Adjusted returns the agreement beyond chance: 0 for that of chance, and 1 for a perfect one. Where chance alone makes it perfect, all
// links of a vertex having labels or groups of their own, it is 0.
func (a Agreement) Adjusted() float64 {
	if a.Chance > 1-1e-9 {
		return 0
	}
	return (a.NMI - a.Chance) / (1 - a.Chance)
}

// VertexLinks are those links of a vertex that have a label, seen from this end.
type VertexLinks struct {
	Vertex int32
	Near   []int32 // the other ends
	Label  []int32 // at least 0
}

func (l *VertexLinks) add(near, label int32) {
	l.Near, l.Label = append(l.Near, near), append(l.Label, label)
}

// several says whether there are links of more than one label.
func (l *VertexLinks) several() bool {
	return slices.ContainsFunc(l.Label, func(c int32) bool { return c != l.Label[0] })
}

// Grouping tells in which group a link of v to u is, seen from v; below 0 for none.
//
// Links are compared with what is known of them, not vertices, because communities overlap: a vertex is in several, so that groups of
// vertices are no partition, while a link has one aspect at each end, so that both labellings of links are partitions, for which NMI is
// defined (after Ahn, Bagrow and Lehmann, Nature 466, 2010, doi:10.1038/nature09182).
type Grouping func(v, u int32) int32

// Within averages the agreement among the links of each vertex, over those whose links have several labels. Groups need to mean something within
// a vertex only. Chance deals out the groups of each vertex anew. It returns an error where there is no such vertex.
func Within(at []VertexLinks, in Grouping, seed uint64) (Agreement, error) {
	var a Agreement
	var variance float64
	r := rng.New(seed, "chance")
	for _, l := range at {
		if !l.several() {
			continue
		}
		of := make([]int32, len(l.Near))
		for i, u := range l.Near {
			of[i] = in(l.Vertex, u)
		}
		nmi, chance, sd, err := nmiAndChance(l.Label, of, r)
		if err != nil {
			return a, err
		}
		a.NMI += nmi
		a.Chance += chance
		variance += sd * sd
		a.Count++
	}
	if a.Count == 0 {
		return a, errors.New("experiments: aspects: no vertex has links of several labels: expected some")
	}
	n := float64(a.Count)
	a.NMI, a.Chance, a.ChanceSD = a.NMI/n, a.Chance/n, math.Sqrt(variance)/n // shuffles of different vertices are independent
	return a, nil
}

// Overall is the agreement over the links of all vertices at once, so that groups must mean the same everywhere. It returns an error where there
// are no links.
func Overall(at []VertexLinks, in Grouping, seed uint64) (a Agreement, err error) {
	var label, of []int32
	for _, l := range at {
		for i, u := range l.Near {
			label, of = append(label, l.Label[i]), append(of, in(l.Vertex, u))
		}
	}
	a.Count = len(label)
	a.NMI, a.Chance, a.ChanceSD, err = nmiAndChance(label, of, rng.New(seed, "chance"))
	return a, err
}

func nmiAndChance(label, of []int32, r *rng.Stream) (nmi, chance, sd float64, err error) {
	if nmi, err = eval.NMI(label, of); err != nil {
		return 0, 0, 0, err
	}
	chance, sd, err = eval.Chance(eval.NMI, label, of, chanceDraws, r)
	return nmi, chance, sd, err
}

// ByGroup is the grouping by the groups that mean the same everywhere.
func (a *Aspects) ByGroup(v, u int32) int32 {
	if r := a.To(v, u); r >= 0 {
		return a.Group[r]
	}
	return -1
}

// KMeans groups the links of each vertex without aspects, by k-means of the directions of the final vectors of the other ends: into k clusters,
// and at most one for each two links. It returns an error for vectors that are not finite, and when ctx ends.
func KMeans(ctx context.Context, final eval.Embedding, at []VertexLinks, k int, seed uint64, threads int) (Grouping, error) {
	if err := final.Validate(); err != nil {
		return nil, err
	}
	unit := eval.Embedding{N: final.N, D: final.D, Data: eval.UnitRows(final)}
	of, errs := make(map[[2]int32]int32), make([]error, len(at))
	groups := make([][]int32, len(at))
	key := rng.NewKey(seed, "groups")
	par.Blocks(threads, len(at), func(_, i int) {
		near := eval.Embedding{N: len(at[i].Near), D: unit.D}
		for _, u := range at[i].Near {
			near.Data = append(near.Data, unit.Row(int(u))...)
		}
		if near.N > 0 {
			groups[i], _, errs[i] = eval.KMeans(ctx, near, min(k, max(near.N/2, 1)), uint64(key.With(uint64(at[i].Vertex))), 1)
		}
	})
	for i, l := range at {
		for j, u := range l.Near {
			if errs[i] == nil {
				of[[2]int32{l.Vertex, u}] = groups[i][j]
			}
		}
	}
	return func(v, u int32) int32 { return of[[2]int32{v, u}] }, errors.Join(errs...)
}

// EgoSplitting groups the links of each vertex without vectors: by label propagation among its neighbours (see network.Network.Personas). Of a pair that is
// not linked it knows nothing, and has -1. It returns ctx's error when that ends.
func EgoSplitting(ctx context.Context, net *network.Network, threads int) (Grouping, error) {
	personas, err := net.Simple().Personas(ctx, network.ClusteringLabels, threads)
	if err != nil {
		return nil, err
	}
	of := map[[2]int32]int32{}
	for p, v := range personas.Owner {
		for _, other := range personas.Network.Out(int32(p)) {
			of[[2]int32{v, personas.Owner[other]}] = int32(p)
		}
	}
	return func(v, u int32) int32 {
		if p, linked := of[[2]int32{v, u}]; linked {
			return p
		}
		return -1
	}, nil
}

// ByLabels are the links of a network (see network.Simple) that have a label: the one that both their ends share, if that is one. labels (N)
// are numbers of the labels of each vertex, at least 0, without order.
func ByLabels(net *network.Network, labels [][]int32) []VertexLinks {
	net = net.Simple()
	at := make([]VertexLinks, net.Vertices())
	for v := range at {
		at[v].Vertex = int32(v)
		for _, u := range net.Out(int32(v)) {
			if shared := sharedLabel(labels[v], labels[u]); shared >= 0 {
				at[v].add(u, shared)
			}
		}
	}
	return at
}

// sharedLabel returns the label that two vertices share, and -1 where that is none or several.
func sharedLabel(a, b []int32) int32 {
	shared := int32(-1)
	for _, l := range a {
		if slices.Contains(b, l) {
			if shared >= 0 && shared != l {
				return -1
			}
			shared = l
		}
	}
	return shared
}

// ByOrigin are the links whose origins are known and which are wanted, by the numbers of their vertices among names. It returns an error for an origin of
// a vertex that is not there.
func ByOrigin(names []string, origins []network.Origin, want func(v, u int32) bool) ([]VertexLinks, error) {
	at, row := make([]VertexLinks, len(names)), seq.Places[string, int32](names)
	for v := range at {
		at[v].Vertex = int32(v)
	}
	number, seen := map[string]int32{}, map[network.Link]bool{}
	for _, o := range origins {
		v, there := row[o.Vertex]
		u, also := row[o.Neighbor]
		if !there || !also {
			return nil, fmt.Errorf("experiments: aspects: origin of a link %q-%q: expected vertices of the network", o.Vertex, o.Neighbor)
		}
		if _, known := number[o.Of]; !known {
			number[o.Of] = int32(len(number))
		}
		if l := (network.Link{From: v, To: u}); !seen[l] && want(v, u) {
			seen[l] = true
			at[v].add(u, number[o.Of])
		}
	}
	return at, nil
}
