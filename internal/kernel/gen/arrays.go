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

func scale(s isa) {
	s.function("scale", "func(out, x *float32, n int, c float32)", "writes c*x, n words.")
	out, x, n, c := s.pointer("out"), s.pointer("x"), s.pointer("n"), s.param("c")
	s.elementwise(n, func(l lanes) {
		v := l.load(x)
		VMULPS(c, v, v)
		l.store(v, out)
	})
	finish()
}
