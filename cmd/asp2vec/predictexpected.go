package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/urfave/cli/v2"
)

const (
	usualMissing = 0.1 // links that are missing for each that is known
	mostMissing  = 100

	heldOutShare = 0.1 // of the training links: with fewer little is counted, with more the rest is another network
	mostDraws    = 10

	// Seconds of one processor that ranking all pairs by a score may take, else it is not measured, and that its draws may take together. With two processors,
	// choosing then takes about a minute, and training again what it takes.
	mostSeconds, secondsOfDraws = 30, 10

	mostTraining = 120 // seconds that training again may take

	comparedFirst = 100 // pairs that scores are compared by, at least: fewer hold too few links to tell scores apart

	// Where the rank of given pairs is looked for: among the first pairs, and a sample of the others.
	firstRanked, sampled = 10000, 20000
)

// untrainedCandidates are scores of the network alone that may be the best one.
var untrainedCandidates = []string{"adamic-adar", "allocation", "common", "jaccard", "l3", "degrees", "walk", "neighbourhood"}

// candidate is a score that may rank new links.
type candidate struct {
	Score       string            `json:"score"`
	Expected    *eval.Expectation `json:"expected,omitempty"` // of as many pairs as candidates are compared by
	NotMeasured string            `json:"not_measured,omitempty"`

	held    []eval.HeldOut
	missing float64 // links that it could find
	fewer   bool    // than was said
}

// measurer measures scores by training links that are held out.
type measurer struct {
	*program
	*linked
	e      *embedding
	share  float64 // of links that are missing; 0 where they are those that the split hides
	first  int     // pairs that are ranked, at least
	sample int     // and of how many others

	drawn []*network.Split // so far
}

// expectation is what predict says of how many links are right.
type expectation struct {
	Missing    float64            `json:"missing,omitempty"`  // links that the network is taken to lack
	Assumed    string             `json:"assumed,omitempty"`  // that, in words
	HeldOut    int                `json:"held_out,omitempty"` // links, in each draw
	Draws      int                `json:"draws,omitempty"`
	Expected   []eval.Expectation `json:"expected,omitempty"`
	Candidates []candidate        `json:"candidates,omitempty"`

	steps []eval.Step
}

// choose returns the score that --score names, or the best one, with what is expected of it.
func (p *program) choose(c *cli.Context, e *embedding, l *linked, anyRank bool) (string, expectation, error) {
	word, out := c.String("score"), expectation{}
	native, err := l.named(e, scoreNative)
	if err == nil && word != scoreBest {
		native, err = l.named(e, word)
	}
	if err != nil || l == nil || c.IsSet("missing") && c.Float64("missing") == 0 {
		return native, out, err
	}
	m := measurer{program: p, linked: l, e: e}
	if c.IsSet("missing") || len(l.test) == 0 {
		m.share = usualMissing
		if c.IsSet("missing") {
			m.share = c.Float64("missing")
		}
	}
	compared := max(c.Int("top"), comparedFirst)
	m.first = 2 * max(compared, 500) // beyond the pairs that are shown, since probabilities pool
	if anyRank {
		m.first, m.sample = max(m.first, firstRanked), sampled
	}
	names := []string{native}
	if word == scoreBest {
		names = slices.Clone(untrainedCandidates)
		for _, name := range []string{native, "cosine", "dot"} {
			if !slices.Contains(names, name) && (e.Final != nil || eval.Scorers[name].Several) {
				names = append(names, name)
			}
		}
	}
	if out.Candidates, err = m.measure(c.Context, names, word != scoreBest); err != nil {
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
		return native, out, nil
	}
	chosen := out.Candidates[best]
	out.HeldOut, out.Draws, out.Missing = chosen.held[0].Links, len(chosen.held), chosen.missing
	out.Assumed = fmt.Sprintf("if links are missing as those that were held out, as many as the split hides (%s)", count(len(l.test)))
	if m.share > 0 {
		out.Assumed = fmt.Sprintf("if as many links are missing as %.4g %% of those that are there, and missing at random", 100*m.share)
	}
	if chosen.fewer {
		out.Assumed += fmt.Sprintf(", but no more than %s, since these would be more than there are pairs", count(int(out.Missing)))
	}
	ranks := float64(m.first)
	if anyRank {
		ranks = float64(len(e.Names)) * float64(len(e.Names))
	} else {
		for n := 10; n < c.Int("top"); n *= 10 {
			out.Expected = append(out.Expected, eval.Expect(chosen.held, chosen.missing, n))
		}
		out.Expected = append(out.Expected, eval.Expect(chosen.held, chosen.missing, c.Int("top")))
	}
	out.steps = eval.Steps(chosen.held, chosen.missing, ranks)
	return chosen.Score, out, nil
}

// measure measures scores; named says that one was asked for, whatever it takes. It returns the context's error.
func (m *measurer) measure(ctx context.Context, names []string, named bool) ([]candidate, error) {
	show := showSteps[int](m.program, "measuring scores")
	var vectors eval.Vectors
	var held *network.Split
	var none error // why there is no companion
	all := make([]candidate, len(names))
	for i, name := range names {
		one := &all[i]
		one.Score = name
		takes := m.seconds(name)
		var err error
		switch {
		case takes > mostSeconds && !named:
			err = fmt.Errorf("to rank all pairs takes about %.0f seconds of one processor, more than %d", takes, mostSeconds)
		case eval.Scorers[name].Untrained:
			err = m.draw(ctx, one, min(max(1, int(secondsOfDraws/max(takes, 1e-3))), mostDraws))
		default:
			if held == nil && none == nil {
				vectors, held, none = m.companion(ctx, named)
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
			m.log.Info("score "+name+" is not measured", "because", one.NotMeasured)
		}
		if show != nil {
			show(i+1, len(names))
		}
	}
	m.clearBar()
	return all, nil
}

// seconds estimates how long one processor takes to rank all pairs by a score, as measured on PPI and ca-HepTh (Xeon, AVX-512).
func (m *measurer) seconds(name string) float64 {
	n := float64(m.net.Vertices())
	var arcs, two, three float64 // paths of one link, two and three
	for v := range int32(m.net.Vertices()) {
		k := float64(len(m.net.Out(v)))
		arcs, two = arcs+k, two+k*k
		for _, u := range m.net.Out(v) {
			three += k * float64(len(m.net.Out(u)))
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
		rows := float64(len(m.e.MultiVectors.Data) / m.e.D)
		return 1e-9 * rows * rows * float64(m.e.D)
	}
	return (3e-9 + 4e-11*float64(m.e.D)) * n * n
}

// draw measures a score of the network by several draws of links.
func (m *measurer) draw(ctx context.Context, one *candidate, draws int) error {
	for i := range draws {
		if i == len(m.drawn) {
			s := m.net.TrainOnly()
			kept, held, err := s.Spare(heldOutShare, uint64(1+i))
			if err != nil {
				return err
			}
			m.drawn = append(m.drawn, &network.Split{Names: s.Names, Directed: s.Directed, Train: kept, Test: held})
		}
		if err := m.held(ctx, one, eval.Vectors{}, m.drawn[i], m.linked); err != nil {
			return err
		}
	}
	return nil
}

// held measures a score by the test links of a split. Those are among the links l, or else among those that the embedding's run learnt from.
func (m *measurer) held(ctx context.Context, one *candidate, v eval.Vectors, s *network.Split, l *linked) error {
	if l == nil {
		net, err := m.learn.TrainNetwork()
		if err != nil {
			return err
		}
		l = &linked{net: net}
	}
	scorer, err := eval.Fit(ctx, one.Score, v, s, eval.ScoreOptions{Threads: m.threads})
	if err != nil {
		return err
	}
	var kept []network.Link
	if s.Directed { // of an undirected one, none is held out that is kept
		kept = s.Train
	}
	held, err := eval.RankHeldOut(ctx, scorer, kept, s.Test, l.linkedFor(scorer), m.first, m.sample, uint64(len(one.held)), m.threads)
	if err != nil {
		return err
	}
	if one.missing = m.share * float64(m.net.Links()); m.share == 0 { // not reverses of links that a score cannot tell from them: splits may differ in how many hide
		one.missing = float64(len(eval.Predictable(m.net.List(), m.test, scorer.Directed)))
		held.Links = max(1, len(held.Above))
	}
	one.held = append(one.held, held)
	return nil
}

// linkedFor says whether two vertices are linked, and of a score that tells a link from its reverse in that direction.
func (l *linked) linkedFor(s *eval.LinkScorer) func(u, v int32) bool {
	if s.Directed {
		return l.net.Has
	}
	return l.has
}

// companion trains what the run of the embedding trained without a tenth of the links, since vectors know all links that they were trained on.
func (m *measurer) companion(ctx context.Context, named bool) (eval.Vectors, *network.Split, error) {
	r := m.e.Record
	none := func(format string, args ...any) (eval.Vectors, *network.Split, error) {
		return eval.Vectors{}, nil, fmt.Errorf(format, args...)
	}
	switch {
	case r == nil:
		return none("%s has no record of how to train it", m.e.path)
	case m.learn == nil:
		return none("the vectors were trained on other links than these")
	case r.Interrupted || r.Parent != nil:
		return none("the run was interrupted, or began with another model")
	}
	if takes := r.TrainSeconds + r.EvalSeconds; takes > mostTraining && !named {
		return none("training without a tenth of the links takes about %.0f seconds, more than %d; --score NAME measures it", takes, mostTraining)
	}
	o, err := methods.Decode(r.Method, r.Options)
	if err != nil {
		return none("its options are not known: %w", err)
	}
	o.Seed = r.Seed
	m.log.Info("training again without a tenth of the links, to measure scores of vectors", "method", r.Method)
	v, held, err := run.Companion(ctx, r.Dataset.Name, m.learn, o, heldOutShare, m.threads, run.Watch{Step: m.watch(o, "").Step})
	m.clearBar()
	return v, held, err
}

// probability returns that of a pair that so many others stand above; nil where nothing is expected.
func (x *expectation) probability(above float64) *float64 {
	if x.steps == nil {
		return nil
	}
	return new(eval.ProbabilityAt(x.steps, above))
}

// of takes what is expected of some pairs of one vertex from their probabilities: a count of so many independent links.
func (x *expectation) of(links []predictedLink) {
	var sum, square float64
	for _, l := range links {
		if l.Probability == nil {
			return
		}
		sum, square = sum+*l.Probability, square+*l.Probability*(1-*l.Probability)
	}
	if n := float64(len(links)); n > 0 {
		x.Expected = []eval.Expectation{{First: len(links), Precision: sum / n, Spread: math.Sqrt(square) / n}}
	}
}

// writeExpected says what is expected, and which score was chosen.
func (d prediction) writeExpected(b *printout) {
	x := d.expectation
	if len(x.Expected) > 0 {
		parts := seq.Map(x.Expected, func(one eval.Expectation) string {
			n := float64(one.First)
			return fmt.Sprintf("%s ± %s of the first %s", few(n*one.Precision), few(n*one.Spread), count(one.First))
		})
		b.printf("\nExpected to be links that are missing: about %s, %s.\n", strings.Join(parts, ", "), x.Assumed)
	}
	if x.Draws > 0 {
		b.printf("Measured by %d × %s held out.\n", x.Draws, many(x.HeldOut, "training link"))
	}
	b.printf("\nScore: %s, %s", d.Score, d.Means)
	if len(x.Candidates) > 1 {
		var others, not []string
		first := 0
		for _, a := range x.Candidates {
			if a.Expected == nil {
				not = append(not, a.Score)
				continue
			}
			first = a.Expected.First
			others = append(others, fmt.Sprintf("%s %.2f", a.Score, a.Expected.Precision))
		}
		b.printf(".\nChosen by the share expected of the first %s, less its standard error: %s", count(first), strings.Join(others, ", "))
		if not != nil {
			b.printf("; not measured: %s", strings.Join(not, ", "))
		}
	} else if len(x.Candidates) == 1 && x.Draws == 0 {
		b.printf("; how many are right was not measured")
	}
	b.printf(".\n")
}

// few writes a number of links: with a decimal where it is small.
func few(x float64) string {
	if x < 9.95 {
		return fmt.Sprintf("%.1f", x)
	}
	return count(int(math.Round(x)))
}
