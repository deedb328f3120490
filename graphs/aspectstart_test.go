package graphs

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/network"
)

// sharedVertex is a network of two triangles that share vertex 0: 0-1-2 and 0-3-4.
func sharedVertex(t *testing.T) *network.Network {
	t.Helper()
	links := []network.Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 3, To: 4}, {From: 0, To: 4}}
	net, err := network.New([]string{"0", "1", "2", "3", "4"}, links, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// apart are vectors (5,2) in which the two triangles lie in two directions, and what they share between them.
var apart = []float32{1, 1, 1, 0, 2, 0.1, 0, 1, 0.1, 3}

func startOf(t *testing.T, net *network.Network, u []float32, k, threads int) *SkipGram {
	t.Helper()
	o := quick(t, MethodAsp2vec).Complete()
	o.Dim, o.Aspects = 2, k
	m, err := NewSkipGram(o, net.Vertices(), threads)
	if err != nil {
		t.Fatal(err)
	}
	m.warmStart(u)
	m.startByNeighbors(net, u, threads)
	return m
}

// The aspects of the vertex in both triangles begin half way towards either; a vertex with two neighbours has one group.
func TestStartByNeighbors(t *testing.T) {
	m := startOf(t, sharedVertex(t), apart, 3, 1)
	toward := func(own []float32, group ...[]float32) []float32 {
		mean := make([]float64, 2)
		for _, x := range group {
			for i := range mean {
				mean[i] += float64(x[i]) / norm(x)
			}
		}
		q := make([]float32, 2)
		for i := range q {
			q[i] = float32(0.5*float64(own[i]) + 0.5*norm(own)/norm(mean)*mean[i])
		}
		return q
	}
	row := func(v int) []float32 { return apart[2*v:][:2] }
	for v, want := range map[int][][]float32{
		0: {toward(row(0), row(1), row(2)), toward(row(0), row(3), row(4)), row(0)},
		1: {toward(row(1), row(0), row(2)), row(1), row(1)},
	} {
		for _, q := range want {
			found := false
			for s := range 3 {
				got := m.Q.Row(v)[2*s:][:2]
				found = found || math.Hypot(float64(got[0]-q[0]), float64(got[1]-q[1])) < 1e-6
			}
			if !found {
				t.Errorf("aspects of vertex %d are %v: want %v among them", v, m.Q.Row(v), q)
			}
		}
	}
	if !slices.Equal(m.P.X, apart) {
		t.Error("the centres moved")
	}
}

// Both ends of a link count it to the same aspect: in the triangles, the aspect of each vertex that has a group is that of vertex 0 there.
func TestAlignGroups(t *testing.T) {
	net := sharedVertex(t)
	o := quick(t, MethodAsp2vec).Complete()
	unit := eval.Embedding{N: 5, D: 2, Data: eval.UnitRows(eval.Embedding{N: 5, D: 2, Data: apart})}
	group := neighborGroups(net, unit, 2, o.Seed, 1)
	aspectOf := alignGroups(net, group, 2)
	shared := func(neighbor int) int32 { return aspectOf[0][group[0][neighbor-1]] }
	for v := 1; v < 5; v++ {
		if aspectOf[v][0] != shared(v) {
			t.Errorf("vertex %d counts its links to aspect %d, and vertex 0 the one to it to %d", v, aspectOf[v][0], shared(v))
		}
	}
	if shared(1) == shared(3) {
		t.Error("both triangles have the same aspect")
	}
}

// The start is the same for any number of threads, for directed networks what it is for the undirected one beneath, and finite where a
// vector is 0.
func TestStartByNeighborsIsPlain(t *testing.T) {
	net := karate()
	o := quick(t, MethodAsp2vec).Complete()
	u := NewTable("u", net.Vertices(), 2)
	u.InitNormal(o.Seed, 1)
	want := startOf(t, net, u.X, 3, 1).Q.X
	if got := startOf(t, net, u.X, 3, 4).Q.X; !slices.Equal(got, want) {
		t.Error("four threads begin elsewhere")
	}
	if got := startOf(t, directed(net), u.X, 3, 2).Q.X; !slices.Equal(got, want) {
		t.Error("directions matter")
	}
	clear(u.X[:8])
	for _, x := range startOf(t, net, u.X, 3, 1).Q.X {
		if math.IsNaN(float64(x)) {
			t.Fatal("a vector of length 0 makes aspects that are no numbers")
		}
	}
}

// Without a warm-up there are no vectors to group neighbours by.
func TestStartByNeighborsNeedsWarmUp(t *testing.T) {
	o := Default()
	o.AspectStart, o.WarmUp = StartNeighbors, false
	if err := o.Validate(); err == nil || !strings.Contains(err.Error(), "aspect-start = neighbors: want warm-up = true") {
		t.Errorf("error %v: want one that asks for a warm-up", err)
	}
}
