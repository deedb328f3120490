package graphs

import (
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// The paper's numbers of parameters (section "Number of Parameters"), worked out by hand for its 3,852 proteins with one vector of 100
// dimensions or five of 20. DGI's, which the paper does not give, is that of the published code.
func TestPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		method string
		n      int64
		dim, k int
		want   int64
	}{
		{MethodDeepWalk, 3852, 100, 1, 770_400},
		{MethodNode2vec, 3852, 100, 1, 770_400},
		{MethodDGI, 3852, 100, 1, 395_302},
		{MethodPolyDW, 3852, 20, 5, 924_480},
		{MethodSplitter, 3852, 20, 5, 539_280},
		{MethodAsp2vec, 3852, 20, 5, 462_240},
		{MethodAsp2vec, 1 << 32, 1 << 16, 1, 1 << 49}, // more than 32 bits count
	} {
		m := MethodOf(c.method)
		o := Default()
		o.SetMethod(m)
		o.Dim, o.Aspects = c.dim, c.k
		if got := m.Published(c.n, o); got != c.want {
			t.Errorf("%s, %d vertices, dim %d, %d aspects: %d, expected %d", c.method, c.n, c.dim, c.k, got, c.want)
		}
	}
}

// What a method learns, counted in its model, beside what is published: two triangles that share a vertex, n = 5, which
// Splitter makes six personas of. PolyDW's factorisation is not learnt with it, so that its count has the 2·n·d less; Splitter's
// is that of both its models, as DeepWalk's vectors go on to be needed.
func TestLearntCounts(t *testing.T) {
	net := newNetwork(t, 5, false, twoTriangles...)
	words := &network.Features{Columns: 4, Offsets: []int64{0, 1, 2, 3, 4, 5}, Index: []int32{0, 1, 2, 3, 0}, Value: []float32{1, 1, 1, 1, 1}}
	const n, d, k = 5, 3, 2
	for _, c := range []struct {
		name, method      string
		features          *network.Features
		learnt, published int64
	}{
		{"deepwalk", MethodDeepWalk, nil, 2 * n * d, 2 * n * d},
		{"node2vec", MethodNode2vec, nil, 2 * n * d, 2 * n * d},
		{"dgi", MethodDGI, nil, n*d + d + 1 + d*d + 1, n*d + d + 1 + d*d + 1},
		{"dgi with features", MethodDGI, words, 4*d + d + 1 + d*d + 1, 0},
		{"polydw", MethodPolyDW, nil, 2 * n * d * k, 2 * n * d * (k + 1)},
		{"splitter", MethodSplitter, nil, 2*n*d + 2*6*d, n * d * (5 + 2)},
		{"asp2vec", MethodAsp2vec, nil, n*d + n*d*k, n * d * (k + 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := quick(t, c.method)
			o.Dim, o.Aspects = d, k
			Edit(&o, func(p *PersonaOptions) { p.Clustering = network.ClusteringComponents })
			in := Input{Network: net}
			if c.features != nil {
				in.Features = c.features
				Edit(&o, func(p *FeatureOptions) { p.Features = "words.txt" })
			}
			r := trainOn(t, in, o, 1, Monitor{})
			if got := CountParameters(r.Learner); got != c.learnt {
				t.Errorf("%d numbers are learnt, expected %d", got, c.learnt)
			}
			m := MethodOf(c.method)
			if got := m.Published(n, o); got != c.published {
				t.Errorf("the published count is %d, expected %d", got, c.published)
			}
		})
	}
}

// twoTriangles share vertex 2.
var twoTriangles = []network.Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 0, To: 2}, {From: 2, To: 3}, {From: 3, To: 4}, {From: 2, To: 4}}
