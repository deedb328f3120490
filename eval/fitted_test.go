package eval

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
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
				tolerance := 1e-9
				if strings.Contains(p.names[j], "by spread") { // of tables of float32
					tolerance = 1e-6 * max(1, math.Abs(want))
				}
				near(t, c.Kind+" "+p.names[j], x[i][j], want, tolerance)
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
	v := Vectors{One: e, Held: []Held{*held}}
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
	two := call.Of(Fit(t.Context(), "fitted", Vectors{One: rotated(e, 2), Held: []Held{turned}}, s, ScoreOptions{}))(t)
	for i, x := range call.Of(one.Score(s.Test))(t) {
		near(t, "in another basis", call.Of(two.Score(s.Test))(t)[i], x, 1e-3*max(1, math.Abs(x)))
	}
	// Links held out are ranked by what others of them say: a fold's own are not among them.
	own := Vectors{One: held.One, Held: []Held{*held}}
	_, apart, err := FitCoefficients(t.Context(), []Held{*held}, ScoreOptions{})
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
	call.Refused(t, "expected the same")(Fit(t.Context(), "fitted", Vectors{One: e, Held: []Held{*held}}, s, ScoreOptions{}))
	empty := *held
	none := *held.Split
	none.Test = nil
	empty.Split = &none
	call.Refused(t, "too few links are held out")(Fit(t.Context(), "fitted", Vectors{One: e, Sides: held.Sides, Held: []Held{empty}}, s, ScoreOptions{}))
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
	scorer := call.Of(Fit(t.Context(), "fitted", Vectors{One: wider, Held: []Held{*held}}, s, ScoreOptions{Joined: true}))(t)
	torn := *scorer.Coefficients
	torn.Weights = torn.Weights[1:]
	call.Refused(t, "12 weights for 12 features: expected 12, 12 and 13")(torn.Scorer(t.Context(), Vectors{One: wider}, s, 1))
	alone := network.Link{From: int32(n), To: 1}
	if x := call.Of(scorer.Score([]network.Link{alone}))(t)[0]; x-x != 0 {
		t.Errorf("a vertex without links has the score %v", x)
	}
	joined := joinedPairs(len(s.Names), s)
	if joined(alone) || !joined(s.Train[0]) {
		t.Error("a vertex without links is joined with another, or the ends of a link are not")
	}
}

// Links of several trainings are fitted together; vectors of another method among them are refused.
func TestFittedToSeveralTrainings(t *testing.T) {
	e, s := twoBlocks(60, 5, 200, 2)
	s.Names = make([]string, 60)
	one, two := *heldOut(e, s), *heldOut(e, s)
	other := *two.Split
	other.Train, other.Test, other.Options.Seed = s.Train[:len(s.Train)*9/10], s.Train[len(s.Train)*9/10:], 9
	two.Split = &other
	both, _, err := FitCoefficients(t.Context(), []Held{one, two}, ScoreOptions{})
	first, _, err1 := FitCoefficients(t.Context(), []Held{one}, ScoreOptions{})
	second, _, err2 := FitCoefficients(t.Context(), []Held{two}, ScoreOptions{})
	if err != nil || err1 != nil || err2 != nil {
		t.Fatal(err, err1, err2)
	}
	if both.Links != first.Links+second.Links || slices.Equal(both.Weights, first.Weights) {
		t.Errorf("%d links, of %d and %d", both.Links, first.Links, second.Links)
	}
	for j, x := range both.Mean { // of as many pairs
		if lo, hi := min(first.Mean[j], second.Mean[j]), max(first.Mean[j], second.Mean[j]); x < lo-1e-5 || x > hi+1e-5 {
			t.Errorf("%s: mean %v, of %v and %v", both.Features[j], x, lo, hi)
		}
	}
	two.Sides = nil
	if _, _, err := FitCoefficients(t.Context(), []Held{one, two}, ScoreOptions{}); err == nil || !strings.Contains(err.Error(), "expected those of one method") {
		t.Error(err)
	}
}

// Against published negatives of a directed network, most of them reverses of links, the score is fitted to
// such reverses, and against random pairs it is not.
func TestFittedToReverses(t *testing.T) {
	const n = 80
	r := rng.New(6, "directions")
	s := &network.Split{Names: make([]string, n), Directed: true, Options: network.SplitOptions{Rule: "random", Remove: .5}}
	e := Embedding{N: n, D: 1, Data: make([]float32, n)}
	for v := range e.Data {
		e.Data[v] = float32(v) / n
	}
	for u := range int32(n) {
		for v := u + 1; v < n; v++ { // from lower to higher
			switch l := (network.Link{From: u, To: v}); {
			case r.Intn(4) > 0:
			case r.Intn(2) == 0:
				s.Test, s.TestNegDirected = append(s.Test, l), append(s.TestNegDirected, network.Link{From: v, To: u})
			default:
				s.Train = append(s.Train, l)
			}
		}
	}
	for len(s.TestNeg) < len(s.Test) || len(s.TrainNeg) < len(s.Train) {
		l := network.Link{From: int32(r.Intn(n)), To: int32(r.Intn(n))}
		if l.From < l.To && r.Intn(2) == 0 {
			continue
		}
		if len(s.TestNeg) < len(s.Test) {
			s.TestNeg = append(s.TestNeg, l)
		} else {
			s.TrainNeg = append(s.TrainNeg, l)
		}
	}
	held := call.Of(s.HoldOutAlike(.2, 1))(t)
	o := ScoreOptions{Coefficients: map[string]*Coefficients{}}
	all := call.Of(Measure(t.Context(), "fitted", Vectors{One: e, Held: []Held{{Vectors: Vectors{One: e}, Split: held}}}, s, o, Measurement{}))(t)
	if published, random := o.Coefficients["published"], o.Coefficients[""]; published == nil || random == nil || slices.Equal(published.Weights, random.Weights) {
		t.Fatalf("coefficients against %v", slices.Collect(maps.Keys(o.Coefficients)))
	}
	if all["auc"] < .9 {
		t.Errorf("%v: expected published negatives to be told by their direction", all)
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
