package aspects

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// Vectors are those of an embedding that aspects of links are read from.
type Vectors struct {
	Final   eval.Embedding      // (N,D)
	Center  *eval.Embedding     // (N,D) of a method with centres, whose aspects are near the centres around them; else nil
	Aspects eval.MultiEmbedding // the several vectors of each vertex; no First where it has one
	Numbers bool                // aspect k of one vertex belongs with aspect k of another
}

// VectorsOf returns those of an embedding of a method.
func VectorsOf(e graphs.Embedding, m *graphs.Method) Vectors {
	n := len(e.Final) / e.D
	x := Vectors{Final: eval.Embedding{N: n, D: e.D, Data: e.Final}, Numbers: m.Name == graphs.MethodPolyDW}
	if len(e.Vectors) <= n*e.D { // at most one for each vertex
		return x
	}
	x.Aspects = eval.MultiEmbedding{First: e.First, D: e.D, Data: e.Vectors}
	if m.Name == graphs.MethodAsp2vec {
		x.Center = &eval.Embedding{N: n, D: e.D, Data: e.Center}
	}
	return x
}

// aspectTo returns the aspect in which v stands to u: which of the vectors of v has the largest inner product with the centre of u, which is the one
// that asp2vec would pick if v were all of u's context (Eq. 3 to 6). Without centres it is the one with the largest with any of the several vectors
// of u, where they have numbers with the one of the same number.
func (x Vectors) aspectTo(v, u int32) int32 {
	d := x.Aspects.D
	row := func(r int32) []float32 { return x.Aspects.Data[int(r)*d:][:d] }
	best, most := int32(0), float32(math.Inf(-1))
	of, to := x.Aspects.First[v:v+2], x.Aspects.First[u:u+2]
	for r := of[0]; r < of[1]; r++ {
		s := r - of[0]
		score := float32(math.Inf(-1))
		switch {
		case x.Center != nil:
			score = kernel.Dot(x.Center.Row(int(u)), row(r))
		case x.Numbers:
			score = kernel.Dot(row(to[0]+s), row(r))
		default:
			for other := to[0]; other < to[1]; other++ {
				score = max(score, kernel.Dot(row(other), row(r)))
			}
		}
		if score > most {
			best, most = s, score
		}
	}
	return best
}

// LabelMatch says how well the aspects of links match labels, among the links of one vertex at a time.
type LabelMatch struct {
	Links int `json:"links"` // with a label, counted at each end
	// Aspects groups the links of a vertex by the aspect of the vertex that is nearest to the other end; nil without several vectors.
	Aspects *Agreement `json:"aspects"`
	// Groups groups them without aspects: by k-means of the directions of the final vectors of the other ends.
	Groups Agreement `json:"groups"`
}

// VertexLinks are those links of a vertex that have a label.
type VertexLinks struct {
	Vertex int32
	Near   []int32 // the other ends
	Label  []int32 // at least 0
}

// several says whether there are links of more than one label.
func (l VertexLinks) several() bool { return labelled{community: l.Label}.inSeveral() }

// MatchLabels compares the aspects of links with labels of vertices, see MatchLinks. A link has the label that both its ends share, if that is one;
// others do not count. The network is taken as undirected. labels (N) are numbers of the labels of each vertex, at least 0, without order.
// It fails where MatchLinks does.
func MatchLabels(ctx context.Context, x Vectors, net *network.Network, labels [][]int32, groups int, seed uint64, threads int) (LabelMatch, error) {
	net = net.Simple()
	var at []VertexLinks
	for v := range int32(net.Vertices()) {
		l := VertexLinks{Vertex: v}
		for _, u := range net.Out(v) {
			if shared := sharedLabel(labels[v], labels[u]); shared >= 0 {
				l.Near, l.Label = append(l.Near, u), append(l.Label, shared)
			}
		}
		at = append(at, l)
	}
	return MatchLinks(ctx, x, at, groups, seed, threads)
}

// MatchLinks compares the aspects of links with their labels, for the vertices whose links have several labels. k-means has as many clusters as
// the vertex has aspects, or groups where it has one vector, and at most one for each two links; it is what one can do with one vector for each
// vertex.
//
// It returns an error for vectors that are not finite, where no vertex has links of several labels, and when ctx ends. The result does not depend on
// threads.
func MatchLinks(ctx context.Context, x Vectors, at []VertexLinks, groups int, seed uint64, threads int) (LabelMatch, error) {
	var m LabelMatch
	at = slices.DeleteFunc(slices.Clone(at), func(l VertexLinks) bool {
		m.Links += len(l.Near)
		return !l.several()
	})
	if len(at) == 0 {
		return m, errors.New("experiments: aspects: no vertex has links of several labels, a link having the one label that both its ends share: want some")
	}
	if err := x.Final.Validate(); err != nil {
		return m, err
	}
	unit := eval.Embedding{N: x.Final.N, D: x.Final.D, Data: eval.UnitRows(x.Final)}
	several := x.Aspects.First != nil
	byAspect, byGroup := make([]labelled, len(at)), make([]labelled, len(at))
	errs := make([]error, len(at))
	key := rng.NewKey(seed, "groups")
	par.Blocks(threads, len(at), func(_, i int) {
		v, k := at[i].Vertex, groups
		if several {
			k = int(x.Aspects.First[v+1] - x.Aspects.First[v])
			for j, u := range at[i].Near {
				byAspect[i].add(at[i].Label[j], x.aspectTo(v, u))
			}
		}
		e := eval.Embedding{N: len(at[i].Near), D: unit.D}
		for _, u := range at[i].Near {
			e.Data = append(e.Data, unit.Row(int(u))...)
		}
		var of []int32
		if of, _, errs[i] = eval.KMeans(ctx, e, min(k, max(e.N/2, 1)), uint64(key.With(uint64(v))), 1); errs[i] == nil {
			byGroup[i] = labelled{at[i].Label, of}
		}
	})
	for _, err := range errs {
		if err != nil {
			return m, err
		}
	}
	if several {
		a, err := matchWithin(byAspect, rng.New(seed, "chance"))
		if err != nil {
			return m, err
		}
		m.Aspects = &a
	}
	var err error
	m.Groups, err = matchWithin(byGroup, rng.New(seed, "chance"))
	return m, err
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

// Adjusted returns the agreement beyond chance: 0 for that of chance, and 1 for a perfect one. Where chance alone makes it perfect, all
// links of a vertex having labels or groups of their own, it is 0.
func (a Agreement) Adjusted() float64 {
	if a.Chance > 1-1e-9 {
		return 0
	}
	return (a.NMI - a.Chance) / (1 - a.Chance)
}
