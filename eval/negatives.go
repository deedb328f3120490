package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/network"
)

// Negatives are a kind of pairs without a link that test links are ranked against: an entry of NegativesKinds.
type Negatives struct {
	Help   string
	Source string
	Suffix string // behind the names of metrics; that of the published negatives is empty
	Simple bool   // self-loops are left out of the test links: they are never negatives
	Each   int    // how many belong to each test link, which is ranked among those; 0 where all are ranked together
	// Draw returns the pairs; of Each the first belong to the first test link. They are the same at each call. It returns an error for a split that has none.
	Draw func(s *network.Split) ([]network.Link, error)
}

// hardEach is how many of the hard negatives belong to each test link: half of them to each end.
const hardEach = 50

// NegativesKinds are the kinds by name.
var NegativesKinds = map[string]Negatives{
	"published": {
		Help: "those of the split: random pairs and, of a directed network, the reverses of links", Source: "Park et al., KDD 2020",
		Draw: func(s *network.Split) ([]network.Link, error) {
			if s.Directed {
				return s.TestNegDirected, nil
			}
			return s.TestNeg, nil
		},
	},
	"uniform": {
		Help: "random pairs, all equally likely: those of the split", Suffix: "_random",
		Draw: func(s *network.Split) ([]network.Link, error) { return s.TestNeg, nil },
	},
	"reversed": {
		Help: "of a directed network, the reverses of links, which test whether a score knows the direction", Source: "Park et al., KDD 2020", Suffix: "_reversed", Draw: reversedNegatives,
	},
	"simple": {
		Help: "random pairs, as uniform, for test links that are no self-loops", Suffix: "_simple", Simple: true,
		Draw: func(s *network.Split) ([]network.Link, error) { return s.TestNeg, nil },
	},
	"degree": {
		Help: "random pairs whose ends have the degrees of the ends of test links, so that degrees alone do not tell them", Source: "Aiyappa et al., ICML 2025", Suffix: "_degree", Draw: degreeNegatives,
	},
	"hard": {
		Help: fmt.Sprintf("for each test link, %d pairs of one of its ends and a vertex two links away from it", hardEach), Source: "Li et al., NeurIPS 2023 (HeaRT)", Suffix: "_hard", Each: hardEach, Draw: hardNegatives,
	},
}

// usualNegatives are those of records.
var usualNegatives = []string{"published", "uniform", "degree"}

// drawnKind are the negatives of a kind.
type drawnKind struct {
	Negatives
	name  string
	Links []network.Link
}

// drawAll returns the negatives of a measurement. Of the usual ones, what a split cannot have is left out.
func drawAll(ctx context.Context, s *network.Split, m Measurement) (all []drawnKind, err error) {
	for _, name := range m.negatives() {
		k, ok := NegativesKinds[name]
		if !ok {
			return nil, fmt.Errorf("eval: %w", unknown.Name{What: "kind of negatives", Name: name, Known: NegativesNames()})
		}
		links, err := k.Draw(s)
		if err == nil && len(links) == 0 {
			err = errors.New("there are none")
		}
		if err != nil && len(m.Negatives) == 0 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("eval: negatives %q: %w", name, err)
		}
		all = append(all, drawnKind{k, name, links})
	}
	return all, ctx.Err()
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
	form := func(l network.Link) network.Link {
		if !s.Directed && l.From > l.To {
			l.From, l.To = l.To, l.From
		}
		return l
	}
	for _, list := range [][]network.Link{s.Train, s.Test} {
		for _, l := range list {
			linked[form(l)] = true
		}
	}
	return func(l network.Link) bool { return linked[form(l)] }
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

// hardNegatives replace the second and the first end of a test link in turn by a vertex that two random steps from the end that stays lead to, over
// training links of either direction. Where that finds no pair without a link, any vertex will do.
func hardNegatives(s *network.Split) ([]network.Link, error) {
	r := rng.New(1, "hard-negatives")
	t := newTopology(len(s.Names), s.Train, s.Directed)
	taken := linkedPairs(s)
	step := func(v int32) int32 {
		if near := t.near(v); len(near) > 0 {
			return near[r.Intn(len(near))]
		}
		return int32(r.Intn(t.n))
	}
	out := make([]network.Link, 0, hardEach*len(s.Test))
	for _, l := range s.Test {
		for i := range hardEach {
			pair := l
			for try := 0; ; try++ {
				var w int32
				if stays := l.From; try < triesOfDraw {
					if i%2 == 1 {
						stays = l.To
					}
					w = step(step(stays))
				} else {
					w = int32(r.Intn(t.n))
				}
				if pair = (network.Link{From: l.From, To: w}); i%2 == 1 {
					pair = network.Link{From: w, To: l.To}
				}
				if pair.From != pair.To && !taken(pair) {
					break
				}
				if try > 3*triesOfDraw {
					return nil, fmt.Errorf("vertices of link (%d,%d) are linked with nearly all others: expected a sparser network", l.From, l.To)
				}
			}
			out = append(out, pair)
		}
	}
	return out, nil
}
