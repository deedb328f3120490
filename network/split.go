package network

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/digest"
)

// Split parts the links of a network for link prediction: a model sees Train, a classifier learns from Train and TrainNeg,
// and Test against TestNeg gives the score. All links are positions in Names. Every list is sorted; an undirected link has its
// smaller vertex first.
//
// Source: Park et al., KDD 2020, §A.2, and the authors' preprocessing code.
type Split struct {
	Names    []string // ids of the vertices, sorted
	Directed bool

	Train    []Link // links to learn from; the network of them holds every vertex, but see Stranded
	TrainNeg []Link // as many random pairs that are no links
	Test     []Link // links to predict
	TestNeg  []Link // as many random pairs that are no links

	// TestNegDirected is nil for undirected networks. For directed ones it holds the reversed links, (v,u) for each (u,v) of
	// Train and Test that is not itself one of them, together with TestNeg. These are the test negatives of the paper's tables on
	// directed networks. A random pair can be a reversed link too, so a pair may stand in it twice.
	TestNegDirected []Link

	// Weights are those of the training links whose weight is not 1, each finite and > 0. The key of an undirected link has its
	// smaller vertex first.
	Weights map[Link]float32

	Sides   []int        // sizes of the two sides of a bipartite network, where MakeSplit found that it is one; nil else
	Lost    int          // links of the network in neither Train nor Test, which the rule "ce5" may leave over
	Options SplitOptions // how the split was made; the zero value where that is unknown
}

// TrainNetwork returns the network of the training links on all vertices of the split. It returns an error for vertices or weights out
// of range.
func (s *Split) TrainNetwork() (*Network, error) {
	n, err := New(s.Names, s.Train, s.trainWeights(s.Train), s.Directed)
	if err != nil {
		return nil, fmt.Errorf("network: TrainNetwork: %w", err)
	}
	return n, nil
}

// Stranded returns the vertices without a training link. Of the rules of MakeSplit only random leaves some.
// The published splits of three networks have one each (Filmtrust, Cora and 4area), since the published code
// throws its last links away without looking.
func (s *Split) Stranded() []int32 {
	seen := make([]bool, len(s.Names))
	for _, l := range s.Train {
		seen[l.From], seen[l.To] = true, true
	}
	var out []int32
	for v, ok := range seen {
		if !ok {
			out = append(out, int32(v))
		}
	}
	return out
}

// Counts of what makes links easy to predict, or no question at all.
type Counts struct {
	SelfLoops, TestSelfLoops int // among all links; among test links
	Pairs, Parted            int // reciprocal pairs of arcs, of directed networks; those of one training link and one test link
}

// Counts returns them, of the training and test links.
func (s *Split) Counts() (c Counts) {
	train, test := s.canonical(s.Train), s.canonical(s.Test)
	for i, links := range [][]Link{train, test} {
		for _, l := range links {
			if l.From == l.To {
				c.SelfLoops++
				c.TestSelfLoops += i
			}
			if !s.Directed || l.From >= l.To {
				continue
			}
			_, trained := slices.BinarySearchFunc(train, l.reversed(), compareLinks)
			_, tested := slices.BinarySearchFunc(test, l.reversed(), compareLinks)
			if trained || tested {
				c.Pairs++
			}
			if trained && i == 1 || tested && i == 0 {
				c.Parted++
			}
		}
	}
	return c
}

// Checksum returns the SHA-256, in hexadecimal, of what the split holds: its names, direction, lists and weights,
// whatever the order of the links in a list. How the split was made is not part of it.
func (s *Split) Checksum() string {
	d := digest.New()
	d.Text("split/1")
	d.Flag(s.Directed)
	d.Texts(s.Names)
	for _, list := range [][]Link{s.Train, s.TrainNeg, s.Test, s.TestNeg, s.TestNegDirected} {
		addLinks(d, s.canonical(list))
	}
	if weights := s.trainWeights(s.canonical(s.Train)); weights != nil {
		d.Floats(weights)
	}
	return d.Sum()
}

// canonical returns a sorted copy of list; an undirected link with its smaller end first.
func (s *Split) canonical(list []Link) []Link {
	out := slices.Clone(list)
	if !s.Directed {
		for i, l := range out {
			out[i] = l.ordered()
		}
	}
	if !slices.IsSortedFunc(out, compareLinks) {
		slices.SortFunc(out, compareLinks)
	}
	return out
}

// lists returns the lists of the split under the names of their files, in a fixed order. TestNegDirected is among them for
// directed splits only.
func (s *Split) lists() []namedLinks {
	lists := []namedLinks{
		{"train", &s.Train}, {"train_neg", &s.TrainNeg}, {"test", &s.Test}, {"test_neg", &s.TestNeg},
	}
	if s.Directed {
		lists = append(lists, namedLinks{"test_neg_directed", &s.TestNegDirected})
	}
	return lists
}

type namedLinks struct {
	name  string
	links *[]Link
}

// Check looks for what makes a score meaningless: a test link that is a training link, a negative that is a link, a link
// given twice, a weight or vertex out of range. It returns an error for the first such thing, with the list and the pair.
func (s *Split) Check() error {
	for _, list := range s.lists() {
		for i, l := range *list.links {
			if n := int32(len(s.Names)); l.From < 0 || l.From >= n || l.To < 0 || l.To >= n {
				return fmt.Errorf("network: split: %s: pair %d is %d to %d: expected vertices from 0 to %d", list.name, i, l.From, l.To, n-1)
			}
		}
	}
	train, test := s.canonical(s.Train), s.canonical(s.Test)
	positives := []struct {
		name  string
		links []Link
	}{{"train", train}, {"test", test}}
	for _, l := range train {
		if w := s.weight(l); !validWeight(w) {
			return fmt.Errorf("network: split: train: link %s has weight %v: expected a finite number > 0", s.show(l), w)
		}
	}
	for _, list := range positives {
		for i := 1; i < len(list.links); i++ {
			if list.links[i] == list.links[i-1] {
				return fmt.Errorf("network: split: %s: link %s is given twice: expected each link once", list.name, s.show(list.links[i]))
			}
		}
	}
	if l, found := common(train, test); found {
		return fmt.Errorf("network: split: test link %s is a training link too: expected them apart", s.show(l))
	}
	for _, list := range s.lists() {
		if list.links == &s.Train || list.links == &s.Test {
			continue
		}
		negatives := s.canonical(*list.links)
		for _, p := range positives {
			if l, found := common(negatives, p.links); found {
				return fmt.Errorf("network: split: %s: pair %s is a link in %s: expected pairs that are not links", list.name, s.show(l), p.name)
			}
		}
	}
	return nil
}

// trainWeights returns the weights of training links, or nil if all are 1.
func (s *Split) trainWeights(links []Link) []float32 {
	if len(s.Weights) == 0 {
		return nil
	}
	weights, ones := make([]float32, len(links)), true
	for i, l := range links {
		weights[i] = s.weight(l)
		ones = ones && weights[i] == 1
	}
	if ones {
		return nil
	}
	return weights
}

// weight returns the weight of a training link.
func (s *Split) weight(l Link) float32 {
	if !s.Directed {
		l = l.ordered()
	}
	if w, there := s.Weights[l]; there {
		return w
	}
	return 1
}

// weigh takes over the weights of the training links.
func (s *Split) weigh(weight func(Link) float32) {
	for _, l := range s.Train {
		s.setWeight(l, weight(l))
	}
}

// setWeight keeps the weight of a training link, unless it is that of a link that has none.
func (s *Split) setWeight(l Link, w float32) {
	if w == 1 {
		return
	}
	if s.Weights == nil {
		s.Weights = map[Link]float32{}
	}
	if !s.Directed {
		l = l.ordered()
	}
	s.Weights[l] = w
}

// show returns a link as its two ids.
func (s *Split) show(l Link) string { return fmt.Sprintf("%q %q", s.Names[l.From], s.Names[l.To]) }

// common returns the first link that is in both sorted lists.
func common(a, b []Link) (Link, bool) {
	for len(a) > 0 && len(b) > 0 {
		switch c := compareLinks(a[0], b[0]); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			return a[0], true
		}
	}
	return Link{}, false
}
