package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Horizontal sums. All add the lanes of a vector in the same order, so that a row's sum does not depend on how many rows
// were summed with it: first the upper half of a 512-bit vector to the lower, then in each half of 128 bits
// (l0+l1)+(l2+l3), then the halves.

// fold returns a vector of eight lanes.
func (s isa) fold(v vec) vec {
	if !s.wide() {
		return v
	}
	low, high := v.AsY(), YMM()
	VEXTRACTF32X8(Imm(1), v, high)
	VADDPS(high, low, high)
	return high
}

// quads folds four vectors and returns their sums over each half of 128 bits.
func (s isa) quads(v []vec) vec {
	a, b := YMM(), YMM()
	v0, v1, v2, v3 := s.fold(v[0]), s.fold(v[1]), s.fold(v[2]), s.fold(v[3])
	VHADDPS(v1, v0, a)
	VHADDPS(v3, v2, b)
	VHADDPS(b, a, a)
	return a
}

// sum8 returns the sums of eight vectors as one vector of eight lanes.
func (s isa) sum8(v []vec) vec {
	a, b := s.quads(v[:4]), s.quads(v[4:])
	low, high := YMM(), YMM()
	VPERM2F128(Imm(0x20), b, a, low)
	VPERM2F128(Imm(0x31), b, a, high)
	VADDPS(high, low, low)
	return low
}

// sum4 returns the sums of four vectors as one of four lanes.
func (s isa) sum4(v []vec) reg.VecVirtual { return halves(s.quads(v)) }

// sum1 returns the sum of a vector in lane 0.
func (s isa) sum1(v vec) reg.VecVirtual {
	f, a := s.fold(v), YMM()
	VHADDPS(f, f, a)
	VHADDPS(a, a, a)
	return halves(a)
}

// halves adds the upper half of a 256-bit vector to the lower.
func halves(v vec) reg.VecVirtual {
	high := XMM()
	VEXTRACTF128(Imm(1), v, high)
	VADDPS(high, asX(v), high)
	return high
}

func asX(v vec) reg.Register { return v.AsX() }
