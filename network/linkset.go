package network

// linkSet is a set of links with room for a number known beforehand: a hash table with linear probing, a fraction of the size
// and time of a map.
type linkSet struct {
	slots []Link // From = -1 where empty
	mask  uint64
}

func newLinkSet(count int) *linkSet {
	size := 16
	for size < 2*count {
		size *= 2
	}
	s := &linkSet{make([]Link, size), uint64(size - 1)}
	for i := range s.slots {
		s.slots[i].From = -1
	}
	return s
}

// add adds a link and says whether it is new.
func (s *linkSet) add(l Link) bool {
	h := (uint64(uint32(l.From))<<32 | uint64(uint32(l.To))) * 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio: spreads neighbours
	for i := (h ^ h>>32) & s.mask; ; i = (i + 1) & s.mask {
		if s.slots[i] == l {
			return false
		}
		if s.slots[i].From < 0 {
			s.slots[i] = l
			return true
		}
	}
}
