package typed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// swapsPerLink is how often each link is drawn, on average, to exchange its target with another one: Milo et al., arXiv:cond-mat/0312028,
// find that many more than enough.
const swapsPerLink = 100

// Shuffled returns the network with the links of some types rewired at random: pairs of links exchange their targets, over and over, so
// that every vertex keeps its number of links of the type, and no link is there twice or joins a vertex with itself unless one did
// before. Weights and times stay where the sources are. The seed's stream "shuffle NAME" draws for each type. It returns an error for
// names that are no types of links.
//
// Source: Maslov, Sneppen, Science 296, 2002.
func (n *Network) Shuffled(names []string, seed uint64) (*Network, error) {
	if err := n.CheckLinkNames(names); err != nil {
		return nil, err
	}
	out := *n
	out.Links = slices.Clone(n.Links)
	for _, name := range names {
		i := n.Link(name)
		out.Links[i].shuffle(n.Schema.Links[i], rng.New(seed, "shuffle "+name))
	}
	return &out, nil
}

// CheckLinkNames returns an error for names that are no types of links.
func (s *Schema) CheckLinkNames(names []string) error {
	for _, name := range names {
		if s.Link(name) < 0 {
			return fmt.Errorf("typed: no type of links %q: expected some of %s, with commas between", name, strings.Join(s.linkNames(), ", "))
		}
	}
	return nil
}

func (l *Links) shuffle(typ LinkType, s *rng.Stream) {
	m := len(l.From)
	if m < 2 {
		return
	}
	l.From, l.To = slices.Clone(l.From), slices.Clone(l.To)
	within := typ.From == typ.To
	either := within && !typ.Directed
	key := func(from, to int32) [2]int32 {
		if either && from > to {
			return [2]int32{to, from}
		}
		return [2]int32{from, to}
	}
	there := make(map[[2]int32]bool, m)
	for k := range m {
		there[key(l.From[k], l.To[k])] = true
	}
	for range swapsPerLink * m / 2 {
		i, j := s.Intn(m), s.Intn(m)
		a, b, c, d := l.From[i], l.To[i], l.From[j], l.To[j]
		if either && s.Intn(2) == 1 {
			c, d = d, c
		}
		first, second := key(a, d), key(c, b)
		if i == j || within && (a == d || c == b) || first == second || there[first] || there[second] {
			continue
		}
		delete(there, key(a, b))
		delete(there, key(c, d))
		there[first], there[second] = true, true
		l.From[i], l.To[i], l.From[j], l.To[j] = a, d, c, b
	}
}
