package eval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// How many of the first pairs without a link are links that are missing. Links are known, and pairs are not: among those that stand first there are links that
// the data lack, so that what is no link in the data is no error. What can be counted is where links stand that were held out. If M links are missing, and are
// missing as those W were held out, then M/W · w(N) of them are expected among the first N pairs that are not known to be links, where w(N) links held out stand
// higher than the N-th.
//
// Source: Elkan and Noto, KDD 2008, of the assumption (selected completely at random). Differs: what is estimated is the precision of a list, no classifier.

// Ranking is all pairs of vertices without a link in order of a score: the first exactly, and the others by a random sample.
type Ranking struct {
	Top   []ScoredLink // the first, the highest first
	Rest  []float64    // scores of a sample of the others, ascending; none where Pairs is 0
	Pairs float64      // all of them, about; 0 where there is no sample
}

// Rank returns the first n pairs without a link by a score, as TopLinks orders them, with a sample of so many of the others, or none. linked says which pairs
// are links; it is asked once for each pair where the score does not tell a link from its reverse, and must be safe for several goroutines. It returns an
// error for n < 1, and when ctx ends.
func Rank(ctx context.Context, s *LinkScorer, linked func(u, v int32) bool, n, sample int, seed uint64, threads int) (*Ranking, error) {
	top, err := TopLinks(ctx, s, nil, linked, n, threads)
	switch {
	case err != nil:
		return nil, err
	case len(top) < n: // all of them
		return &Ranking{Top: top, Pairs: float64(len(top))}, nil
	case sample == 0:
		return &Ranking{Top: top}, nil
	}
	r := rng.New(seed, "unlabelled")
	var links []network.Link
	tries := 0
	for ; len(links) < sample && tries < triesOfDraw*sample; tries++ {
		l := one(network.Link{From: int32(r.Intn(s.N)), To: int32(r.Intn(s.N))}, s.Directed)
		if l.From != l.To && !linked(l.From, l.To) {
			links = append(links, l)
		}
	}
	scores, err := s.Score(links)
	if err != nil {
		return nil, err
	}
	out := &Ranking{Top: top, Pairs: float64(s.N) * float64(s.N) * float64(len(links)) / float64(max(tries, 1))}
	if !s.Directed {
		out.Pairs /= 2
	}
	out.Pairs = max(out.Pairs, float64(n))
	for i, l := range links {
		if last := top[n-1]; higher(last, ScoredLink{l, scores[i]}) < 0 {
			out.Rest = append(out.Rest, scores[i])
		}
	}
	slices.Sort(out.Rest)
	return out, nil
}

// Above returns how many pairs stand above a link with its score, which may be one of them: about as many as in the sample where that is not among the first,
// or +Inf where there is none.
func (r *Ranking) Above(l ScoredLink) float64 {
	at := sort.Search(len(r.Top), func(i int) bool { return higher(r.Top[i], l) >= 0 })
	switch {
	case at < len(r.Top):
		return float64(at)
	case r.Pairs == 0:
		return math.Inf(1)
	case len(r.Rest) == 0:
		return r.Pairs
	}
	above, level := standing(l.Score, r.Rest)
	return float64(at) + (r.Pairs-float64(at))*(float64(above)+float64(level)/2)/float64(len(r.Rest))
}

// Predictable returns those links, each once, that a score can rank which knows others: no self-loops, and where it does not tell a link from its reverse, with the
// smaller vertex first and none of which the reverse is known.
func Predictable(known, links []network.Link, directed bool) (out []network.Link) {
	seen := seq.Set(known, func(l network.Link) network.Link { return one(l, directed) })
	for _, l := range links {
		if l = one(l, directed); l.From != l.To && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out
}

// HeldOut is where links that were held out from a network stand among the pairs without a link.
type HeldOut struct {
	Links int       // held out
	Above []float64 // how many pairs stand above each that is Predictable, ascending
}

// RankHeldOut returns where links that were held out from a split stand by a score of what was kept. linked says which pairs are kept or held out. n, sample and the
// errors are those of Rank.
func RankHeldOut(ctx context.Context, s *LinkScorer, kept, held []network.Link, linked func(u, v int32) bool, n, sample int, seed uint64, threads int) (HeldOut, error) {
	out := HeldOut{Links: len(held)}
	r, err := Rank(ctx, s, linked, n, sample, seed, threads)
	if err != nil {
		return out, err
	}
	links := Predictable(kept, held, s.Directed)
	scores, err := s.Score(links)
	if err != nil {
		return out, err
	}
	for i, l := range links {
		out.Above = append(out.Above, r.Above(ScoredLink{l, scores[i]}))
	}
	slices.Sort(out.Above)
	return out, nil
}

// Step is the probability that a pair is a link which stands so far down: fewer than To pairs, and no fewer than the To of the step before, stand above it.
type Step struct {
	To, Probability float64
	Held            float64 // links held out that it is counted by, of all draws
}

// Steps returns probabilities that fall with rank, for so many ranks: among the first N pairs they come to the expected number of links that are missing, but that
// where the counts would rise they are the mean of a range of ranks. This is the isotonic regression by least squares. At the last rank half a link more is taken to be
// held out, since none that was counted is not none.
//
// Source: Ayer et al., Annals of Mathematical Statistics 26 (1955): pool adjacent violators; the half is Jeffreys' prior of a rate.
func Steps(draws []HeldOut, missing, ranks float64) []Step {
	type at struct{ above, held, links float64 }
	var events []at
	for _, d := range draws {
		by := missing / float64(d.Links) / float64(len(draws))
		for _, above := range d.Above {
			if above < ranks {
				events = append(events, at{above, 1, by})
			}
		}
		n := .5 / float64(len(draws))
		events = append(events, at{ranks - 1, n, n * by})
	}
	slices.SortFunc(events, func(a, b at) int { return cmp.Compare(a.above, b.above) })
	var blocks []block
	var end, expected, before, held float64 // the last rank, what is expected among the first so many pairs, of these no more than there are, and links held out since
	add := func(to float64) {
		if to > end {
			blocks = fall(append(blocks, block{to - end, min(to, expected) - before, held}))
			end, before, held = to, min(to, expected), 0
		}
	}
	for i, e := range events {
		if i == 0 || e.above > events[i-1].above {
			add(min(e.above, expected)) // up to where there are as many pairs as links expected
			add(e.above)
		}
		expected, held = expected+e.links, held+e.held
		if i == len(events)-1 || events[i+1].above > e.above {
			add(min(e.above+1, ranks))
		}
	}
	var steps []Step
	end = 0
	for _, b := range blocks {
		end += b.width
		steps = append(steps, Step{end, b.sum / b.width, b.held})
	}
	return steps
}

// block is a range of ranks, with the number of links in it, and that of links held out.
type block struct{ width, sum, held float64 }

// fall pools the last blocks with those before until means fall.
func fall(b []block) []block {
	for n := len(b); n > 1 && b[n-1].sum*b[n-2].width >= b[n-2].sum*b[n-1].width; n-- {
		b[n-2] = block{b[n-2].width + b[n-1].width, b[n-2].sum + b[n-1].sum, b[n-2].held + b[n-1].held}
		b = b[:n-1]
	}
	return b
}

// StepAt returns the index of the step of the pair that so many others stand above; len(steps) beyond the last.
func StepAt(steps []Step, above float64) int {
	return sort.Search(len(steps), func(i int) bool { return steps[i].To > above })
}
