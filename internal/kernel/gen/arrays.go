package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// binary writes an elementwise function of two arguments, by one instruction.
func binary(s isa, name, doc string, f func(ops ...Op)) {
	s.function(name, "func(out, x, y *float32, n int)", "writes "+doc+", n words.")
	out, x, y, n := s.pointer("out"), s.pointer("x"), s.pointer("y"), s.pointer("n")
	s.elementwise(n, func(l lanes) {
		v := l.load(x)
		f(s.operand(l.at(y), l.m), v, v)
		l.store(v, out)
	})
	finish()
}

// withNumber writes an elementwise function of an argument and a number.
func withNumber(s isa, name, doc string, f func(ops ...Op)) {
	s.function(name, "func(out, x *float32, n int, c float32)", "writes "+doc+", n words.")
	out, x, n, c := s.pointer("out"), s.pointer("x"), s.pointer("n"), s.param("c")
	s.elementwise(n, func(l lanes) {
		v := l.load(x)
		f(c, v, v)
		l.store(v, out)
	})
	finish()
}

func reluSlope(s isa) {
	s.function("reluSlope", "func(out, x, grad *float32, n int)", "writes grad where x > 0, else 0, n words.")
	out, x, g, n := s.pointer("out"), s.pointer("x"), s.pointer("grad"), s.pointer("n")
	zero := s.zeroed()
	s.elementwise(n, func(l lanes) {
		v := l.load(g)
		if s.wide() {
			keep := K()
			VCMPPS(Imm(less), l.load(x), zero, keep) // 0 < x
			VMOVAPS_Z(v, keep, v)
		} else {
			keep := s.vec()
			VCMPPS(Imm(less), l.load(x), zero, keep)
			VANDPS(keep, v, v)
		}
		l.store(v, out)
	})
	finish()
}

// total sums in sixteen lanes of float64.
func total(s isa) {
	s.function("total", "func(sums *float64, x *float32, n int)", "writes 16 sums of n words, a multiple of 16: of those i, i+16, ...")
	sums, x, n := s.pointer("sums"), s.pointer("x"), s.pointer("n")
	acc := s.zeros(4)
	loopBy(n, 16, func() {
		for i, v := range acc {
			wide := s.vec()
			VCVTPS2PD(at(x, 4*i), wide)
			VADDPD(wide, v, v)
		}
		ADDQ(Imm(64), x)
	})
	for i, v := range acc {
		VMOVUPD(v, at(sums, 8*i))
	}
	finish()
}
