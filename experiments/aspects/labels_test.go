package aspects

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/network"
)

// star is a vertex 0 with six neighbours, of which 1 to 3 share its label 0 and 4 to 6 its label 1, and 7, with which it shares both.
func star(t *testing.T) (*network.Network, [][]int32) {
	t.Helper()
	var links []network.Link
	for v := range int32(7) {
		links = append(links, network.Link{From: 0, To: v + 1})
	}
	net, err := network.New(strings.Split("01234567", ""), links, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return net, [][]int32{{0, 1}, {0}, {0, 5}, {0}, {1}, {1, 6}, {1}, {1, 0}}
}

// twoWays are vectors in which the neighbours with label 0 lie one way and those with label 1 another, and so do two aspects of each vertex.
func twoWays(center bool) Vectors {
	e := eval.Embedding{N: 8, D: 2, Data: []float32{1, 1, 2, 0, 1, 0.1, 3, 0, 0, 1, 0.2, 4, 0, 3, 1, 1}}
	s := eval.MultiEmbedding{First: []int32{0}, D: 2}
	for v := range int32(8) {
		s.First = append(s.First, 2*v+2)
		s.Data = append(s.Data, 0, e.Data[2*v+1], e.Data[2*v], 0)
	}
	x := Vectors{Final: e, Aspects: s}
	if center {
		x.Center = &e
	}
	return x
}

// Aspects that tell the links of a vertex apart, and groups of its neighbours, match their labels, whatever the vectors that aspects are compared
// with; and aspects that do not, do not.
func TestMatchLabels(t *testing.T) {
	net, labels := star(t)
	apart := func(name string, x Vectors) {
		m, err := MatchLabels(context.Background(), x, net, labels, 2, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if m.Links != 12 || m.Groups.Count != 1 || math.Abs(m.Groups.NMI-1) > 1e-9 || math.Abs(m.Groups.Adjusted()-1) > 1e-9 {
			t.Errorf("%s: %+v: want twelve ends of links, one vertex, and groups that are the labels", name, m)
		}
		if x.Aspects.First == nil {
			if m.Aspects != nil {
				t.Errorf("%s: aspects %+v: want none", name, *m.Aspects)
			}
		} else if math.Abs(m.Aspects.NMI-1) > 1e-9 || m.Aspects.Chance > 0.7 {
			t.Errorf("%s: aspects %+v: want those of the labels", name, *m.Aspects)
		}
	}
	apart("centres", twoWays(true))
	apart("personas", twoWays(false))
	facets := twoWays(false)
	facets.Numbers = true
	apart("facets", facets)
	apart("one vector", Vectors{Final: twoWays(false).Final})

	x := twoWays(true)
	copy(x.Aspects.Data[:4], []float32{1, 1, 0, 0}) // the first is nearer to all
	m, err := MatchLabels(context.Background(), x, net, labels, 2, 1, 1)
	if err != nil || m.Aspects.NMI != 0 || math.Abs(m.Aspects.Adjusted()) > 1e-9 {
		t.Errorf("aspects %+v (%v): want none that tell anything", m.Aspects, err)
	}
}

func TestMatchLabelsRefuses(t *testing.T) {
	net, labels := star(t)
	one := make([][]int32, len(labels))
	for v := range one {
		one[v] = []int32{3}
	}
	if _, err := MatchLabels(context.Background(), twoWays(true), net, one, 2, 1, 1); err == nil || !strings.Contains(err.Error(), "no vertex has links of several labels") {
		t.Errorf("one label: error %v", err)
	}
	x := twoWays(true)
	x.Final.Data[3] = float32(math.NaN())
	if _, err := MatchLabels(context.Background(), x, net, labels, 2, 1, 1); err == nil || !strings.Contains(err.Error(), "finite") {
		t.Errorf("NaN: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := MatchLabels(ctx, twoWays(true), net, labels, 2, 1, 1); err == nil {
		t.Error("a context that has ended: no error")
	}
}
