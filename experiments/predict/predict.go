// Package predict chooses the score that new links are ranked by, and says how many of the first are expected to be links that are missing, by training links that
// are held out.
package predict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

const (
	UsualMissing = 0.1 // links that are missing for each that is known
	MostMissing  = 100

	heldOutShare = 0.1 // of the training links: with fewer little is counted, with more the rest is another network
	mostDraws    = 10

	// Seconds of one processor that ranking all pairs by a score may take, else it is not measured, and that its draws may take together. With two processors,
	// choosing then takes about a minute, and training again what it takes.
	mostSeconds, secondsOfDraws = 30, 10

	mostTraining = 120 // seconds that training again may take

	comparedFirst = 100 // pairs that scores are compared by, at least: fewer hold too few links to tell scores apart

	// Where the rank of given pairs is looked for: among the first pairs, and a sample of the others.
	FirstRanked, Sampled = 10000, 20000
)

// Candidates are scores of the network alone that may be the best one.
var Candidates = []string{"adamic-adar", "allocation", "common", "jaccard", "l3", "degrees", "walk", "neighbourhood"}

// Candidate is a score that may rank new links.
type Candidate struct {
	Score       string            `json:"score"`
	Expected    *eval.Expectation `json:"expected,omitempty"` // of as many pairs as candidates are compared by
	NotMeasured string            `json:"not_measured,omitempty"`

	held    []eval.HeldOut
	missing float64 // links that it could find
	fewer   bool    // than was said
}

// Input says what new links are ranked for.
type Input struct {
	Network *network.Network // of the links that are known
	Test    []network.Link   // that a split hides: how many they are counts, never which
	Learnt  *network.Split   // what the vectors were trained on, if these are those links; else nil
	Record  *results.Record  // of that training; nil where there is none
	One     bool             // there is one vector for each vertex, of Dim numbers
	Dim     int
	Rows    int // of several vectors for each vertex, of all of them; else 0

	Native  string  // the score that the record names, or the one that is asked for
	Named   bool    // it is asked for, whatever measuring it takes
	Missing float64 // links that are missing for each that is known; 0: as many as Test or, without, UsualMissing
	First   int     // pairs that are wanted, >= 1
	AnyRank bool    // pairs of any rank are asked for
	Threads int     // goroutines; 0 means all

	Step       func(done, all int)              // told of each score that has been measured; may be nil
	Unmeasured func(score, why string)          // and of each that cannot be
	Training   func(o graphs.Options) run.Watch // watches a training of the same kind with links held out
}

// measurer measures scores by training links that are held out.
type measurer struct {
	Input
	share  float64 // of links that are missing; 0 where they are those that the split hides
	first  int     // pairs that are ranked, at least
	sample int     // and of how many others

	drawn []*network.Split // so far
}

// Expectation is what is expected of the first pairs without a link.
type Expectation struct {
	Missing    float64            `json:"missing,omitempty"`         // links that the network is taken to lack
	Share      float64            `json:"missing_share,omitempty"`   // of those that are known; 0 where they are as many as a split hides
	Fewer      bool               `json:"missing_bounded,omitempty"` // than was said: eval.Bound
	HeldOut    int                `json:"held_out,omitempty"`        // links, in each draw
	Draws      int                `json:"draws,omitempty"`
	Expected   []eval.Expectation `json:"expected,omitempty"`
	Candidates []Candidate        `json:"candidates,omitempty"`

	steps []eval.Step
}

// Known says whether there are probabilities.
func (x *Expectation) Known() bool { return x.steps != nil }

// Choose returns the score to rank new links by, with what is expected of it: the best of the usual ones or, where one is named, that. It returns in.Native where nothing can be measured,
// and the context's error.
func Choose(ctx context.Context, in Input) (string, Expectation, error) {
	var out Expectation
	m := measurer{Input: in, share: in.Missing}
	if in.Missing == 0 && len(in.Test) == 0 {
		m.share = UsualMissing
	}
	compared := max(in.First, comparedFirst)
	m.first = 2 * max(compared, 500) // beyond the pairs that are shown, since probabilities pool
	if in.AnyRank {
		m.first, m.sample = max(m.first, FirstRanked), Sampled
	}
	names := []string{in.Native}
	if !in.Named {
		names = slices.Clone(Candidates)
		for _, name := range []string{in.Native, "cosine", "dot"} {
			if !slices.Contains(names, name) && (in.One || eval.Scorers[name].Several) {
				names = append(names, name)
			}
		}
	}
	var err error
	if out.Candidates, err = m.measure(ctx, names); err != nil {
		return "", out, err
	}
	best, most := -1, math.Inf(-1)
	for i := range out.Candidates {
		if a := &out.Candidates[i]; a.held != nil {
			said := a.missing
			a.missing = eval.Bound(a.held, said, m.first)
			a.fewer = a.missing < said
			a.Expected = new(eval.Expect(a.held, a.missing, compared))
			if x := eval.Lower(a.held, a.missing, compared); x > most {
				best, most = i, x
			}
		}
	}
	if best < 0 {
		return in.Native, out, nil
	}
	chosen := out.Candidates[best]
	out.HeldOut, out.Draws, out.Missing, out.Share, out.Fewer = chosen.held[0].Links, len(chosen.held), chosen.missing, m.share, chosen.fewer
	ranks := float64(m.first)
	if in.AnyRank {
		ranks = float64(in.Network.Vertices()) * float64(in.Network.Vertices())
	} else {
		for n := 10; n < in.First; n *= 10 {
			out.Expected = append(out.Expected, eval.Expect(chosen.held, chosen.missing, n))
		}
		out.Expected = append(out.Expected, eval.Expect(chosen.held, chosen.missing, in.First))
	}
	out.steps = eval.Steps(chosen.held, chosen.missing, ranks)
	return chosen.Score, out, nil
}

// measure measures scores. It returns the context's error.
func (m *measurer) measure(ctx context.Context, names []string) ([]Candidate, error) {
	var vectors eval.Vectors
	var held *network.Split
	var none error // why there is no companion
	all := make([]Candidate, len(names))
	for i, name := range names {
		one := &all[i]
		one.Score = name
		takes := m.seconds(name)
		var err error
		switch {
		case takes > mostSeconds && !m.Named:
			err = fmt.Errorf("to rank all pairs takes about %.0f seconds of one processor, more than %d", takes, mostSeconds)
		case eval.Scorers[name].Untrained:
			err = m.draw(ctx, one, min(max(1, int(secondsOfDraws/max(takes, 1e-3))), mostDraws))
		default:
			if held == nil && none == nil {
				vectors, held, none = m.companion(ctx)
			}
			if err = none; err == nil {
				err = m.held(ctx, one, vectors, held, nil)
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			one.NotMeasured = err.Error()
			m.Unmeasured(name, one.NotMeasured)
		}
		if m.Step != nil {
			m.Step(i+1, len(names))
		}
	}
	return all, nil
}

// seconds estimates how long one processor takes to rank all pairs by a score, as measured on PPI and ca-HepTh (Xeon, AVX-512).
func (m *measurer) seconds(name string) float64 {
	n := float64(m.Network.Vertices())
	var arcs, two, three float64 // paths of one link, two and three
	for v := range int32(m.Network.Vertices()) {
		k := float64(len(m.Network.Out(v)))
		arcs, two = arcs+k, two+k*k
		for _, u := range m.Network.Out(v) {
			three += k * float64(len(m.Network.Out(u)))
		}
	}
	switch name {
	case "adamic-adar", "allocation", "common", "jaccard":
		return 1e-8*two + 5e-7*arcs // to find who is linked
	case "l3":
		return 1e-8*two + 3e-9*min(three, n*arcs)
	case "degrees":
		return 6e-9 * n * n
	case "neighbourhood":
		return 1.2e-7*n*n + 5e-9*n*arcs
	}
	switch s := eval.Scorers[name]; {
	case s.Untrained:
		return 2e-8*n*n + 1e-9*n*arcs
	case s.Several:
		return 1e-9 * float64(m.Rows) * float64(m.Rows) * float64(m.Dim)
	}
	return (3e-9 + 4e-11*float64(m.Dim)) * n * n
}

// draw measures a score of the network by several draws of links.
func (m *measurer) draw(ctx context.Context, one *Candidate, draws int) error {
	for i := range draws {
		if i == len(m.drawn) {
			s := m.Network.TrainOnly()
			kept, held, err := s.Spare(heldOutShare, uint64(1+i))
			if err != nil {
				return err
			}
			m.drawn = append(m.drawn, &network.Split{Names: s.Names, Directed: s.Directed, Train: kept, Test: held})
		}
		if err := m.held(ctx, one, eval.Vectors{}, m.drawn[i], m.Network); err != nil {
			return err
		}
	}
	return nil
}

// held measures a score by the test links of a split. Those are among the links of a network, or else among those that the vectors' run learnt from.
func (m *measurer) held(ctx context.Context, one *Candidate, v eval.Vectors, s *network.Split, net *network.Network) (err error) {
	if net == nil {
		if net, err = m.Learnt.TrainNetwork(); err != nil {
			return err
		}
	}
	scorer, err := eval.Fit(ctx, one.Score, v, s, eval.ScoreOptions{Threads: m.Threads})
	if err != nil {
		return err
	}
	var kept []network.Link
	if s.Directed { // of an undirected one, none is held out that is kept
		kept = s.Train
	}
	held, err := eval.RankHeldOut(ctx, scorer, kept, s.Test, Linked(net, scorer), m.first, m.sample, uint64(len(one.held)), m.Threads)
	if err != nil {
		return err
	}
	if one.missing = m.share * float64(m.Network.Links()); m.share == 0 { // not reverses of links that a score cannot tell from them: splits may differ in how many hide
		one.missing = float64(len(eval.Predictable(m.Network.List(), m.Test, scorer.Directed)))
		held.Links = max(1, len(held.Above))
	}
	one.held = append(one.held, held)
	return nil
}

// Linked returns what says whether two vertices are linked in a network: in either direction or, of a score that tells a link from its reverse, in that one.
func Linked(n *network.Network, s *eval.LinkScorer) func(u, v int32) bool {
	if s.Directed {
		return n.Has
	}
	return func(u, v int32) bool { return n.Has(u, v) || n.Has(v, u) }
}

// companion trains what the run of the embedding trained without a tenth of the links, since vectors know all links that they were trained on.
func (m *measurer) companion(ctx context.Context) (eval.Vectors, *network.Split, error) {
	r := m.Record
	none := func(format string, args ...any) (eval.Vectors, *network.Split, error) {
		return eval.Vectors{}, nil, fmt.Errorf(format, args...)
	}
	switch {
	case r == nil:
		return none("the model has no record of how to train it")
	case m.Learnt == nil:
		return none("the vectors were trained on other links than these")
	case r.Interrupted || r.Parent != nil:
		return none("the run was interrupted, or began with another model")
	}
	if takes := r.TrainSeconds + r.EvalSeconds; takes > mostTraining && !m.Named {
		return none("training without a tenth of the links takes about %.0f seconds, more than %d; --score NAME measures it", takes, mostTraining)
	}
	o, err := methods.Decode(r.Method, r.Options)
	if err != nil {
		return none("its options are not known: %w", err)
	}
	o.Seed = r.Seed
	return run.Companion(ctx, r.Dataset.Name, m.Learnt, o, heldOutShare, m.Threads, m.Training(o))
}

// Probability returns that of a pair that so many others stand above; nil where nothing is expected.
func (x *Expectation) Probability(above float64) *float64 {
	if x.steps == nil {
		return nil
	}
	return new(eval.ProbabilityAt(x.steps, above))
}
