// Package rng derives every random number of a run from one seed.
//
// A stream is named by what it is for and by what it belongs to: New(seed, "walks", round, vertex). Two streams with
// different names are independent, so one more draw in one place leaves all the others alone, and what a walk or a window
// draws does not depend on how many threads work or in which order they get to it.
package rng

import (
	"math/bits"
	"math/rand/v2"
)

// Stream is a SplitMix64 generator (Steele, Lea and Flood, OOPSLA 2014): a counter with a strong output function, so a
// stream costs eight bytes and one hash to start. The zero value is a valid stream; use New or Key.Stream for a named one.
// It implements math/rand/v2.Source. It is not safe for use by several goroutines.
type Stream struct{ state uint64 }

var _ rand.Source = (*Stream)(nil)

const golden = 0x9e3779b97f4a7c15

// mix is SplitMix64's output function, a bijection of 64 bits.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Key is a family of streams: hash the name once, then ask for the members by number.
type Key uint64

// NewKey names a family of streams of a seed, such as "walks" or "noise".
func NewKey(seed uint64, name string) Key {
	h := mix(seed + golden)
	for i := 0; i < len(name); i++ {
		h = mix(h ^ uint64(name[i]) + golden)
	}
	return Key(mix(h ^ uint64(len(name))))
}

// With returns the sub-family that id names.
func (k Key) With(id uint64) Key { return Key(mix(uint64(k) ^ mix(id+golden))) }

// Stream returns the member of the family that id names.
func (k Key) Stream(id uint64) Stream { return Stream{uint64(k.With(id))} }

// New returns the stream of a seed that name and ids name.
func New(seed uint64, name string, ids ...uint64) *Stream {
	k := NewKey(seed, name)
	for _, id := range ids {
		k = k.With(id)
	}
	return &Stream{uint64(k)}
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += golden
	return mix(s.state)
}

// Intn returns a uniform integer in [0,n), for 0 < n <= 2^32.
//
// It is Lemire's multiplication without the rejection step: the bias is below n/2^64, less than one in four billion.
func (s *Stream) Intn(n int) int {
	hi, _ := bits.Mul64(s.Uint64(), uint64(n))
	return int(hi)
}

// Float64 returns a uniform number in (0,1): never 0 and never 1, so that its logarithm is finite.
func (s *Stream) Float64() float64 { return (float64(s.Uint64()>>12) + 0.5) * (1.0 / (1 << 52)) }

// Float32 returns a uniform number in (0,1): never 0 and never 1 also after rounding to float32.
func (s *Stream) Float32() float32 { return (float32(s.Uint64()>>41) + 0.5) * (1.0 / (1 << 23)) }

// Normal returns a draw from N(0,1).
func (s *Stream) Normal() float64 { return rand.New(s).NormFloat64() }

// Perm returns a random permutation of 0..n-1.
func (s *Stream) Perm(n int) []int {
	p := make([]int, n)
	s.FillPerm(p)
	return p
}

// FillPerm sets p to a random permutation of 0 to len(p)-1.
func (s *Stream) FillPerm(p []int) {
	for i := range p {
		j := s.Intn(i + 1)
		p[i], p[j] = p[j], i
	}
}

// Fill sets dst to uniform numbers in (0,1), as Float32 does, two for each 64 bits.
func (s *Stream) Fill(dst []float32) {
	const unit = 1.0 / (1 << 23)
	i := 0
	for ; i+1 < len(dst); i += 2 {
		bits := s.Uint64()
		dst[i] = (float32(bits>>41) + 0.5) * unit
		dst[i+1] = (float32(bits>>9&(1<<23-1)) + 0.5) * unit
	}
	if i < len(dst) {
		dst[i] = s.Float32()
	}
}
