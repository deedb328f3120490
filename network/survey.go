package network

import (
	"math"
	"regexp"
	"slices"
)

// survey is what the columns of the ends of links are like as wholes, but for the first line, which may be something else.
type survey struct {
	first  Link
	in     []uint8 // the columns that have a vertex: 1 for the first, 2 for the second, 3 for both
	loops  bool
	values []uint64 // of the ids of vertices; nil unless all are whole numbers
}

// survey looks at the links, of which there is at least one.
func (p *linkParser) survey() *survey {
	s := &survey{in: make([]uint8, p.b.Vertices()), values: make([]uint64, p.b.Vertices())}
	s.first = p.b.links[0]
	for _, l := range p.b.links[1:] {
		s.take(l)
	}
	for v, name := range p.b.ids.names {
		x, plain := plainInteger([]byte(name))
		if !plain {
			s.values = nil
			break
		}
		s.values[v] = x
	}
	return s
}

func (s *survey) take(l Link) {
	s.in[l.From] |= 1
	s.in[l.To] |= 2
	s.loops = s.loops || l.From == l.To
}

// ids returns how many vertices some columns have, and the least and the largest of their ids.
func (s *survey) ids(columns uint8) (different, least, most uint64) {
	least = math.MaxUint64
	for v, in := range s.in {
		if in&columns > 0 {
			different, least, most = different+1, min(least, s.values[v]), max(most, s.values[v])
		}
	}
	return different, least, most
}

// once says whether no other line has the vertices of the first one.
func (s *survey) once() bool {
	a, b := s.first.From, s.first.To
	return a != b && s.in[a]|s.in[b] == 0
}

// onlyText says whether the ids of the first line are the only ones that are no numbers.
func (s *survey) onlyText(b *Builder) bool {
	for v, name := range b.ids.names {
		if isDecimal(name) == (int32(v) == s.first.From || int32(v) == s.first.To) {
			return false
		}
	}
	return true
}

// sizes says whether the first line, which is between two vertices, could be how many vertices and links the others have, or rows, columns and
// links.
func (s *survey) sizes(p *linkParser) bool {
	others := uint64(p.b.Links() - 1)
	if s.values == nil || others < 3 {
		return false
	}
	rows, last := s.values[s.first.From], s.values[s.first.To]
	if p.count == 3 && p.b.weighted && p.b.weights[0] == float32(others) {
		_, _, from := s.ids(1)
		_, _, to := s.ids(2)
		return rows >= from && last >= to
	}
	vertices, _, most := s.ids(3)
	return last == others && (rows == vertices || rows == most || rows == most+1)
}

// Words in names of columns of vertices of two kinds.
var (
	userWord = regexp.MustCompile(`(?i)user|customer|reader|reviewer|listener|author`)
	itemWord = regexp.MustCompile(`(?i)item|movie|film|book|isbn|artist|track|song|product|business|venue|paper|tag`)
)

// twoKinds says whether the columns seem to number different things, such as users and films, and have numbers in common: by their names, or as
// each counts from 0 or 1, nearly without a gap, to another last number, and some have the same. It takes the first line too.
func (s *survey) twoKinds(p *linkParser) bool {
	if p.bip || p.konect || s.values == nil {
		return false
	}
	s.take(s.first)
	if p.header && userWord.MatchString(p.ends[0]) && itemWord.MatchString(p.ends[1]) {
		return slices.Contains(s.in, 3)
	}
	users, first, last := s.ids(1)
	items, begin, end := s.ids(2)
	dense := func(different, least, most uint64) bool { return least <= 1 && different*10 >= (most-least+1)*9 }
	return s.loops && first == begin && dense(users, first, last) && dense(items, begin, end) && max(last, end)*10 >= min(last, end)*11
}
