package graphs

import (
	"context"
	"math"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
)

// tried registers entries for a test.
func tried(t *testing.T, pairs map[string]func(s losses.State) (*G.Node, error), regularizers map[string]func(s losses.State) (*G.Node, error)) {
	t.Helper()
	for name, f := range pairs {
		add(t, losses.Pairs, name, losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) { return f(s) }})
	}
	for name, f := range regularizers {
		add(t, losses.Regularizers, name, losses.Regularizer{Batch: func(s losses.State, _ losses.Values) (*G.Node, error) { return f(s) }})
	}
}

// sample is what the loss of some options is tried on: 112 windows, more than a block.
func sample(t *testing.T, o Options) (loss func(o Options, f engine.Facts) (loss float64, byP, byQ []float32)) {
	t.Helper()
	b := call.Of(sampleBatch(o, sampleVertices))(t)
	return func(o Options, f engine.Facts) (float64, []float32, []float32) {
		p, q := sampleTables(o, 0.5)
		return blockLoss(t, o, b, p, q, nil, f, 2, 7)
	}
}

func optionsOf(method string, given values) Options {
	o := Default()
	o.SetMethod(MethodOf(method))
	o.Negatives = 3
	o.setAll(given)
	return o.Complete()
}

// facts are degrees that a function says.
func factsBy(degree func(v int) float32) engine.Facts {
	f := sampleFacts()
	for v := range f.Degree {
		f.Degree[v] = degree(v)
	}
	return f
}

// Weights of vertices that are all 1 give the plain loss, bit for bit, and weights of 2 twice that.
func TestWeightsOfVertices(t *testing.T) {
	tried(t, map[string]func(s losses.State) (*G.Node, error){
		"weighted": func(s losses.State) (*G.Node, error) {
			return op.ScaleRows(G.Must(losses.SkipGram(s.Pos, s.Neg)), s.Context.Degree)
		},
	}, nil)
	for _, method := range []string{MethodAsp2vec, MethodDeepWalk} {
		plain := optionsOf(method, values{"lambda": 0})
		loss := sample(t, plain)
		weighted := plain
		weighted.PairLoss = "weighted"
		l, p, q := loss(plain, sampleFacts())
		for _, weight := range []float32{1, 2} {
			wl, wp, wq := loss(weighted, factsBy(func(int) float32 { return weight }))
			times := func(x, of float32) bool { return x == weight*of }
			if wl != float64(weight)*l || !slices.EqualFunc(wp, p, times) || !slices.EqualFunc(wq, q, times) {
				t.Errorf("%s: with weights of %v the loss is %v, of %v without, or gradients differ", method, weight, wl, l)
			}
		}
		if wl, _, _ := loss(weighted, factsBy(func(v int) float32 { return float32(v % 2) })); wl >= l || wl <= 0 {
			t.Errorf("%s: without half of the vertices the loss is %v, with them %v", method, wl, l)
		}
	}
}

// What is known of the centre, the context and the negatives is of these vertices: without their terms, just those rows get no gradient.
func TestFactsAreOfTheirVertices(t *testing.T) {
	of := func(n *G.Node, degree *G.Node) *G.Node {
		return G.Must(op.ScaleRows(n, G.Must(op.Reshape(degree, n.Shape()[0]))))
	}
	rest := func(s losses.State) *G.Node { return G.Must(op.Scale(s.Pos, 0)) } // so that the loss depends on all
	tried(t, map[string]func(s losses.State) (*G.Node, error){
		"of-center":  func(s losses.State) (*G.Node, error) { return of(s.Pos, s.Center.Degree), nil },
		"of-context": func(s losses.State) (*G.Node, error) { return of(s.Pos, s.Context.Degree), nil },
		"of-negative": func(s losses.State) (*G.Node, error) {
			n := s.Neg.Shape()
			each := of(G.Must(op.Reshape(s.Neg, n[0]*n[1], n[2])), s.Negative.Degree)
			return G.Add(rest(s), G.Must(op.SumAxis1(G.Must(op.Reshape(each, n...)))))
		},
	}, nil)
	o := optionsOf(MethodDeepWalk, nil)
	loss := sample(t, o)
	for name, byQ := range map[string]bool{"of-center": false, "of-context": true, "of-negative": true} {
		o.PairLoss = name
		_, p, q := loss(o, factsBy(func(v int) float32 { return float32(v % 3) }))
		x := p
		if byQ {
			x = q
		}
		width := len(x) / sampleVertices
		for v := range sampleVertices {
			row := x[v*width:][:width]
			if moves := slices.ContainsFunc(row, func(g float32) bool { return g != 0 }); moves != (v%3 != 0) {
				t.Errorf("%s: vertex %d of degree %d has a gradient: %v", name, v, v%3, moves)
			}
		}
	}
}

// Offsets are steps of the walk: a loss of those of one step is that of a window of 1, where windows are as many.
func TestOffsets(t *testing.T) {
	tried(t, map[string]func(s losses.State) (*G.Node, error){
		"beside": func(s losses.State) (*G.Node, error) {
			near := G.Must(op.Positive(G.Must(op.Shift(G.Must(G.Neg(G.Must(G.Abs(s.Offset)))), 1.5))))
			return op.ScaleRows(G.Must(op.Softplus(G.Must(G.Neg(s.Pos)))), near)
		},
		"observed": func(s losses.State) (*G.Node, error) { return op.Softplus(G.Must(G.Neg(s.Pos))) },
	}, nil)
	sum := func(window int, pairLoss string) float64 {
		o := optionsOf(MethodDeepWalk, values{"window": window, "pair-loss": pairLoss})
		b := call.Of(sampleBatch(o, sampleVertices))(t)
		p, q := sampleTables(o, 0.5)
		l, _, _ := blockLoss(t, o, b, p, q, nil, sampleFacts(), 1, 7)
		return l * float64(b.Pairs)
	}
	if near, one := sum(2, "beside"), sum(1, "observed"); math.Abs(near-one) > 1e-4*one {
		t.Errorf("contexts beside the centre cost %v in windows of 2, and %v in windows of 1", near, one)
	}
}

// The variance of how much of a batch each aspect has is that of the whole batch: 0 where there is no selection, and else the same for any block.
func TestVarianceOfUsage(t *testing.T) {
	tried(t, nil, map[string]func(s losses.State) (*G.Node, error){
		"variance": func(s losses.State) (*G.Node, error) {
			b, k := s.Prob.Shape()[0], s.Prob.Shape()[1]
			usage := G.Must(op.SumAxis1(G.Must(op.Reshape(G.Must(op.ScaleRows(s.Prob, s.Weight)), 1, b, k))))
			return op.Scale(G.Must(op.Total(G.Must(G.Square(G.Must(op.Shift(usage, -1/float64(k))))))), 1/float64(k))
		},
	})
	for _, selection := range []string{"none", "softmax", "gumbel"} {
		o := optionsOf(MethodAsp2vec, values{"regularizer": "variance", "selection": selection, "lambda": 1})
		b := call.Of(sampleBatch(o, sampleVertices))(t)
		p, q := sampleTables(o, 0.5)
		var penalties []float64
		for _, block := range []int{1, 7, 64} {
			terms := call.Of(engine.NewTerms(ModelOf(o, engine.Model{P: p, Q: q, Threads: 2, Block: block})))(t)
			l := call.Of(terms.Forward(context.Background(), b))(t)
			penalties = append(penalties, l.Penalty)
		}
		if penalties[0] != penalties[1] || penalties[0] != penalties[2] {
			t.Errorf("%s: by blocks of 1, 7 and 64 windows the penalty is %v", selection, penalties)
		}
		if selection == "none" && !(penalties[0] < 1e-12) || selection != "none" && !(penalties[0] > 1e-6) {
			t.Errorf("%s: the variance is %v", selection, penalties[0])
		}
		loss, byP, byQ := wholeLoss(t, o, b, p, q, nil, sampleFacts())
		l, gp, gq := blockLoss(t, o, b, p, q, nil, sampleFacts(), 2, 7)
		if math.Abs(l-loss) > 1e-5*loss {
			t.Errorf("%s: loss %v, the graph's %v", selection, l, loss)
		}
		near(t, "P", gp, byP, 1e-4)
		near(t, "Q", gq, byQ, 1e-4)
	}
}

// A penalty of batches reads what is known of vertices, also where the loss of pairs does not.
func TestPenaltyReadsFacts(t *testing.T) {
	tried(t, nil, map[string]func(s losses.State) (*G.Node, error){
		"by-degree": func(s losses.State) (*G.Node, error) {
			return op.WeightedTotal(G.Must(op.Entropy(s.Prob)), G.Must(G.HadamardProd(s.Weight, s.Center.Degree)))
		},
	})
	o := optionsOf(MethodAsp2vec, values{"regularizer": "by-degree", "selection": "softmax", "lambda": 1})
	plain, none := o, o
	plain.Regularizer, none.Lambda = "entropy", 0
	loss := sample(t, o)
	ones, twos := factsBy(func(int) float32 { return 1 }), factsBy(func(int) float32 { return 2 })
	l, p, q := loss(o, ones)
	if pl, pp, pq := loss(plain, ones); l != pl || !slices.Equal(p, pp) || !slices.Equal(q, pq) {
		t.Errorf("with degrees of 1 the loss is %v, that with the plain entropy %v, or gradients differ", l, pl)
	}
	pairs, _, _ := loss(none, ones)
	if double, _, _ := loss(o, twos); math.Abs(double-pairs-2*(l-pairs)) > 1e-5*l {
		t.Errorf("with degrees of 2 the penalty is %v, with 1 it is %v", double-pairs, l-pairs)
	}
}

// A readout whose weights are all those of the mean is the mean, bit for bit.
func TestReadoutOfEqualWeights(t *testing.T) {
	add(t, layers.Readouts, "equal", layers.Readout{Read: func(c layers.Contexts, _ layers.Values) (*G.Node, error) {
		same := G.Must(G.Exp(G.Must(op.Scale(c.Offset, 0))))
		return op.BagMean(c.Rows, G.Must(G.HadamardProd(c.Weight, same)))
	}})
	o := optionsOf(MethodAsp2vec, nil)
	loss := sample(t, o)
	l, p, q := loss(o, sampleFacts())
	o.Readout = "equal"
	if el, ep, eq := loss(o, sampleFacts()); el != l || !slices.Equal(ep, p) || !slices.Equal(eq, q) {
		t.Errorf("loss %v, that of the mean %v, or gradients differ", el, l)
	}
}

// A loss that reads what is not known of vertices is refused, not trained with zeros.
func TestUnknownFacts(t *testing.T) {
	tried(t, map[string]func(s losses.State) (*G.Node, error){
		"typed": func(s losses.State) (*G.Node, error) { return op.ScaleRows(s.Pos, s.Context.Type) },
	}, nil)
	o := optionsOf(MethodDeepWalk, values{"pair-loss": "typed"})
	b := call.Of(sampleBatch(o, sampleVertices))(t)
	p, q := sampleTables(o, 0.5)
	terms := call.Of(engine.NewTerms(ModelOf(o, engine.Model{P: p, Q: q})))(t)
	call.Refused(t, "degrees or types")(terms.Forward(context.Background(), b))
}
