package network

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// HoldOut returns a split of the training part alone, for choosing epochs and options without looking at the test links:
// floor(fraction·len(Train)) training links become its Test, by the rule of s (see Spare); fewer if
// fewer can be spared. Its TestNeg are as many of the TrainNeg, taken from them. Names are shared with s. Options.Seed and
// Remove of the result are those of HoldOut.
//
// For directed networks its TestNegDirected are the reverses (v,u) of the links of s.Train that are not in s.Train, together
// with its TestNeg. Neither s.Test nor its negatives are read. It fails when fraction is not in (0,1), when no link can be
// spared, and when s has too few TrainNeg.
func (s *Split) HoldOut(fraction float64, seed uint64) (*Split, error) {
	return s.holdOut(fraction, seed, false)
}

// HoldOutAlike is HoldOut with the reversed links among its TestNegDirected in the proportion that they have among those of s:
// for each link held out as many reverses of links that were trained on as s has training links for each test link, one where it has no test
// links. HoldOut's are nearly all of them reverses of links that were trained on, so that its AUC asks for little but to tell
// those from the links held out. For undirected networks the two are the same. It returns the errors of HoldOut.
func (s *Split) HoldOutAlike(fraction float64, seed uint64) (*Split, error) {
	return s.holdOut(fraction, seed, true)
}

func (s *Split) holdOut(fraction float64, seed uint64, alike bool) (*Split, error) {
	out := &Split{Names: s.Names, Directed: s.Directed, Options: SplitOptions{Remove: fraction, Rule: s.spareRule(), Seed: seed}}
	var err error
	if out.Train, out.Test, err = s.Spare(fraction, seed); err != nil {
		return nil, fmt.Errorf("network: HoldOut: %w", err)
	}
	if len(s.TrainNeg) <= len(out.Test) {
		return nil, fmt.Errorf("network: HoldOut: %d training negatives: expected more than the %d validation links", len(s.TrainNeg), len(out.Test))
	}
	negatives := s.canonical(s.TrainNeg)
	shuffle(negatives, rng.New(seed, "holdout-negatives"))
	out.TestNeg, out.TrainNeg = negatives[:len(out.Test):len(out.Test)], negatives[len(out.Test):]
	out.weigh(s.weight)
	for _, list := range [][]Link{out.Train, out.Test, out.TestNeg, out.TrainNeg} {
		slices.SortFunc(list, compareLinks)
	}
	switch {
	case s.Directed && alike:
		ratio := 1.
		if len(s.Test) > 0 {
			ratio = float64(len(s.Train)) / float64(len(s.Test))
		}
		trained := slices.Clone(out.Train)
		shuffle(trained, rng.New(seed, "holdout-reversed"))
		trained = trained[:min(len(trained), int(ratio*float64(len(out.Test))))]
		// No reverse of a link is a negative, whichever links were drawn.
		drawn := directedNegatives(out.TestNeg, out.Test, trained)
		links := s.canonical(s.Train)
		random := map[Link]bool{}
		for _, l := range out.TestNeg {
			random[l] = true
		}
		out.TestNegDirected = slices.DeleteFunc(drawn, func(l Link) bool {
			_, linked := slices.BinarySearchFunc(links, l, compareLinks)
			return linked && !random[l]
		})
	case s.Directed:
		out.TestNegDirected = directedNegatives(out.TestNeg, s.Train)
	}
	return out, nil
}

// Spare returns the training links in two lists: floor(fraction·len(Train)) random ones are held, fewer if
// fewer can be spared, by the rule by which the test links were, since what removal leaves behind tells links
// too. So the others, which are kept, still hold every vertex together, unless the rule is linked or random.
// Of a split that MakeSplit made, self-loops are kept and both arcs of a reciprocal pair stay together, as
// they do among its test links. It fails when fraction is not in (0,1) and when no link can be spared.
func (s *Split) Spare(fraction float64, seed uint64) (kept, held []Link, err error) {
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("fraction = %v: expected a share of the training links between 0 and 1, both excluded", fraction)
	}
	target := int(fraction * float64(len(s.Train)))
	if target < 1 {
		return nil, nil, fmt.Errorf("%v of %d training links is less than one link: expected more of them", fraction, len(s.Train))
	}
	links := s.canonical(s.Train) // so that the order of the file does not matter
	size := one
	if s.Options.Rule != "" && !s.Options.AsPublished {
		links, kept, size = whole(links, s.Directed)
	}
	shuffle(links, rng.New(seed, "holdout"))
	for i, f := range removeBy(s.spareRule(), len(s.Names), links, size, target) {
		arcs := []Link{links[i], links[i].reversed()}[:size(links[i])]
		if f == remove {
			held = append(held, arcs...)
		} else {
			kept = append(kept, arcs...)
		}
	}
	if len(held) == 0 {
		return nil, nil, fmt.Errorf("none of the %d training links can be spared without disconnecting the training network: expected one with more cycles", len(links))
	}
	return kept, held, nil
}

// spareRule returns the rule by which Spare takes links: that of the test links. Of a split that does not
// say, it is random where test links took more vertices' last links than the published code does, and linked
// where they took the network apart.
func (s *Split) spareRule() string {
	switch rule := s.Options.Rule; {
	case rule == "ce5":
		return "ce1"
	case rule != "" || len(s.Test) == 0:
		return cmp.Or(rule, "ce1")
	}
	f, stranded := newForest(len(s.Names)), len(s.Stranded())
	for _, l := range s.Train {
		f.join(l.From, l.To)
	}
	switch {
	case stranded >= checkEvery:
		return ruleRandom
	case f.trees() > 1+stranded:
		return ruleLinked
	}
	return "ce1"
}
