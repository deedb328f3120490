// Package predict chooses the score that new links are ranked by, and says how many of the first are expected to be links that are missing, by training links that
// are held out.
package predict

import (
	"context"
	"fmt"
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

	// Draws of links that a candidate is measured by, and the seconds that all of them may take. What takes longer is no candidate, as the score of fewer draws
	// would be chosen by luck; where it is asked for, it has as many draws as fit.
	allDraws, mostSeconds = 10, 60

	// Scores are compared by the first pairs, however many are wanted, so that fewer are the first of more. Fewer hold too few links to tell scores apart.
	// Probabilities for it pool this far.
	compared, pooled = 100, 1000

	// Where the rank of given pairs is looked for: among the first pairs, and a sample of the others.
	FirstRanked, Sampled = 10000, 20000
)

// Candidates are scores of the network alone that may be the best one.
var Candidates = []string{"adamic-adar", "allocation", "common", "jaccard", "l3", "degrees", "walk", "neighbourhood"}

// Candidate is a score that may rank new links.
type Candidate struct {
	Score       string `json:"score"`
	Expected    *Count `json:"expected,omitempty"` // of as many pairs as candidates are compared by
	NotMeasured string `json:"not_measured,omitempty"`

	held    []eval.HeldOut
	missing float64 // links that it could find
}

// Input says what new links are ranked for.
type Input struct {
	Network *network.Network     // of the links that are known
	Test    []network.Link       // that a split hides: how many they are counts, never which
	Hidden  network.SplitOptions // how the split hides them, as far as is known
	Learnt  *network.Split       // what the vectors were trained on, if these are those links; else nil
	Record  *results.Record      // of that training; nil where there is none
	One     bool                 // there is one vector for each vertex, of Dim numbers
	Dim     int
	Rows    int // of several vectors for each vertex, of all of them; else 0

	Native  string  // the score that the record names, or the one that is asked for
	Named   bool    // it is asked for, whatever measuring it takes
	Missing float64 // links that are missing for each that is known; 0: as many as Test or, without, UsualMissing
	First   int     // pairs that are wanted, >= 1: the choice does not depend on it
	AnyRank bool    // pairs of any rank are asked for
	Threads int     // goroutines; 0 means all

	Step       func(done, all int)              // told of each score that has been measured; may be nil
	Unmeasured func(score, why string)          // and of each that cannot be
	Training   func(o graphs.Options) run.Watch // watches trainings of the same kind with links held out
}

// measurer measures scores by links that are held out.
type measurer struct {
	Input
	share  float64 // of links that are missing; 0 where they are those that the split hides
	first  int     // pairs that are ranked, at least
	sample int     // and of how many others

	drawn, trained []draw // so far: of the network's links, and of those that vectors are trained on
}

// draw is a split whose test links are held out, with vectors trained on the others where a score needs some.
type draw struct {
	split   *network.Split
	net     *network.Network // of all links, held out or not
	vectors eval.Vectors
	fitted  *eval.Coefficients // to the links held out, once somebody has asked for them
	err     error              // why there is none
}

// Choose returns the score to rank new links by, with what is expected of it: the best of the usual ones or, where one is named, that. It returns in.Native where nothing can be measured,
// and the context's error.
func Choose(ctx context.Context, in Input) (string, Expectation, error) {
	var out Expectation
	m := measurer{Input: in, share: in.Missing}
	if in.Missing == 0 && len(in.Test) == 0 {
		m.share = UsualMissing
	}
	m.first = max(2*in.First, pooled) // beyond the pairs that are shown, since probabilities pool
	if in.AnyRank {
		m.first, m.sample = max(m.first, FirstRanked), Sampled
	}
	names := []string{in.Native}
	if !in.Named {
		names = slices.Clone(Candidates)
		for _, name := range []string{in.Native, "cosine", "dot"} {
			if !slices.Contains(names, name) && (in.One || eval.Scorers.Get(name).Several) {
				names = append(names, name)
			}
		}
		if in.Record != nil && in.Learnt != nil && !slices.Contains(names, "fitted") {
			names = append(names, "fitted")
		}
	}
	var err error
	if out.Candidates, err = m.measure(ctx, names); err != nil {
		return "", out, err
	}
	best := -1
	for i := range out.Candidates {
		if a := &out.Candidates[i]; a.held != nil {
			a.Expected = new(count(eval.Steps(a.held, a.missing, pooled), ranks(compared)))
			if best < 0 || a.Expected.Precision > out.Candidates[best].Expected.Precision {
				best = i
			}
		}
	}
	if best < 0 {
		return in.Native, out, nil
	}
	chosen := out.Candidates[best]
	out.HeldOut, out.Draws, out.Missing, out.Share = chosen.held[0].Links, len(chosen.held), chosen.missing, m.share
	last := float64(m.first)
	if in.AnyRank {
		last = float64(in.Network.Vertices()) * float64(in.Network.Vertices())
	}
	out.steps = eval.Steps(chosen.held, chosen.missing, last)
	if run.NeedsHeld(chosen.Score) {
		if out.Coefficients, err = m.coefficients(ctx, 0); err != nil {
			return "", out, err
		}
	}
	return chosen.Score, out, nil
}

// measure measures scores. It returns the context's error.
func (m *measurer) measure(ctx context.Context, names []string) ([]Candidate, error) {
	all := make([]Candidate, len(names))
	for i, name := range names {
		one := &all[i]
		one.Score = name
		draws, takes := allDraws, m.seconds(name)
		if m.Named {
			draws = min(max(1, int(mostSeconds/max(takes, 1e-3))), allDraws)
		}
		var err error
		if takes *= float64(draws); takes > mostSeconds && !m.Named {
			err = fmt.Errorf("%d draws take about %.0f seconds, more than %d; --score NAME measures it by fewer", draws, takes, mostSeconds)
		}
		for n := 0; n < draws && err == nil; n++ {
			err = m.held(ctx, one, n)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			one.held, one.NotMeasured = nil, err.Error()
			m.Unmeasured(name, one.NotMeasured)
		}
		if m.Step != nil {
			m.Step(i+1, len(names))
		}
	}
	return all, nil
}

// seconds estimates how long a draw takes: one processor to rank all pairs by a score, as measured on PPI and ca-HepTh (Xeon, AVX-512), and training again what
// training took.
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
	s, training := eval.Scorers.Get(name), 0.
	if m.Record != nil {
		training = m.Record.TrainSeconds + m.Record.EvalSeconds
	}
	switch {
	case s.Untrained:
		return 2e-8*n*n + 1e-9*n*arcs
	case run.NeedsHeld(name):
		return training + 8e-7*n*n
	case s.Several:
		return training + 1e-9*float64(m.Rows)*float64(m.Rows)*float64(m.Dim)
	}
	return training + (3e-9+4e-11*float64(m.Dim))*n*n
}

// draw returns the n-th draw of links of the network or, with vectors, of those that the vectors' run learnt from.
func (m *measurer) draw(ctx context.Context, n int, vectors bool) draw {
	of, next := &m.drawn, m.spare
	if vectors {
		of, next = &m.trained, m.companion
	}
	for len(*of) <= n {
		*of = append(*of, next(ctx, uint64(len(*of))))
	}
	return (*of)[n]
}

// spare holds links of the network out.
func (m *measurer) spare(_ context.Context, n uint64) draw {
	s := m.Network.TrainOnly()
	s.Options = m.Hidden // of a split that hides both of two arcs or none, both or none are held out
	kept, held, err := s.Spare(heldOutShare, 1+n)
	return draw{split: &network.Split{Names: s.Names, Directed: s.Directed, Train: kept, Test: held}, net: m.Network, err: err}
}

// held measures a score by the test links of the n-th draw.
func (m *measurer) held(ctx context.Context, one *Candidate, n int) error {
	d := m.draw(ctx, n, !eval.Scorers.Get(one.Score).Untrained)
	if d.err != nil {
		return d.err
	}
	s := d.split
	how := eval.ScoreOptions{Threads: m.Threads}
	if run.NeedsHeld(one.Score) { // fitted to other links than those that it is measured by
		other := 0
		if n == 0 {
			other = 1
		}
		var err error
		if how.Coefficients, err = m.coefficients(ctx, other); err != nil {
			return err
		}
	}
	scorer, err := eval.Fit(ctx, one.Score, d.vectors, s, how)
	if err != nil {
		return err
	}
	var kept []network.Link
	if s.Directed { // of an undirected one, none is held out that is kept
		kept = s.Train
	}
	held, err := eval.RankHeldOut(ctx, scorer, kept, s.Test, Linked(d.net, scorer), m.first, m.sample, uint64(n), m.Threads)
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

// coefficients returns those of the score fitted by the n-th draw. They are fitted to pairs of one component,
// since links that are missing leave no fragments behind as those do that were held out.
func (m *measurer) coefficients(ctx context.Context, n int) (map[string]*eval.Coefficients, error) {
	d := m.draw(ctx, n, true)
	if d.err != nil {
		return nil, d.err
	}
	if d.fitted == nil {
		var err error
		if d.fitted, _, err = eval.FitCoefficients(ctx, []eval.Held{{Vectors: d.vectors, Split: d.split}}, eval.ScoreOptions{Threads: m.Threads, Joined: true}); err != nil {
			return nil, err
		}
		m.trained[n].fitted = d.fitted
	}
	return map[string]*eval.Coefficients{"": d.fitted}, nil
}

// Linked returns what says whether two vertices are linked in a network: in either direction or, of a score that tells a link from its reverse, in that one.
func Linked(n *network.Network, s *eval.LinkScorer) func(u, v int32) bool {
	if s.Directed {
		return n.Has
	}
	return func(u, v int32) bool { return n.Has(u, v) || n.Has(v, u) }
}

// companion trains what the run of the embedding trained without a tenth of the links, since vectors know all links that they were trained on.
func (m *measurer) companion(ctx context.Context, n uint64) draw {
	r := m.Record
	none := func(format string, args ...any) draw { return draw{err: fmt.Errorf(format, args...)} }
	switch {
	case r == nil:
		return none("the model has no record of how to train it")
	case m.Learnt == nil:
		return none("the vectors were trained on other links than these")
	case r.Interrupted || r.Parent != nil:
		return none("the run was interrupted, or began with another model")
	}
	o, err := methods.Decode(r.Method, r.Options)
	if err != nil {
		return none("its options are not known: %w", err)
	}
	o.Seed = r.Seed + n
	var d draw
	if d.net, err = m.Learnt.TrainNetwork(); err != nil {
		return none("%w", err)
	}
	d.vectors, d.split, d.err = run.Companion(ctx, r.Dataset.Name, m.Learnt, o, heldOutShare, m.Threads, m.Training(o))
	return d
}
