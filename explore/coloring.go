package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// Coloring tells vertices apart by groups, of which the first seven have a colour each.
type Coloring struct {
	Title string   `json:"title"`
	Names []string `json:"names"` // those that most vertices have first, or in the order of their numbers
	Of    []int32  `json:"-"`     // (N): places in Names, or -1
	// All are all groups of each vertex (N), of which Of has the one whose colour it has; nil where there are no others.
	All [][]int32 `json:"-"`
}

// ByLabel puts each vertex into the group of that of its labels, places in names, which most vertices have.
func ByLabel(of [][]int32, names []string) *Coloring {
	count := make([]int, len(names))
	multiLabelled := false
	for _, list := range of {
		multiLabelled = multiLabelled || len(list) > 1
		for _, l := range list {
			count[l]++
		}
	}
	order := seq.Upto(int32(len(names)))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(count[b], count[a]) })
	place := make([]int32, len(names))
	g := &Coloring{Title: "label", Of: make([]int32, len(of))}
	for i, l := range order {
		place[l] = int32(i)
		g.Names = append(g.Names, names[l])
	}
	for v, list := range of {
		g.Of[v] = -1
		all := seq.Map(list, func(l int32) int32 { return place[l] })
		if slices.Sort(all); len(all) > 0 {
			g.Of[v] = all[0]
		}
		g.All = append(g.All, all)
	}
	if !multiLabelled {
		g.All = nil
	}
	return g
}

// ByCommunity puts vertices into the communities of their links; those without links are in none. It returns ctx's error when that ends.
func ByCommunity(ctx context.Context, net *network.Network, seed uint64) (*Coloring, error) {
	of, err := net.Communities(ctx, 100, nil, seed)
	if err != nil {
		return nil, err
	}
	g := &Coloring{Title: "community", Of: of}
	most := int32(-1)
	linked := make([]bool, len(g.Of))
	for _, link := range net.List() {
		linked[link.From], linked[link.To] = true, true
	}
	for v := range g.Of {
		if !linked[v] {
			g.Of[v] = -1
		}
		most = max(most, g.Of[v])
	}
	for i := range most + 1 {
		g.Names = append(g.Names, fmt.Sprintf("community %d", i+1))
	}
	return g, nil
}

// ByAspects puts each vertex into the group of its first aspect, the one of most of its links, and beside it into those of its others. The aspects of
// vertex v are rows first[v] to first[v+1]-1 of group, of which there are groups, numbered from 0. A vertex without aspects is in none.
func ByAspects(first, group []int32, groups int) *Coloring {
	g := &Coloring{Title: "group of aspects"}
	for k := range groups {
		g.Names = append(g.Names, fmt.Sprintf("group %d", k+1))
	}
	for v := range len(first) - 1 {
		own := int32(-1)
		all := slices.Clone(group[first[v]:first[v+1]])
		if len(all) > 0 {
			own = all[0]
		}
		slices.Sort(all)
		g.Of, g.All = append(g.Of, own), append(g.All, slices.Compact(all))
	}
	return g
}
