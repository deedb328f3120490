package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// A lanes hands one vector of an elementwise loop to its body: word i of each array, whole or masked.
type lanes struct {
	s isa
	i gp // byte offset
	m *tail
}

func (l lanes) at(p gp) Mem          { return offset(p, l.i, 0) }
func (l lanes) load(p gp) vec        { return l.s.load(l.at(p), l.m) }
func (l lanes) store(v vec, p gp)    { l.s.store(v, l.at(p), l.m) }
func (s isa) pointer(name string) gp { return Load(Param(name), GP64()).(gp) }

// elementwise emits body for whole vectors and once more for the tail; n is used up.
func (s isa) elementwise(n gp, body func(l lanes)) {
	i := GP64()
	XORQ(i, i)
	loopBy(n, s.width, func() {
		body(lanes{s: s, i: i})
		ADDQ(Imm(uint64(4*s.width)), i)
	})
	end := label("end")
	TESTQ(n, n)
	JEQ(end)
	m := s.tail(n)
	body(lanes{s: s, i: i, m: &m})
	mark(end)
}

// dot sums in four chains.
func dot(s isa) {
	s.function("dot", "func(x, y *float32, n int) float32", "returns the inner product of n words.")
	x, y, n := s.pointer("x"), s.pointer("y"), s.pointer("n")
	sums := s.zeros(4)
	loopBy(n, 4*s.width, func() {
		for i, v := range sums {
			s.fma(at(x, i*s.width), s.load(at(y, i*s.width), nil), v, nil)
		}
		ADDQ(I32(int32(16*s.width)), x)
		ADDQ(I32(int32(16*s.width)), y)
	})
	s.elementwise(n, func(l lanes) { s.fma(l.at(x), l.load(y), sums[0], l.m) })
	VADDPS(sums[1], sums[0], sums[0])
	VADDPS(sums[3], sums[2], sums[2])
	VADDPS(sums[2], sums[0], sums[0])
	Store(s.sum1(sums[0]), ReturnIndex(0))
	finish()
}

func axpy(s isa) {
	s.function("axpy", "func(y, x *float32, n int, a float32)", "adds a*x to y, n words.")
	y, x, n, a := s.pointer("y"), s.pointer("x"), s.pointer("n"), s.param("a")
	s.elementwise(n, func(l lanes) {
		v := l.load(y)
		s.fma(l.at(x), a, v, l.m)
		l.store(v, y)
	})
	finish()
}

func adam(s isa) {
	s.function("adam", "func(p, m, v, grad *float32, n int, rate, invSqrtBias2, beta1, beta2, rest1, rest2, eps float32)",
		"does one step of Adam on n words.")
	p, m, v, g, n := s.pointer("p"), s.pointer("m"), s.pointer("v"), s.pointer("grad"), s.pointer("n")
	rate, unbias, eps := s.param("rate"), s.param("invSqrtBias2"), s.param("eps")
	beta1, beta2, rest1, rest2 := s.param("beta1"), s.param("beta2"), s.param("rest1"), s.param("rest2")
	tiny := s.constant("tiny")
	s.elementwise(n, func(l lanes) {
		first, second, x := s.vec(), s.vec(), s.vec()
		VMULPS(l.load(m), beta1, first)
		VMULPS(l.load(v), beta2, second)
		gradient, scaled := l.load(g), s.vec()
		VFMADD231PS(gradient, rest1, first)
		VMULPS(gradient, rest2, scaled)
		VFMADD231PS(gradient, scaled, second)
		s.flush(first, tiny)
		s.flush(second, tiny)
		l.store(first, m)
		l.store(second, v)
		VSQRTPS(second, second)
		VFMADD213PS(eps, unbias, second) // second*unbias + eps
		VDIVPS(second, first, first)
		s.loadTo(l.at(p), x, l.m)
		VFNMADD231PS(first, rate, x)
		l.store(x, p)
	})
	finish()
}

// flush clears the lanes of v whose magnitude is less than that of limit; a NaN stays.
func (s isa) flush(v, limit vec) {
	keep := s.vec()
	VANDPS(constants["absBits"], v, keep)
	VCMPPS(Imm(notLess), limit, keep, keep)
	VANDPS(keep, v, v)
}

// Predicates of VCMPPS that raise no exception; the second of Go's operands is compared with the first.
const (
	equal      = 0x00 // EQ_OQ
	less       = 0x11 // LT_OQ
	notLess    = 0x15 // NLT_UQ: true for NaN
	notAtLeast = 0x19 // NGE_UQ: true for NaN
)
