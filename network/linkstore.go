package network

// linkStore holds many links, in pieces: a slice that grows would be copied, and be there twice meanwhile.
type linkStore struct {
	links   [][]Link
	weights [][]float32 // nil when all are 1
	count   int         // links
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
	if s.count%piece == 0 {
		grew = true
		room := piece
		if s.count == 0 { // the first grows, as most networks are small
			room = 0
		}
		s.links = append(s.links, make([]Link, 0, room))
		if s.weights != nil {
			s.weights = append(s.weights, make([]float32, 0, room))
		}
	}
	last := len(s.links) - 1
	s.links[last] = append(s.links[last], l)
	if s.weights != nil {
		s.weights[last] = append(s.weights[last], weight)
	}
	s.count++
	return grew
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
