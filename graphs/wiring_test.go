package graphs

import (
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/symnmf"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// stages returns what a method makes of a network and options, as Train asks for it.
func stages(t *testing.T, net *network.Network, o Options) []Stage {
	t.Helper()
	m := o.Method
	list, err := m.Stages(context.Background(), Input{Network: net}, o.Complete(), 2)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// skipGramOf returns the skip-gram that a learner is, or has the vectors of a vertex from.
func skipGramOf(l Learner) *skipGramLearner {
	switch l := l.(type) {
	case *facets:
		return l.skipGramLearner
	case *personas:
		return l.skipGramLearner
	}
	return l.(*skipGramLearner)
}

// walked is what the stream of a stage is to be made of: walks, and how often each vertex is noise, for a power to be taken of.
type walked struct {
	src    walks.Source
	counts []int64
}

// source returns a corpus with the number of each vertex or token in it.
func source(t *testing.T, src walks.Source, vertices int) walked {
	t.Helper()
	counts, err := walks.Frequencies(context.Background(), src, vertices, 1)
	if err != nil {
		t.Fatal(err)
	}
	return walked{src, counts}
}

// byDegree returns uniform walks with the degree of each vertex.
func byDegree(t *testing.T, net *network.Network, o Options) walked {
	t.Helper()
	w := walked{counts: make([]int64, net.Vertices())}
	for v := range w.counts {
		w.counts[v] = int64(net.Degree(int32(v)))
	}
	w.src = uniformOf(t, net, o)
	return w
}

func uniformOf(t *testing.T, net *network.Network, o Options) walks.Source {
	t.Helper()
	src, err := walks.NewUniform(net, walks.Options{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// publishedWalks are, for each method on walks, what its publication has it walk, stage by stage.
var publishedWalks = map[string]func(t *testing.T, net *network.Network, o Options) []walked{
	MethodDeepWalk: func(t *testing.T, net *network.Network, o Options) []walked {
		return []walked{source(t, uniformOf(t, net, o), net.Vertices())}
	},
	MethodNode2vec: func(t *testing.T, net *network.Network, o Options) []walked {
		src, err := walks.NewNode2Vec(net, walks.Options{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed}, Own[Node2vecOptions](o).P, Own[Node2vecOptions](o).Q)
		if err != nil {
			t.Fatal(err)
		}
		return []walked{source(t, src, net.Vertices())}
	},
	MethodPolyDW: func(t *testing.T, net *network.Network, o Options) []walked {
		net = net.Simple()
		f, err := symnmf.Factor(context.Background(), net, symnmf.Options{Facets: o.Aspects, Seed: o.Seed}, 1)
		if err != nil {
			t.Fatal(err)
		}
		src, err := walks.NewFacets(uniformOf(t, net, o), f.Prior(), o.Aspects, Own[FacetOptions](o).Copies, o.Seed)
		if err != nil {
			t.Fatal(err)
		}
		return []walked{source(t, src, net.Vertices()*o.Aspects)}
	},
	MethodSplitter: func(t *testing.T, net *network.Network, o Options) []walked {
		net = net.Simple()
		split, err := net.Personas(context.Background(), Own[PersonaOptions](o).Clustering, 1)
		if err != nil {
			t.Fatal(err)
		}
		return []walked{byDegree(t, net, o), byDegree(t, split.Network, o)}
	},
	MethodAsp2vec: func(t *testing.T, net *network.Network, o Options) []walked {
		same := source(t, uniformOf(t, net, o), net.Vertices())
		return []walked{same, same}
	},
}

// Every stage trains on the batches of its method's walks, made by the options: the walks, their windows and their noise are
// the same as those of a stream that is made here. Its epochs are as many as were asked for, and so is the rate of its steps.
func TestStagesTrainOnTheirWalks(t *testing.T) {
	directed, err := network.New(karate().Names(), append(karate().List(), network.Link{From: 33, To: 0}, network.Link{From: 20, To: 3}), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Methods() {
		if !m.Reads("walks") {
			continue
		}
		o := quick(t, m.Name)
		o.Walks, o.Length, o.Window, o.Negatives, o.Batch, o.Seed = 2, 9, 2, 3, 70, 7
		o.Aspects, o.Epochs, o.WarmUpEpochs = 3, 6, 4
		Edit(&o, func(p *Node2vecOptions) { p.P, p.Q = 0.25, 4 })
		Edit(&o, func(p *FacetOptions) { p.Copies = 2 })
		o.Engine, o.LearningRate = EngineFused, 0.04
		weighted, grouped, components := o, o, o
		weighted.Optimizer, weighted.FinalRate, grouped.Optimizer, grouped.FinalRate = OptimizerSGD, 0.02, OptimizerLazyAdam, 0
		weighted.Shrink, weighted.NoisePower, weighted.Resample, weighted.Order = true, 0.6, true, walks.Shuffled
		grouped.Shrink, grouped.NoisePower, grouped.Resample, grouped.Order = false, 0, false, walks.Grouped
		Edit(&components, func(p *PersonaOptions) { p.Clustering = network.ClusteringComponents })
		for variant, o := range map[string]Options{"weighted": weighted, "grouped": grouped, "components": components} {
			for _, net := range []*network.Network{karate(), directed} {
				t.Run(fmt.Sprintf("%s/%s/directed=%v", m.Name, variant, net.Directed()), func(t *testing.T) {
					publish, ok := publishedWalks[m.Name]
					if !ok {
						t.Fatal("no walks to compare with: add them to publishedWalks")
					}
					want, got := publish(t, net, o), stages(t, net, o)
					if len(got) != len(want) {
						t.Fatalf("%d stages, want %d", len(got), len(want))
					}
					for i, stage := range got {
						epochs := o.Epochs
						if i < len(got)-1 {
							epochs = o.WarmUpEpochs
						}
						learner := skipGramOf(stage.Learner)
						if stage.Epochs != epochs || learner.epochs != epochs {
							t.Errorf("%s: %d epochs, and a rate that falls over %d: want %d", stage.Name, stage.Epochs, learner.epochs, epochs)
						}
						sameRate(t, stage.Name, learner, o)
						sameBatches(t, stage.Name, learner.corpus.Stream, want[i].stream(t, o))
					}
				})
			}
		}
	}
}

// stream returns the batches of walks as the options have them.
func (w walked) stream(t *testing.T, o Options) *walks.Stream {
	t.Helper()
	so := walks.StreamOptions{
		Window: o.Window, Negatives: o.Negatives, Batch: o.Batch, Order: o.Order, Resample: o.Resample, Seed: o.Seed, Shrink: o.Shrink,
	}
	if o.NoisePower > 0 {
		so.Noise = walks.NoiseWeights(w.counts, o.NoisePower)
	}
	s, err := walks.NewStream(context.Background(), w.src, len(w.counts), so)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameBatches compares two passes of streams, for what is drawn anew in each and what is not.
func sameBatches(t *testing.T, stage string, got, want *walks.Stream) {
	t.Helper()
	for pass := range uint64(2) {
		next, stop := iter.Pull(want.Pass(context.Background(), pass))
		defer stop()
		n := 0
		for b := range got.Pass(context.Background(), pass) {
			w, more := next()
			if !more {
				t.Fatalf("%s, pass %d: more than the %d batches of its walks", stage, pass, n)
			}
			x, y := *b, *w
			x.Index, y.Index = walks.Index{}, walks.Index{} // follows from the rest
			if !reflect.DeepEqual(x, y) {
				t.Fatalf("%s, pass %d, batch %d: centres %v, contexts %v: want %v, %v, or other negatives",
					stage, pass, n, head(x.Center), head(x.Context), head(y.Center), head(y.Context))
			}
			n++
		}
		if _, more := next(); more || n < 2 {
			t.Fatalf("%s, pass %d: %d batches: want those of its walks, two or more", stage, pass, n)
		}
	}
}

// sameRate checks the optimizer, and the rate that it begins, goes on and ends with.
func sameRate(t *testing.T, stage string, l *skipGramLearner, o Options) {
	t.Helper()
	last := o.FinalRate
	if last == 0 {
		last = o.LearningRate
	}
	got := []float64{l.move.rate}
	for _, fraction := range []float64{0, 0.5, 1} {
		l.setRate(fraction)
		got = append(got, l.move.rate)
	}
	for i, want := range []float64{o.LearningRate, o.LearningRate, (o.LearningRate + last) / 2, last} {
		if l.move.kind != o.Optimizer || math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("%s: %s with rates %v, want %s from %v to %v", stage, l.move.kind, got, o.Optimizer, o.LearningRate, last)
		}
	}
}

// head returns the first few of a list.
func head(x []int32) []int32 { return x[:min(len(x), 8)] }

// Whatever a stage draws its parameters from, the seed is what it is drawn by: no table of numbers is the same for two seeds.
func TestSeedOfParameters(t *testing.T) {
	for _, m := range Methods() {
		o := quick(t, m.Name)
		o.Engine = EngineFused
		var lists [3][]Stage
		for i, seed := range []uint64{7, 7, 8} {
			o.Seed = seed
			lists[i] = stages(t, karate(), o)
		}
		for i, stage := range lists[0] {
			drawn := 0
			for j, table := range stage.Learner.Parameters() {
				again, other := lists[1][i].Learner.Parameters()[j], lists[2][i].Learner.Parameters()[j]
				if !slices.Equal(table.X, again.X) {
					t.Errorf("%s, %s: the same seed draws another table %s", m.Name, stage.Name, table.Name)
				}
				if slices.Min(table.X) == slices.Max(table.X) {
					continue // begins as one number, mostly zero
				}
				drawn++
				if slices.Equal(table.X, other.X) {
					t.Errorf("%s, %s: another seed draws the same table %s", m.Name, stage.Name, table.Name)
				}
			}
			if drawn == 0 {
				t.Errorf("%s, %s: no table is drawn", m.Name, stage.Name)
			}
		}
	}
}

// So are the noise of the selection, by either engine, and that of the aspects after the warm-up.
func TestSeedOfNoise(t *testing.T) {
	o := quick(t, MethodAsp2vec).Complete()
	o.Engine, o.AspectNoise = EngineFused, 0.1
	p, q := sampleTables(o, 0.5)
	b, err := sampleBatch(o, sampleVertices)
	if err != nil {
		t.Fatal(err)
	}
	var fused, graph [2]float64
	var aspects [2][]float32
	for i := range 2 {
		o.Seed = uint64(7 + i)
		fast, err := newFusedPairs(o, p, q, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := newComposedPairs(o, p, q, nil, 1, b.Windows())
		if err != nil {
			t.Fatal(err)
		}
		if fused[i], err = fast.Forward(b); err != nil {
			t.Fatal(err)
		}
		if graph[i], err = slow.Forward(b); err != nil {
			t.Fatal(err)
		}
		stages := stages(t, karate(), o)
		for _, table := range stages[0].Learner.Parameters() {
			clear(table.X) // the warm-up's vectors, from which the aspects begin
		}
		stages[1].Follow()
		aspects[i] = skipGramOf(stages[1].Learner).Q.X
	}
	if fused[0] == fused[1] || graph[0] == graph[1] {
		t.Errorf("another seed gives the same loss under noise: fused %v, graph %v", fused, graph)
	}
	if slices.Equal(aspects[0], aspects[1]) {
		t.Error("another seed draws the same noise of aspects")
	}
}

// The facets of PolyDW are those of the factorisation, as many as aspects, and their shares go with the vectors.
func TestPolyDWFacets(t *testing.T) {
	for k, tolerance := range map[int]float64{2: 1e-4, 3: 1e-2} {
		o := quick(t, MethodPolyDW)
		o.Aspects, o.Seed = k, 5
		Edit(&o, func(p *FacetOptions) { p.Tolerance = tolerance })
		f, err := symnmf.Factor(context.Background(), karate(), symnmf.Options{Facets: k, Tolerance: tolerance, Seed: 5}, 1)
		if err != nil {
			t.Fatal(err)
		}
		prior := f.Prior()
		if slices.Min(prior) > 0.1 {
			t.Fatalf("the smallest share is %v: shares so even tell nothing", slices.Min(prior))
		}
		e := embeddingOf(t, stages(t, karate(), o)[0].Learner)
		if !slices.Equal(e.Share, prior) || !slices.Equal(e.First, each(34, k)) || len(e.Vectors) != 34*k*o.Dim {
			t.Errorf("%d facets: %d numbers from %v with shares %v: want shares %v", k, len(e.Vectors), e.First, e.Share, prior)
		}
	}
}

// The personas of Splitter are those of the clustering asked for, and they are tied to the context vectors that DeepWalk comes
// to, with the weight asked for.
func TestSplitterIsTiedAsAsked(t *testing.T) {
	counts := map[int]bool{} // of personas
	for _, clustering := range network.Clusterings() {
		split, err := karate().Personas(context.Background(), clustering, 1)
		if err != nil {
			t.Fatal(err)
		}
		counts[len(split.Owner)] = true
		for _, lambda := range []float64{0, 0.1, 0.7} {
			o := quick(t, MethodSplitter)
			o.Lambda, o.Engine = lambda, EngineFused
			Edit(&o, func(p *PersonaOptions) { p.Clustering = clustering })
			stages := stages(t, karate(), o)
			base, main := stages[0].Learner.(*skipGramLearner), stages[1].Learner.(*personas)
			if !slices.Equal(main.first, split.First) || !slices.Equal(main.anchor.owner, split.Owner) {
				t.Fatalf("%s: personas from %v of %v, want %v of %v", clustering, main.first, main.anchor.owner, split.First, split.Owner)
			}
			for i, table := range []*Table{base.P, base.Q, main.Q} { // as if trained
				table.InitNormal(uint64(i), 0.5)
			}
			stages[1].Follow()
			for b := range main.corpus.Pass(context.Background(), 1) {
				got, err := main.terms.Pairs.Forward(b)
				want := splitterLoss(b, main.P, main.Q, &anchor{base.Q, split.Owner, lambda})
				if err != nil || math.Abs(got-want) > 1e-5*want {
					t.Errorf("%s, lambda %v: loss %v, %v: want %v", clustering, lambda, got, err, want)
				}
				break
			}
		}
	}
	if len(counts) != len(network.Clusterings()) {
		t.Errorf("clusterings give %v personas: want different numbers, else they are not told apart", counts)
	}
}
