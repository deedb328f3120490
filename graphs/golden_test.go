package graphs

import (
	"math"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/walks"
)

func example(t *testing.T) *golden.Asp2vec {
	t.Helper()
	return call.Of(golden.Load())(t)
}

func exampleOptions(g *golden.Asp2vec, name string) Options {
	o := Default()
	o.Dim, o.Aspects, o.Tau, o.Lambda, o.Epsilon = g.D, g.K, g.Tau, g.Lambda, g.Epsilon
	o.Selection = map[string]string{"gumbel_hard": "hard", "softmax": "softmax", "none": "none"}[name]
	if o.Selection == "" {
		o.Selection = "gumbel"
	}
	if name == "gumbel_window" {
		o.Noise = NoiseWindow
	}
	return o
}

// exampleBatch returns the windows of the example as a batch of three context slots. Window w's number is w.
func exampleBatch(g *golden.Asp2vec) *walks.Batch {
	b := &walks.Batch{Slots: 3, Negatives: 2}
	pair := 0
	for w, win := range g.Windows {
		n := len(win.Context)
		b.Center = append(b.Center, win.Center)
		b.Count = append(b.Count, int32(n))
		b.First, b.Last = append(b.First, 0), append(b.Last, int32(n))
		b.ID = append(b.ID, uint64(w))
		var bag uint64
		seen := map[int32]bool{}
		for c := range b.Slots {
			v, neg := win.Center, []int32{0, 0}
			if c < n {
				v, neg = win.Context[c], g.Negatives[pair]
				if !seen[v] {
					bag |= 1 << c
				}
				seen[v] = true
				pair++
			}
			b.Context = append(b.Context, v)
			b.Negative = append(b.Negative, neg...)
		}
		b.Bag = append(b.Bag, bag)
	}
	b.Pairs = pair
	b.Index.Build(b, g.N)
	return b
}

// inputs64 binds the example's windows, with three context slots each, to float64 nodes.
func inputs64(graph *G.ExprGraph, g *golden.Asp2vec, o Options) engine.Inputs {
	const slots = 3
	b := exampleBatch(g)
	var center, context, negative []int
	var bag, weight []float64
	for w, c := range b.Center {
		center = append(center, int(c))
		for s := range slots {
			context = append(context, int(b.Context[w*slots+s]))
			share, each := 0.0, 0.0
			if b.Bag[w]>>s&1 == 1 {
				share = 1 / float64(b.BagSize(w))
			}
			if b.InBatch(w, s) {
				each = 1 / float64(b.Pairs)
			}
			bag, weight = append(bag, share), append(weight, each)
		}
	}
	for _, v := range b.Negative {
		negative = append(negative, int(v))
	}
	ints := func(name string, x []int) *G.Node { return engine.IntNode(graph, name, x, len(x)) }
	matrix := func(name string, x []float64, cols int) *G.Node {
		return table64(graph, name, x, len(x)/cols, cols)
	}
	in := engine.Inputs{
		Center: ints("center", center), Context: ints("context", context), Negative: ints("negative", negative),
		Bag:    matrix("bag", bag, slots),
		Weight: table64(graph, "weight", weight, len(weight)),
	}
	switch {
	case ShapeOf(o).Draws == 0:
	case o.Noise == NoiseWindow:
		in.Noise = matrix("noise", golden.Flat[float64](g.WindowNoise), g.K)
	default:
		noise := golden.Flat[float64](g.PairNoise)
		in.Noise = matrix("noise", append(noise, make([]float64, slots*len(center)*g.K-len(noise))...), g.K) // padded at the end
	}
	return in
}

func table64(graph *G.ExprGraph, name string, x []float64, shape ...int) *G.Node {
	value := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x))
	return G.NewTensor(graph, tensor.Float64, len(shape), G.WithName(name), G.WithShape(shape...), G.WithValue(value))
}

// The graph against values computed elsewhere, in float64; they are printed to nine digits.
func TestAsp2vecLossGolden(t *testing.T) {
	golden.StillPaper(t)
	g := example(t)
	for name, want := range g.Cases {
		t.Run(name, func(t *testing.T) {
			o := exampleOptions(g, name)
			graph := G.NewGraph()
			p := table64(graph, "P", golden.Flat[float64](g.P), g.N, g.D)
			q := table64(graph, "Q", golden.VertexMajor[float64](g.Q), g.N, g.K, g.D)
			loss := call.Of(Asp2vecLoss(o, p, q, inputs64(graph, g, o)))(t)
			if want.Total != want.Loss { // the regularizer is part of it
				loss = G.Must(G.Add(loss, G.Must(AspectPenalty(o, engine.AspectsAt(q, SampleStep), g.N))))
			}
			expect(t, loss, want.Total, [][]float64{golden.Flat[float64](want.GradP), golden.VertexMajor[float64](want.GradQ)}, p, q)
		})
	}
}

func TestDeepWalkLossGolden(t *testing.T) {
	golden.StillPaper(t)
	g := example(t)
	o := exampleOptions(g, "none")
	o.SetMethod(MethodOf(MethodDeepWalk))
	graph := G.NewGraph()
	p := table64(graph, "P", golden.Flat[float64](g.P), g.N, g.D)
	c := table64(graph, "C", golden.Flat[float64](g.Q[0]), g.N, 1, g.D)
	loss := call.Of(DeepWalkLoss(o, p, c, inputs64(graph, g, o)))(t)
	expect(t, loss, g.DeepWalk.Loss, [][]float64{golden.Flat[float64](g.DeepWalk.GradP), golden.Flat[float64](g.DeepWalk.GradC)}, p, c)
}

func expect(t *testing.T, loss *G.Node, want float64, grads [][]float64, params ...*G.Node) {
	t.Helper()
	got, found := run64(t, loss, params...)
	if math.Abs(got-want) > 1e-7 {
		t.Errorf("loss %v, expected %v", got, want)
	}
	for i, grad := range grads {
		for j, x := range found[i] {
			if math.Abs(x-grad[j]) > 1e-7 {
				t.Errorf("gradient by %v [%d] = %v, expected %v", params[i], j, x, grad[j])
			}
		}
	}
}

// Dense Adam against PyTorch's: two steps on different pairs, so that rows without a gradient move by their momentum.
func TestAdamGolden(t *testing.T) {
	golden.StillPaper(t)
	g := example(t)
	o := exampleOptions(g, "gumbel_pair")
	p, q := engine.NewTable("P", g.N, g.D), engine.NewTable("Q", g.N, g.K, g.D)
	copy(p.X, golden.Flat[float32](g.P))
	copy(q.X, golden.VertexMajor[float32](g.Q))
	adam := *NewAdam(g.Adam.Rate, 2)
	for n, step := range g.Adam.Steps {
		graph := G.NewGraph()
		pNode := table64(graph, "P", widen(p.X), g.N, g.D)
		qNode := table64(graph, "Q", widen(q.X), g.N, g.K, g.D)
		in := inputs64(graph, g, o)
		weight := in.Weight.Value().Data().([]float64)
		clear(weight)
		for _, pair := range step.Pairs {
			weight[pair] = 1 / float64(len(step.Pairs)) // pairs of the first window fill its slots
		}
		loss64 := G.Must(G.Add(G.Must(Asp2vecLoss(o, pNode, qNode, in)), G.Must(AspectPenalty(o, engine.AspectsAt(qNode, SampleStep), g.N))))
		loss, grads := run64(t, loss64, pNode, qNode)
		if math.Abs(loss-step.Loss) > 1e-6 {
			t.Errorf("step %d: loss %v, expected %v", n+1, loss, step.Loss)
		}
		adam.Begin(1)
		for i, table := range []*engine.Table{p, q} {
			grad := grads[i]
			adam.Move(engine.RowWork{Table: table, Gradient: func(dst []float32, v int) float64 {
				for j := range dst {
					dst[j] = float32(grad[v*len(dst)+j])
				}
				return 0
			}})
		}
		for i, want := range map[*engine.Table][]float64{p: golden.Flat[float64](step.PAfter), q: golden.VertexMajor[float64](step.QAfter)} {
			for j, x := range i.X {
				if math.Abs(float64(x)-want[j]) > 2e-6 {
					t.Errorf("step %d: %s[%d] = %v, expected %v", n+1, i.Name, j, x, want[j])
				}
			}
		}
	}
}

// run64 returns a loss and its gradients in float64, by Gorgonia's machine.
func run64(t *testing.T, loss *G.Node, params ...*G.Node) (value float64, grads [][]float64) {
	t.Helper()
	nodes := call.Of(G.Grad(loss, params...))(t)
	vm := G.NewTapeMachine(loss.Graph())
	defer vm.Close()
	call.OK(t, vm.RunAll())
	for _, n := range nodes {
		grads = append(grads, n.Value().Data().([]float64))
	}
	return loss.Value().Data().(float64), grads
}

func widen(x []float32) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

func TestFinalGolden(t *testing.T) {
	g := example(t)
	m := call.Of(NewSkipGram(exampleOptions(g, "gumbel_pair"), g.N, 1))(t)
	copy(m.P.X, golden.Flat[float32](g.P))
	copy(m.Q.X, golden.VertexMajor[float32](g.Q))
	u := m.Embedding().Final
	for i, want := range golden.Flat[float64](g.Final.CodeHalf) {
		if math.Abs(float64(u[i])-want) > 1e-6 {
			t.Errorf("U[%d] = %v, expected %v", i, u[i], want)
		}
	}
}
