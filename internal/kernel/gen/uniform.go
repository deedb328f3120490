package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a state goes up by golden, and each value is hashed by two multiplications.
const (
	golden     = 0x9e3779b97f4a7c15
	splitMixC1 = 0xbf58476d1ce4e5b9
	splitMixC2 = 0x94d049bb133111eb
)

// uniform hashes width/2 states at a time; each gives two numbers, from its upper 23 bits and from the 23 bits after the next 9.
func uniform(s isa) {
	states := s.width / 2
	table := GLOBL("splitMix"+s.name, attr.RODATA|attr.NOPTR)
	words := []uint64{splitMixC1, splitMixC2, splitMixC1 >> 32, splitMixC2 >> 32, times(golden, states), (1<<23 - 1) << 32}
	for i := range states {
		words = append(words, times(golden, i+1))
	}
	for i, w := range words {
		DATA(8*i, U64(w))
	}
	all := func(i int) vec {
		v := s.vec()
		VPBROADCASTQ(table.Offset(8*i), v)
		return v
	}

	s.function("uniform", "func(dst *float32, n int, state uint64)", "writes n uniform numbers of a SplitMix64 stream.")
	dst, n := s.pointer("dst"), s.pointer("n")
	c1, c2, h1, h2, step, low := all(0), all(1), all(2), all(3), all(4), all(5)
	half, unit := s.constant("half"), s.constant("unit")
	state := s.vec()
	VPBROADCASTQ(stack("state"), state)
	VPADDQ(table.Offset(8*6), state, state)
	s.elementwise(n, func(l lanes) {
		z := s.vec()
		s.xorShift(30, state, z)
		s.multiply(c1, h1, z)
		s.xorShift(27, z, z)
		s.multiply(c2, h2, z)
		s.xorShift(31, z, z)
		first, second := s.vec(), s.vec()
		VPSRLQ(Imm(41), z, first)
		VPSLLQ(Imm(23), z, second)
		if s.wide() {
			VPANDQ(low, second, second)
			VPORQ(second, first, first)
		} else {
			VPAND(low, second, second)
			VPOR(second, first, first)
		}
		VCVTDQ2PS(first, first)
		VADDPS(half, first, first)
		VMULPS(unit, first, first)
		l.store(first, dst)
		VPADDQ(step, state, state)
	})
	finish()
}

// times multiplies modulo 2^64.
func times(x uint64, n int) uint64 { return x * uint64(n) }

// xorShift sets dst to x ^ x>>n, in each 64 bits.
func (s isa) xorShift(n uint64, x, dst vec) {
	t := s.vec()
	VPSRLQ(Imm(n), x, t)
	if s.wide() {
		VPXORQ(t, x, dst)
	} else {
		VPXOR(t, x, dst)
	}
}

// multiply multiplies each 64 bits of z by a constant, whose upper half is high. AVX2 only multiplies halves.
func (s isa) multiply(c, high, z vec) {
	if s.wide() {
		VPMULLQ(c, z, z)
		return
	}
	upper, cross := s.vec(), s.vec()
	VPSRLQ(Imm(32), z, upper)
	VPMULUDQ(c, upper, upper)
	VPMULUDQ(high, z, cross)
	VPADDQ(upper, cross, cross)
	VPSLLQ(Imm(32), cross, cross)
	VPMULUDQ(c, z, z)
	VPADDQ(cross, z, z)
}
