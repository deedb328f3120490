package graphs

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/symnmf"
	"github.com/asp2vec/asp2vec/network"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// stages returns what a method makes of a network and options, as Train asks for it.
func stages(t *testing.T, net *network.Network, o Options) []Stage {
	t.Helper()
	m := o.Method
	return call.Of(m.Stages(context.Background(), Input{Network: net}, o.Complete(), 2))(t)
}

// skipGramOf returns the skip-gram that a learner is, or has the vectors of a vertex from.
func skipGramOf(l Learner) *skipGramLearner {
	if s, ok := l.(*several); ok {
		return s.skipGramLearner
	}
	return l.(*skipGramLearner)
}

// Whatever a stage draws its parameters from, the seed is what it is drawn by: no table of numbers is the same for two seeds.
func TestSeedOfParameters(t *testing.T) {
	for _, m := range trained() {
		o := quick(t, m.Name)
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

// So are the noise of the selection, and that of the aspects after the warm-up.
func TestSeedOfNoise(t *testing.T) {
	o := quick(t, MethodAsp2vec).Complete()
	o.AspectNoise = 0.1
	p, q := sampleTables(o, 0.5)
	b := call.Of(sampleBatch(o, sampleVertices))(t)
	var noisy [2]float64
	var aspects [2][]float32
	for i := range 2 {
		o.Seed = uint64(7 + i)
		noisy[i], _, _ = blockLoss(t, o, b, p, q, nil, engine.Facts{}, 1, 0)
		stages := stages(t, karate(), o)
		for _, table := range stages[0].Learner.Parameters() {
			clear(table.X) // the warm-up's vectors, from which the aspects begin
		}
		stages[1].Follow()
		aspects[i] = skipGramOf(stages[1].Learner).Q.X
	}
	if noisy[0] == noisy[1] {
		t.Errorf("another seed gives the same loss under noise: %v", noisy)
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
		f := call.Of(symnmf.Factor(context.Background(), karate(), symnmf.Options{Facets: k, Tolerance: tolerance, Seed: 5}, 1))(t)
		prior := f.Prior()
		if slices.Min(prior) > 0.1 {
			t.Fatalf("the smallest share is %v: shares so even tell nothing", slices.Min(prior))
		}
		e := embeddingOf(t, stages(t, karate(), o)[0].Learner)
		if !slices.Equal(e.Share, prior) || !slices.Equal(e.First, each(34, k)) || len(e.Vectors) != 34*k*o.Dim {
			t.Errorf("%d facets: %d numbers from %v with shares %v: expected shares %v", k, len(e.Vectors), e.First, e.Share, prior)
		}
	}
}

// The personas of Splitter are those of the clustering asked for, and they are tied to the context vectors that DeepWalk comes
// to, with the weight asked for.
func TestSplitterIsTiedAsAsked(t *testing.T) {
	golden.StillPaper(t)
	counts := map[int]bool{} // of personas
	for _, clustering := range network.Clusterings() {
		split := call.Of(karate().Personas(context.Background(), clustering, 1))(t)
		counts[len(split.Owner)] = true
		for _, lambda := range []float64{0, 0.1, 0.7} {
			o := quick(t, MethodSplitter)
			o.Lambda = lambda
			Edit(&o, func(p *PersonaOptions) { p.Clustering = clustering })
			stages := stages(t, karate(), o)
			base, main := stages[0].Learner.(*skipGramLearner), stages[1].Learner.(*several)
			if !slices.Equal(main.first, split.First) || !slices.Equal(main.terms.Anchor.Owner, split.Owner) {
				t.Fatalf("%s: personas from %v of %v, expected %v of %v", clustering, main.first, main.terms.Anchor.Owner, split.First, split.Owner)
			}
			for i, table := range []*engine.Table{base.P, base.Q, main.Q} { // as if trained
				table.InitNormal(uint64(i), 0.5)
			}
			stages[1].Follow()
			for b := range main.corpus.Pass(context.Background(), 1) {
				l, err := main.terms.Forward(context.Background(), b)
				got := l.Pairs
				want := splitterLoss(b, main.P, main.Q, &engine.Anchor{Base: base.Q, Owner: split.Owner, Lambda: lambda})
				if err != nil || math.Abs(got-want) > 1e-5*want {
					t.Errorf("%s, lambda %v: loss %v, %v: expected %v", clustering, lambda, got, err, want)
				}
				break
			}
		}
	}
	if len(counts) != len(network.Clusterings()) {
		t.Errorf("clusterings give %v personas: expected different numbers, else they are not told apart", counts)
	}
}
