package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/registry"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// Negatives are a kind of pairs without a link that test links are ranked against: an entry of NegativesKinds.
type Negatives struct {
	Help   string
	Source string
	Suffix string // behind the names of metrics; that of the published negatives is empty
	Simple bool   // self-loops are left out of the test links: they are never negatives
	// Draw returns the pairs, the same at each call. It returns an error for a split that has none.
	Draw func(s *network.Split) ([]network.Link, error)
	// Held, unless nil, returns those of links that were held out from a directed split, which the score
	// fitted is fitted against where it is measured against these.
	Held func(held *network.Split) []network.Link
	// Again, unless nil, returns those of another draw, in place of Draw: metrics are means over several. A classifier that is measured against them is fitted
	// against them too: those of the training links.
	Again func(s *network.Split, draw uint64) []network.Link
}

// Negatives that can be drawn again are drawn five times, or twice at least, where test links are many: metrics of the first ranks move by .1 from one draw to the next.
const (
	mostDraws, leastDraws = 5, 2
	pairsOfDraws          = 100000 // that are enough
)

// NegativesKinds are the kinds by name.
var NegativesKinds = registry.New[Negatives]("kind of negatives")

func init() {
	NegativesKinds.Add("published", Negatives{
		Help: "those of the split: random pairs and, of a directed network, the reverses of links", Source: "Park et al., KDD 2020",
		Draw: func(s *network.Split) ([]network.Link, error) {
			if s.Directed {
				return s.TestNegDirected, nil
			}
			return s.TestNeg, nil
		},
		Held: func(held *network.Split) []network.Link { return held.TestNegDirected },
	})
	NegativesKinds.Add("uniform", Negatives{
		Help: "random pairs, all equally likely: those of the split", Suffix: "_random",
		Draw: func(s *network.Split) ([]network.Link, error) { return s.TestNeg, nil },
	})
	NegativesKinds.Add("reversed", Negatives{
		Help: "of a directed network, the reverses of links, which test whether a score knows the direction", Source: "Park et al., KDD 2020", Suffix: "_reversed", Draw: reversedNegatives,
	})
	NegativesKinds.Add("simple", Negatives{
		Help: "random pairs, as uniform, for test links that are no self-loops", Suffix: "_simple", Simple: true,
		Draw: func(s *network.Split) ([]network.Link, error) { return s.TestNeg, nil },
	})
	NegativesKinds.Add("degree", Negatives{
		Help: "random pairs whose ends have the degrees of the ends of test links, so that degrees alone do not tell them", Source: "Aiyappa et al., ICML 2025", Suffix: "_degree", Draw: degreeNegatives,
	})
	NegativesKinds.Add("matched", Negatives{
		Help: "test links with one end, in turn the source and the target, replaced by a vertex of about the same degree, so that degrees tell nothing", Suffix: "_matched", Again: matchedNegatives,
	})
}

// usualNegatives are those of records.
var usualNegatives = []string{"published", "uniform", "degree", "matched"}

// drawnKind are the negatives of a kind.
type drawnKind struct {
	Negatives
	name  string
	draws [][]network.Link
}

// drawAll returns the negatives of a measurement. Of the usual ones, what a split cannot have is left out.
func drawAll(ctx context.Context, s *network.Split, m Measurement) (all []drawnKind, err error) {
	for _, name := range m.negatives() {
		k, err := NegativesKinds.Find(name)
		if err != nil {
			return nil, fmt.Errorf("eval: %w", err)
		}
		draws, err := k.lists(s)
		if err != nil && (m.may || len(m.Negatives) == 0) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("eval: negatives %q: %w", name, err)
		}
		all = append(all, drawnKind{k, name, draws})
	}
	return all, ctx.Err()
}

// lists returns the pairs of each draw. It returns an error for a split that has none.
func (k Negatives) lists(s *network.Split) (draws [][]network.Link, err error) {
	if k.Again == nil {
		links, err := k.Draw(s)
		if err == nil && len(links) == 0 {
			err = errors.New("there are none")
		}
		return [][]network.Link{links}, err
	}
	for i := range uint64(max(leastDraws, min(mostDraws, pairsOfDraws/max(1, len(s.Test))))) {
		links := k.Again(s, i)
		if len(links) == 0 {
			return nil, errors.New("there are none")
		}
		draws = append(draws, links)
	}
	return draws, nil
}

// fitting returns what draws negatives for links that a classifier is fitted to, which are the test links of the split that it gets; nil where a classifier that is
// measured against this kind is fitted against random pairs, as others are.
func (k Negatives) fitting() func(s *network.Split) []network.Link {
	if k.Again == nil {
		return nil
	}
	return func(s *network.Split) []network.Link { return k.Again(s, mostDraws) }
}

// In returns a split with negatives of the kind, of one draw, in place of its random pairs: also those that a classifier is fitted against, where there are such. It
// returns an error for a split that cannot have them.
func (k Negatives) In(s *network.Split) (*network.Split, error) {
	one := *s
	if k.Again == nil {
		links, err := k.Draw(s)
		one.TestNeg = links
		return &one, err
	}
	one.TestNeg, one.TrainNeg = k.Again(s, 0), k.fitting()(fittedTo(s, s.Train, s.Train))
	return &one, nil
}

// fittedTo returns a split of some links that a classifier is fitted to, as its test links, and of those that its features are of.
func fittedTo(s *network.Split, links, of []network.Link) *network.Split {
	return &network.Split{Names: s.Names, Directed: s.Directed, Train: of, Test: links}
}

// reversedNegatives are the published negatives without the random pairs.
func reversedNegatives(s *network.Split) (out []network.Link, err error) {
	if !s.Directed {
		return nil, errors.New("links of an undirected network have no direction: expected a directed one")
	}
	random := map[network.Link]int{}
	for _, l := range s.TestNeg {
		random[l]++
	}
	for _, l := range s.TestNegDirected {
		if random[l]--; random[l] < 0 {
			out = append(out, l)
		}
	}
	return out, nil
}

// linkedPairs returns what says whether a pair is a link of a split, in training or test.
func linkedPairs(s *network.Split) func(l network.Link) bool {
	linked := make(map[network.Link]bool, len(s.Train)+len(s.Test))
	for _, l := range slices.Concat(s.Train, s.Test) {
		linked[one(l, s.Directed)] = true
	}
	return func(l network.Link) bool { return linked[one(l, s.Directed)] }
}

// one returns a pair in the one way in which it is asked for: of a network without directions with its smaller vertex first.
func one(l network.Link, directed bool) network.Link {
	if !directed && l.From > l.To {
		l.From, l.To = l.To, l.From
	}
	return l
}

// triesOfDraw is how often a pair is drawn that turns out to be a link, or drawn already.
const triesOfDraw = 100

// degreeNegatives keep one end of each test link, in turn the first and the second, and draw the other among the ends of all test links: of a directed
// network among those of the same side. So vertices are as frequent among them as among test links. A link whose end is linked with all the others has none.
func degreeNegatives(s *network.Split) (out []network.Link, err error) {
	r := rng.New(1, "degree-negatives")
	taken := linkedPairs(s)
	seen := map[network.Link]bool{}
	for i, l := range s.Test {
		for range triesOfDraw {
			other := s.Test[r.Intn(len(s.Test))]
			if !s.Directed && r.Intn(2) == 1 {
				other.From, other.To = other.To, other.From
			}
			pair := network.Link{From: l.From, To: other.To}
			if i%2 == 1 {
				pair = network.Link{From: other.From, To: l.To}
			}
			if pair.From != pair.To && !seen[pair] && !taken(pair) {
				seen[pair] = true
				out = append(out, pair)
				break
			}
		}
	}
	return out, nil
}

// nearestDegrees is how many vertices, of those that come next in the order of degrees on either side, an end is replaced by.
const nearestDegrees = 10

// matchedNegatives replace one end of each test link, in turn the source and the target, by a vertex that is linked with the other end in no training or test
// link, and whose degree is the same or one of the nearest: of a directed network the number of links out of a source, or into a target. Vertices of one degree are
// in random order. A test link has none where all such vertices are linked with its other end.
//
// Pairs of hubs are replaced by pairs of hubs, which ends that are drawn one by one cannot promise: on a dense network most pairs of hubs are links.
func matchedNegatives(s *network.Split, draw uint64) (out []network.Link) {
	r := rng.New(1+draw, "matched-negatives")
	taken := linkedPairs(s)
	n := len(s.Names)
	for _, l := range slices.Concat(s.Train, s.Test) {
		n = max(n, int(l.From)+1, int(l.To)+1) // of a split without names
	}
	degrees := [2][]int{make([]int, n), make([]int, n)}
	for _, l := range s.Train {
		degrees[0][l.From]++
		degrees[1][l.To]++
	}
	type side struct{ order, place []int32 }
	var sides [2]side
	for i, degree := range degrees {
		if !s.Directed {
			degree = make([]int, n)
			for v := range degree {
				degree[v] = degrees[0][v] + degrees[1][v]
			}
		}
		order := seq.Upto(int32(n))
		shuffle(order, r)
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(degree[a], degree[b]) })
		place := make([]int32, n)
		for at, v := range order {
			place[v] = int32(at)
		}
		sides[i] = side{order, place}
	}
	for i, l := range s.Test {
		for range triesOfDraw {
			of, ends := sides[i%2], [2]int32{l.From, l.To}
			at := int(of.place[ends[i%2]])
			first, last := max(at-nearestDegrees, 0), min(at+nearestDegrees, n-1)
			ends[i%2] = of.order[first+r.Intn(last-first+1)]
			if pair := (network.Link{From: ends[0], To: ends[1]}); pair.From != pair.To && !taken(pair) {
				out = append(out, pair)
				break
			}
		}
	}
	return out
}

// shuffle puts a list in random order.
func shuffle(list []int32, r *rng.Stream) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.Intn(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
