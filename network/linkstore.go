package network

// linkStore holds many links, in pieces: a slice that grows would be copied, and be there twice meanwhile. Links that are repeated
// within a piece are dropped when it is full, so that a file which says the same over and over takes no more room.
type linkStore struct {
	links   [][]Link
	weights [][]float32 // nil when all are 1
	count   int         // links that were added
	dropped duplicates  // that are no more in it
	again   bool        // the first link was among these
	seen    *pieceSet
}

const piece = 1 << 16 // links

// storeOf returns a store of links that are there already.
func storeOf(links []Link, weights []float32) *linkStore {
	s := &linkStore{links: [][]Link{links}, count: len(links)}
	if weights != nil {
		s.weights = [][]float32{weights}
	}
	return s
}

// add adds a link; its weight is lost unless there are weights. It says whether that took another piece.
func (s *linkStore) add(l Link, weight float32) (grew bool) {
	last := len(s.links) - 1
	full := last >= 0 && len(s.links[last]) == piece
	if full {
		s.dropRepeated()
		full = len(s.links[last]) > piece/2 // else it pays to go on filling it
	}
	if last < 0 || full {
		grew = true
		last++
		var next []Link // the first grows, as most networks are small
		var weights []float32
		if last > 0 {
			next = make([]Link, 0, piece)
		}
		s.links = append(s.links, next)
		if s.weights != nil {
			if last > 0 {
				weights = make([]float32, 0, piece)
			}
			s.weights = append(s.weights, weights)
		}
	}
	s.links[last] = append(s.links[last], l)
	if s.weights != nil {
		s.weights[last] = append(s.weights[last], weight)
	}
	s.count++
	return grew
}

// dropRepeated drops the repeated links of the last piece; the first weight stays.
func (s *linkStore) dropRepeated() {
	if s.seen == nil {
		s.seen = new(pieceSet)
	}
	clear(s.seen.slots[:])
	last := len(s.links) - 1
	links := s.links[last]
	var weights []float32
	if s.weights != nil {
		weights = s.weights[last]
	}
	kept := 0
	for i, l := range links {
		if first := s.seen.first(links, l, kept); first < kept {
			s.dropped.repeated++
			s.again = s.again || l == s.links[0][0]
			if weights != nil && weights[first] != weights[i] {
				s.dropped.conflicting++
			}
			continue
		}
		links[kept] = l
		if weights != nil {
			weights[kept] = weights[i]
		}
		kept++
	}
	s.links[last] = links[:kept]
	if weights != nil {
		s.weights[last] = weights[:kept]
	}
}

// pieceSet finds the links of a piece: each slot has the place of one, and 1; 0 is free.
type pieceSet struct{ slots [2 * piece]uint32 }

// first returns the place of a link among those of a piece, or puts it in with the place given and returns that.
func (p *pieceSet) first(links []Link, l Link, place int) int {
	const odd = 0x9e3779b97f4a7c15 // spreads the bits (Knuth, The Art of Computer Programming 3, section 6.4)
	at := (uint64(uint32(l.From))<<32 | uint64(uint32(l.To))) * odd >> 32 % uint64(len(p.slots))
	for ; p.slots[at] > 0; at = (at + 1) % uint64(len(p.slots)) {
		if other := int(p.slots[at] - 1); links[other] == l {
			return other
		}
	}
	p.slots[at] = uint32(place) + 1
	return place
}

// fillWeights gives weights of 1 to the links that are there, so that others can have weights.
func (s *linkStore) fillWeights() {
	s.weights = make([][]float32, len(s.links), max(1, len(s.links)))
	for i, links := range s.links {
		s.weights[i] = make([]float32, len(links), cap(links))
		for j := range s.weights[i] {
			s.weights[i][j] = 1
		}
	}
}

// renumber replaces every vertex by its place.
func (s *linkStore) renumber(place []int32) {
	for _, links := range s.links {
		for i, l := range links {
			links[i] = Link{place[l.From], place[l.To]}
		}
	}
}

// lastFirst moves the link that was added last before all others.
func (s *linkStore) lastFirst() {
	end := len(s.links) - 1
	links := s.links[end]
	s.links = append([][]Link{links[len(links)-1:]}, s.links...)
	s.links[end+1] = links[:len(links)-1]
	if s.weights != nil {
		weights := s.weights[end]
		s.weights = append([][]float32{weights[len(weights)-1:]}, s.weights...)
		s.weights[end+1] = weights[:len(weights)-1]
	}
}
