package predict

import (
	"math"

	"github.com/asp2vec/asp2vec/eval"
	"gonum.org/v1/gonum/stat/distuv"
)

// Expectation is what is expected of pairs without a link.
type Expectation struct {
	Missing    float64     `json:"missing,omitempty"`       // links that the network is taken to lack
	Share      float64     `json:"missing_share,omitempty"` // of those that are known; 0 where they are as many as a split hides
	HeldOut    int         `json:"held_out,omitempty"`      // links, in each draw
	Draws      int         `json:"draws,omitempty"`
	Expected   []Count     `json:"expected,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`

	Coefficients map[string]*eval.Coefficients `json:"-"` // of the score, where that is fitted to links held out; nil for others

	steps []eval.Step
}

// Count is how many of the first pairs are expected to be links.
type Count struct {
	First     int     `json:"n"`
	Precision float64 `json:"precision"` // the share that is expected, in [0,1]
	Low       int     `json:"low"`       // nine of ten such counts lie from Low to High
	High      int     `json:"high"`
}

// unlike is the standard error of an expectation, as a share of it, that no number of draws makes smaller: links are not missing just as others are held out, and
// scores rank by fewer links then. It was chosen on six networks, and holds on two others: results/log.md.
const unlike = .25

// Known says whether there are probabilities.
func (x *Expectation) Known() bool { return x.steps != nil }

// Probability returns that of a pair that so many others stand above; nil where nothing is expected.
func (x *Expectation) Probability(above float64) *float64 {
	switch at := eval.StepAt(x.steps, above); {
	case x.steps == nil:
		return nil
	case at < len(x.steps):
		return new(x.steps[at].Probability)
	}
	return new(0.)
}

// Expect sets Expected to what is expected of the first 10, 100 and so on of some pairs, and of all of them, of which so many others stand above each.
func (x *Expectation) Expect(above []float64) {
	for n := 10; n < len(above); n *= 10 {
		x.Expected = append(x.Expected, count(x.steps, above[:n]))
	}
	if len(above) > 0 {
		x.Expected = append(x.Expected, count(x.steps, above))
	}
}

// ranks returns how many pairs stand above each of the first n.
func ranks(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}

// count adds up probabilities of pairs, that so many others stand above. Its interval is of a gamma distribution with the mean and the variance of the count. The
// variance has three parts: each step is known by so many links held out, all steps are unlike by a share of what they say, and links are there or not by chance.
func count(steps []eval.Step, above []float64) Count {
	n := float64(len(above))
	of := make([]float64, len(steps)+1)
	for _, a := range above {
		of[eval.StepAt(steps, a)]++
	}
	var mean, variance float64
	for i, s := range steps {
		if sum := of[i] * s.Probability; sum > 0 {
			mean, variance = mean+sum, variance+sum*sum/s.Held
		}
	}
	out := Count{First: len(above)}
	if mean == 0 { // no link is missing
		return out
	}
	out.Precision = min(1, mean/n)
	variance += unlike*unlike*mean*mean + mean*(1-out.Precision)
	g := distuv.Gamma{Alpha: mean * mean / variance, Beta: mean / variance}
	out.Low, out.High = int(math.Floor(g.Quantile(.05))), int(min(n, math.Ceil(g.Quantile(.95))))
	return out
}
