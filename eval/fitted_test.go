package eval

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Features of pairs and regressions on them are those that testdata/fitted.py works out with numpy and
// scikit-learn.
func TestFittedGolden(t *testing.T) {
	var g struct {
		N, D  int
		Cases []struct {
			Directed              bool
			Kind                  string
			Links, Pairs          [][2]int32
			Final, Source, Target [][]float32
			First                 []int32
			Label                 []bool
			Features              [][]float64
			Fits                  []struct {
				Products bool
				C        float64
				Odds     []float64
			}
		}
	}
	call.OK(t, json.Unmarshal(call.Of(os.ReadFile("testdata/fitted.json"))(t), &g))
	for _, c := range g.Cases {
		table := func(rows [][]float32) Embedding { return Embedding{N: len(rows), D: g.D, Data: slices.Concat(rows...)} }
		v := Vectors{One: table(c.Final)}
		targets := MultiEmbedding{First: c.First, D: g.D, Data: slices.Concat(c.Target...)}
		switch c.Kind {
		case "sides":
			v.Sides = &Sides{table(c.Source), targets}
		case "several":
			v.Several = targets
		}
		s := &network.Split{Names: make([]string, g.N), Train: links(c.Links), Directed: c.Directed}
		p := call.Of(newPairFeatures(t.Context(), v, s, 2))(t)
		x := call.Of(p.matrix(t.Context(), links(c.Pairs), 2))(t)
		if len(p.names) != len(c.Features[0]) {
			t.Fatalf("%s, directed %v: features %q, expected %d", c.Kind, c.Directed, p.names, len(c.Features[0]))
		}
		for i, row := range c.Features {
			for j, want := range row {
				near(t, c.Kind+" "+p.names[j], x[i][j], want, 1e-9)
			}
		}
		for _, f := range c.Fits {
			form := Coefficients{Features: p.names, Products: f.Products, C: f.C}
			fit := call.Of(form.fit(t.Context(), fittedData{links(c.Pairs), x, c.Label}, 1e-8, 1))(t)
			scorer := call.Of(fit.Scorer(t.Context(), v, s, 1))(t)
			got := call.Of(scorer.Score(links(c.Pairs)))(t)
			for i, want := range f.Odds {
				near(t, c.Kind+" log odds", got[i], want, 1e-3) // features of the solver are float32
			}
		}
	}
}

// rotated returns vectors in another basis: those of a random rotation.
func rotated(e Embedding, seed uint64) Embedding {
	r := rng.New(seed, "rotation")
	basis := make([][]float64, e.D)
	for i := range basis {
		basis[i] = make([]float64, e.D)
		for j := range basis[i] {
			basis[i][j] = r.Normal()
		}
		for _, b := range basis[:i] {
			inner := 0.
			for j := range b {
				inner += b[j] * basis[i][j]
			}
			for j := range b {
				basis[i][j] -= inner * b[j]
			}
		}
		length := 0.
		for _, x := range basis[i] {
			length += x * x
		}
		for j := range basis[i] {
			basis[i][j] /= math.Sqrt(length)
		}
	}
	out := Embedding{N: e.N, D: e.D, Data: make([]float32, len(e.Data))}
	for v := range e.N {
		for i, b := range basis {
			out.Data[v*e.D+i] = float32(dot(b, e.Row(v)))
		}
	}
	return out
}

// The score of held-out vectors ranks links of others, is the same in any basis and with any threads, and
// holds against each kind of negatives; coefficients that are kept say the same as the vectors that they are
// of.
func TestFitted(t *testing.T) {
	e, s := twoBlocks(60, 5, 200, 2)
	s.Names = make([]string, 60)
	held := heldOut(e, s)
	held.Sides = nil
	v := Vectors{One: e, Held: held}
	o := ScoreOptions{Threads: 1, Coefficients: map[string]*Coefficients{}}
	all := call.Of(Measure(t.Context(), "fitted", v, s, o, Measurement{}))(t)
	if all["auc"] < .7 || all["auc_matched"] < .7 || len(o.Coefficients) != 2 {
		t.Errorf("%v, %d kinds of coefficients", all, len(o.Coefficients))
	}
	kept := call.Of(json.Marshal(o.Coefficients))(t)
	again := ScoreOptions{Threads: 3}
	call.OK(t, json.Unmarshal(kept, &again.Coefficients))
	for name, x := range call.Of(Measure(t.Context(), "fitted", Vectors{One: e}, s, again, Measurement{}))(t) {
		if x != all[name] {
			t.Errorf("%s: %v by coefficients that were kept, %v", name, x, all[name])
		}
	}
	turned := *held
	turned.One = rotated(held.One, 1)
	one := call.Of(Fit(t.Context(), "fitted", v, s, ScoreOptions{Threads: 3}))(t)
	two := call.Of(Fit(t.Context(), "fitted", Vectors{One: rotated(e, 2), Held: &turned}, s, ScoreOptions{}))(t)
	for i, x := range call.Of(one.Score(s.Test))(t) {
		near(t, "in another basis", call.Of(two.Score(s.Test))(t)[i], x, 1e-3*max(1, math.Abs(x)))
	}
	// Links held out are ranked by what others of them say: a fold's own are not among them.
	own := Vectors{One: held.One, Held: held}
	_, apart, err := FitCoefficients(t.Context(), *held, ScoreOptions{})
	if err != nil || len(apart) != fittedFolds || slices.Equal(apart[0].Weights, apart[1].Weights) {
		t.Fatal(len(apart), err)
	}
	scorer := call.Of(Fit(t.Context(), "fitted", own, held.Split, ScoreOptions{}))(t)
	for i, got := range call.Of(scorer.Score(held.Split.Test))(t) {
		l := held.Split.Test[i]
		by := call.Of(apart[foldOf(l)].Scorer(t.Context(), Vectors{One: held.One}, held.Split, 1))(t)
		if want := call.Of(by.Score([]network.Link{l}))(t)[0]; got != want {
			t.Errorf("%v: %v, expected %v by the other thirds", l, got, want)
		}
	}
}

// Vertices without links are scored, and vectors of another kind refused.
func TestFittedRefusals(t *testing.T) {
	e, s := twoBlocks(60, 5, 200, 2)
	s.Names = make([]string, 60)
	held := heldOut(e, s)
	call.Refused(t, "expected vectors of a training with links held out")(Fit(t.Context(), "fitted", Vectors{One: e}, s, ScoreOptions{}))
	call.Refused(t, "expected the same")(Fit(t.Context(), "fitted", Vectors{One: e, Held: held}, s, ScoreOptions{}))
	empty := *held
	none := *held.Split
	none.Test = nil
	empty.Split = &none
	call.Refused(t, "too few links are held out")(Fit(t.Context(), "fitted", Vectors{One: e, Sides: held.Sides, Held: &empty}, s, ScoreOptions{}))
	s = randomSplit(t, 60)
	n := len(s.Names)
	s.Names = append(slices.Clone(s.Names), "alone")
	wider := Embedding{N: n + 1, D: 3}
	r := rng.New(4, "vectors")
	for range n * 3 {
		wider.Data = append(wider.Data, float32(r.Normal()))
	}
	wider.Data = append(wider.Data, 0, 0, 0)
	held = heldOut(wider, s)
	held.Sides = nil
	scorer := call.Of(Fit(t.Context(), "fitted", Vectors{One: wider, Held: held}, s, ScoreOptions{Joined: true}))(t)
	torn := *scorer.Coefficients
	torn.Weights = torn.Weights[1:]
	call.Refused(t, "10 weights for 10 features: expected 10, 10 and 11")(torn.Scorer(t.Context(), Vectors{One: wider}, s, 1))
	alone := network.Link{From: int32(n), To: 1}
	if x := call.Of(scorer.Score([]network.Link{alone}))(t)[0]; x-x != 0 {
		t.Errorf("a vertex without links has the score %v", x)
	}
	joined := joinedPairs(len(s.Names), s)
	if joined(alone) || !joined(s.Train[0]) {
		t.Error("a vertex without links is joined with another, or the ends of a link are not")
	}
}

// Where removal has left vertices without links, the AUC of the other pairs stands beside that of all.
func TestJoinedAUC(t *testing.T) {
	s := randomSplit(t, 60)
	before := call.Of(Measure(t.Context(), "degrees", Vectors{}, s, ScoreOptions{}, Measurement{}))(t)
	if _, there := before[JoinedAUC]; there {
		t.Errorf("of a network in one piece: %v", before)
	}
	wider := *s
	n := int32(len(s.Names))
	wider.Names = append(slices.Clone(s.Names), "alone")
	wider.Test = append(slices.Clone(s.Test), network.Link{From: n, To: 0})
	wider.TestNeg = append(slices.Clone(s.TestNeg), network.Link{From: n, To: 1}, network.Link{From: n, To: 2})
	after := call.Of(Measure(t.Context(), "degrees", Vectors{}, &wider, ScoreOptions{}, Measurement{Negatives: []string{"uniform"}}))(t)
	near(t, "AUC without what removal left alone", after[JoinedAUC+"_random"], before["auc_random"], 1e-12)
	if after["auc_random"] == before["auc_random"] {
		t.Errorf("%v: expected another AUC of all pairs", after)
	}
}
