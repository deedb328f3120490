package graphs

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// The loss of Splitter is as its definition has it.
func TestSplitterLoss(t *testing.T) {
	golden.StillPaper(t)
	o := quick(t, MethodSplitter).Complete()
	o.Lambda = 0.3
	p, q := sampleTables(o, 0.5)
	b := call.Of(sampleBatch(o, sampleVertices))(t)
	tie := sampleAnchor(o)
	if tie.Lambda != 0.3 {
		t.Fatalf("tied with weight %v, expected 0.3", tie.Lambda)
	}
	want := splitterLoss(b, p, q, tie)
	if got, _, _ := blockLoss(t, o, b, p, q, tie, engine.Facts{}, 2, 3); math.Abs(got-want) > 1e-5*want {
		t.Errorf("loss %v: expected %v", got, want)
	}
}

// splitterLoss is the loss of Splitter by loops over pairs in float64 as its definition has it: from tables and a batch, without
// any of the code that the graph is made of.
func splitterLoss(b *walks.Batch, p, q *engine.Table, tie *engine.Anchor) (loss float64) {
	softplus := func(x float64) float64 { return math.Log1p(math.Exp(x)) }
	owner := func(v int32) []float32 { return tie.Base.Row(int(tie.Owner[v])) }
	for w, center := range b.Center {
		x := p.Row(int(center))
		for c := int(b.First[w]); c < int(b.Last[w]); c++ {
			loss += softplus(-dot(x, q.Row(int(b.Context[w*b.Slots+c]))))
			for m := range b.Negatives {
				loss += softplus(dot(x, q.Row(int(b.Negative[(w*b.Slots+c)*b.Negatives+m]))))
			}
			loss += tie.Lambda * softplus(-dot(x, owner(center)))
			for m := range b.Negatives { // those of the window's first pair
				negative := b.Negative[(w*b.Slots+int(b.First[w]))*b.Negatives+m]
				loss += tie.Lambda * softplus(dot(x, owner(negative)))
			}
		}
	}
	return loss / float64(b.Pairs)
}

// The weight of the constraint under the standard protocol is that of the published code: .2 constraints a token at .1 of the
// learning rate, beside the pairs of a token, counted here window by window. The other protocols keep the paper's.
func TestSplitterStandard(t *testing.T) {
	o := defaults(MethodSplitter, Validated)
	if paper := defaults(MethodSplitter, Paper); o.Lambda != 0.1 || paper.Lambda != 0.1 || !o.Shrink {
		t.Fatalf("lambda %v and %v, shrinking windows %v: expected .1 twice, and windows that shrink", o.Lambda, paper.Lambda, o.Shrink)
	}
	pairs := 0.0 // of a walk, in the mean over reaches
	for reach := 1; reach <= o.Window; reach++ {
		for at := range o.Length {
			for other := range o.Length {
				if d := max(at-other, other-at); d > 0 && d <= reach {
					pairs += 1 / float64(o.Window)
				}
			}
		}
	}
	with := defaults(MethodSplitter, Standard)
	if want := .2 * .1 / (pairs / float64(o.Length)); math.Abs(with.Lambda/want-1) > 0.01 {
		t.Errorf("lambda %v, expected %v for %v pairs a token", with.Lambda, want, pairs/float64(o.Length))
	}
}

// A persona begins as DeepWalk's vector of its vertex; two triangles that share a vertex give that vertex two.
func TestSplitterStartsFromDeepWalk(t *testing.T) {
	const vertices = 5
	net := newNetwork(t, vertices, false, twoTriangles...)
	o := quick(t, MethodSplitter).Complete()
	stages := call.Of(splitterStages(context.Background(), Input{Network: net}, o, 1))(t)
	base, main := stages[0].Learner.(*skipGramLearner), stages[1].Learner.(*several)
	call.OK(t, base.Epoch(context.Background(), 1, func(int64, engine.Loss) {}))
	stages[1].Follow()
	e := embeddingOf(t, main)
	if got, want := e.First, []int32{0, 1, 2, 4, 5, 6}; !slices.Equal(got, want) {
		t.Fatalf("personas from %v, expected %v", got, want)
	}
	for v := range vertices {
		for r := e.First[v]; r < e.First[v+1]; r++ {
			if !slices.Equal(e.Vectors[int(r)*o.Dim:][:o.Dim], base.P.Row(v)) {
				t.Errorf("persona %d does not begin as vertex %d", r, v)
			}
		}
		for i, x := range e.Final[v*o.Dim:][:o.Dim] {
			if math.Abs(float64(x-base.P.Row(v)[i])) > 1e-6 {
				t.Errorf("the mean of equal vectors is %v, expected %v", x, base.P.Row(v)[i])
			}
		}
	}
}

// A batch of SGD holds no more pairs than a hub bears.
func TestStaleBatch(t *testing.T) {
	for _, c := range []struct {
		counts    []int64
		noise     []float64
		negatives int
		want      int
	}{
		{[]int64{1, 1, 1, 1}, nil, 3, maxStale},                       // a quarter as context, three quarters as negative
		{[]int64{9, 1}, []float64{3, 1}, 2, maxStale * 10 / (9 + 15)}, // .9 and 2 times .75
		{[]int64{0, 0}, nil, 1, 1}, {nil, nil, 1, 1},
	} {
		if got := staleBatch(c.counts, c.noise, c.negatives); got != c.want {
			t.Errorf("counts %v: %d pairs, expected %d", c.counts, got, c.want)
		}
	}
}

// Regular networks have no hub to shrink a batch, and every vertex comes up in it again and again: training must not diverge
// there either.
func TestWord2vecMethodsAreStable(t *testing.T) {
	for name, links := range map[string][]network.Link{
		"triangle": clique(3), "clique": clique(12), "ring": cycle(40), "star": star(100), "pairs": pairsOf(50),
	} {
		vertices := 0
		for _, l := range links {
			vertices = max(vertices, int(l.From)+1, int(l.To)+1)
		}
		net := newNetwork(t, vertices, false, links...)
		for _, method := range []string{MethodSplitter, MethodPolyDW} {
			o := defaults(method, Validated)
			o.Aspects, o.Walks, o.Epochs, o.WarmUpEpochs = 2, 20, 2, 2
			Edit(&o, func(p *FacetOptions) { p.Copies = 1 })
			r, err := Train(context.Background(), Input{Network: net}, o, 2, Monitor{})
			if err != nil {
				t.Errorf("%s, %s: %v", name, method, err)
				continue
			}
			untrained := float64(1+o.Negatives) * math.Ln2
			for _, s := range r.Stages {
				if last := s.Epochs[len(s.Epochs)-1].Loss; last.Pairs+last.Penalty > 2*untrained {
					t.Errorf("%s, %s, %s: loss %+v, expected about %v at most", name, method, s.Name, last, untrained)
				}
			}
		}
	}
}

func clique(n int32) (links []network.Link) {
	for v := range n {
		for u := range v {
			links = append(links, network.Link{From: u, To: v})
		}
	}
	return links
}

func cycle(n int32) (links []network.Link) {
	for v := range n {
		links = append(links, network.Link{From: v, To: (v + 1) % n})
	}
	return links
}

func star(n int32) (links []network.Link) {
	for v := range n {
		links = append(links, network.Link{From: 0, To: v + 1})
	}
	return links
}

func pairsOf(n int32) (links []network.Link) {
	for v := range n {
		links = append(links, network.Link{From: 2 * v, To: 2*v + 1})
	}
	return links
}
