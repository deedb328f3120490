package walks

import (
	"math/bits"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// permutation is a pseudo-random bijection of 0..n-1 that needs no table: a Feistel network over the next power of two,
// walked along its cycle until it falls below n (less than two rounds on average).
type permutation struct {
	n, mask     uint64
	half, other uint     // bits of the right and of the left half
	keys        []uint64 // of the rounds
}

// Halves of many bits are mixed by few rounds; below a thousand items four can be told from chance.
const (
	roundsOfMany = 4
	roundsOfFew  = 16
	few          = 1000
)

func newPermutation(n uint64, key rng.Key) permutation {
	width := uint(max(bits.Len64(n-1), 2))
	p := permutation{n: n, half: width / 2, other: width - width/2}
	p.mask = 1<<width - 1
	rounds := roundsOfMany
	if n < few {
		rounds = roundsOfFew
	}
	p.keys = make([]uint64, rounds)
	s := key.Stream(n)
	for i := range p.keys {
		p.keys[i] = s.Uint64()
	}
	return p
}

// at returns where i goes, for i in [0,n).
func (p *permutation) at(i uint64) uint64 {
	for {
		i = p.round(i)
		if i < p.n {
			return i
		}
	}
}

// round is an unbalanced Feistel network: each of its rounds adds a keyed hash of one half to the other and swaps them.
func (p *permutation) round(x uint64) uint64 {
	low, high := p.half, p.other
	for _, k := range p.keys {
		left, right := x>>low, x&(1<<low-1)
		h := (right ^ k) * 0x9e3779b97f4a7c15
		left = (left ^ (h ^ h>>32)) & (1<<high - 1)
		x = right<<high | left
		low, high = high, low
	}
	return x & p.mask
}
