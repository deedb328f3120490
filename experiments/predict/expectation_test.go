package predict

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// Tables of chi-square with 10 degrees of freedom have 3.940 and 18.307 for .05 and .95: of a count of 50 of 100 with the variance 500 these are 19.7 and 91.5. The variance is 2500/h of h
// links held out, 25 by chance, and 2500/16 since links are unlike.
func TestCountByHand(t *testing.T) {
	steps := []eval.Step{{To: 200, Probability: .5, Held: 2500 / (500 - 25 - 2500/16.)}, {To: 300, Held: .5}}
	if got := count(steps, ranks(100)); got != (Count{100, .5, 19, 92}) {
		t.Errorf("%+v", got)
	}
	if got := count(steps, []float64{250, 500}); got != (Count{First: 2}) {
		t.Errorf("%+v of pairs that cannot be links", got)
	}
	// In two steps with half of the links held out each: 2500/h is twice 625 by h/2.
	two := []eval.Step{{To: 50, Probability: .5, Held: steps[0].Held / 2}, {To: 100, Probability: .5, Held: steps[0].Held / 2}}
	if got := count(two, ranks(100)); got != (Count{100, .5, 19, 92}) {
		t.Errorf("%+v", got)
	}
	if got := count([]eval.Step{{To: 20, Probability: 1, Held: 25}}, ranks(20)); got.High != 20 || got.Low > 15 || got.Low < 8 {
		t.Errorf("all: %+v", got)
	}
	var x Expectation
	x.steps = steps
	if x.Expect(ranks(150)); len(x.Expected) != 3 || x.Expected[1] != (Count{100, .5, 19, 92}) || x.Expected[2].First != 150 {
		t.Errorf("%+v", x.Expected)
	}
}

// Where the share is drawn from a distribution with the errors that are taken, and links by that share, nine of ten counts are within the bounds.
func TestCountOfDraws(t *testing.T) {
	for _, one := range []struct {
		n       int
		p, held float64
	}{{10, .05, 1}, {10, .5, 6}, {100, .02, 1}, {100, .3, 30}, {1000, .001, .5}, {1000, .2, 400}} {
		x := count([]eval.Step{{To: 2000, Probability: one.p, Held: one.held}}, ranks(one.n))
		error2 := 1/one.held + unlike*unlike
		src := rand.New(rand.NewPCG(1, 2))
		share := distuv.Gamma{Alpha: 1 / error2, Beta: 1 / error2 / one.p, Src: src}
		in := 0
		const draws = 4000
		for range draws {
			k := int(distuv.Binomial{N: float64(one.n), P: min(1, share.Rand()), Src: src}.Rand())
			if k >= x.Low && k <= x.High {
				in++
			}
		}
		if got := float64(in) / draws; got < .88 {
			t.Errorf("%+v: %v of counts in %+v", one, got, x)
		}
	}
}

// The choice does not depend on how many pairs are wanted, and is among scores of ten draws.
func TestChoice(t *testing.T) {
	o := network.DefaultPlanted()
	o.Vertices = 200
	net := call.Of(o.Generate())(t).Network
	in := Input{Network: net, Native: "cosine", One: true, Record: &results.Record{TrainSeconds: 6.1}, Unmeasured: func(string, string) {}}
	var scores []string
	var compare []Count
	for _, first := range []int{5, 100, 1000, 3000} {
		in.First = first
		score, x, err := Choose(t.Context(), in)
		if err != nil || x.Draws != allDraws {
			t.Fatalf("%d draws, %v", x.Draws, err)
		}
		scores = append(scores, score)
		for _, c := range x.Candidates {
			switch {
			case c.Score == "cosine" || c.Score == "dot":
				if !strings.Contains(c.NotMeasured, "10 draws take about 61 seconds") {
					t.Errorf("%s, whose training takes long, is measured: %q", c.Score, c.NotMeasured)
				}
			case len(c.held) != allDraws:
				t.Errorf("%s: %d draws", c.Score, len(c.held))
			default:
				compare = append(compare, *c.Expected)
			}
		}
	}
	if n := len(Candidates); len(slices.Compact(scores)) != 1 || !slices.Equal(compare[:n], compare[3*n:]) {
		t.Errorf("%v by %v", scores, compare)
	}
	in.Named, in.Record.TrainSeconds = true, 25
	if _, x, err := Choose(t.Context(), in); err != nil || !strings.Contains(x.Candidates[0].NotMeasured, "other links") {
		t.Errorf("a score that is asked for: %+v, %v", x.Candidates, err)
	}
}
