package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// parts returns pointers to so many parts, of n words each, of an argument.
func (s isa) parts(name string, count int, n gp) []gp {
	p := []gp{s.pointer(name)}
	for len(p) < count {
		next := GP64()
		LEAQ(Mem{Base: p[len(p)-1], Index: n, Scale: 4}, next)
		p = append(p, next)
	}
	return p
}

// gruStep goes over a row once, so that nothing of it leaves the registers between the gates and the state.
func gruStep(s isa) {
	s.function("gruStep", "func(gates, in, bias, state, next, sum *float32, n int)", "does a step of a GRU for a row of n words.")
	n := s.pointer("n")
	gates, in := s.parts("gates", 4, n), s.parts("in", 3, n)
	bias, state, next, sum := s.pointer("bias"), s.pointer("state"), s.pointer("next"), s.pointer("sum")
	s.elementwise(n, func(l lanes) {
		gate := func(i int) vec {
			x := l.load(gates[i])
			VADDPS(l.load(in[i]), x, x)
			x = s.sigmoid(x)
			l.store(x, gates[i])
			return x
		}
		r, hidden := gate(0), l.load(gates[2])
		VADDPS(l.load(bias), hidden, hidden)
		l.store(hidden, gates[2])
		VFMADD213PS(l.load(in[2]), hidden, r) // r*hidden + in
		candidate := s.tanh(r)
		l.store(candidate, gates[3])
		z, h := gate(1), l.load(state)
		VSUBPS(candidate, h, h)
		VFMADD213PS(candidate, z, h) // h*z + candidate
		l.store(h, next)
		VADDPS(l.load(sum), h, h)
		l.store(h, sum)
	})
	finish()
}

func gruSlope(s isa) {
	s.function("gruSlope", "func(gates, state, carry, grad *float32, n int, share float32)", "takes a step of a GRU back for a row of n words.")
	n := s.pointer("n")
	gates := s.parts("gates", 4, n)
	state, carry, grad, share, one := s.pointer("state"), s.pointer("carry"), s.pointer("grad"), s.param("share"), s.constant("one")
	s.elementwise(n, func(l lanes) {
		dh, z, c := l.load(grad), l.load(gates[1]), l.load(gates[3])
		VFMADD213PS(l.load(carry), share, dh)
		rest, dn, dz := s.vec(), s.vec(), l.load(state)
		VSUBPS(z, one, rest) // 1 - z
		VSUBPS(c, dz, dz)
		VMOVAPS(one, dn)
		VFNMADD231PS(c, c, dn) // 1 - n²
		VMULPS(rest, dn, dn)
		VMULPS(dh, dn, dn)
		VMULPS(dh, z, z) // of the state
		l.store(z, carry)
		VMULPS(rest, z, z)
		VMULPS(z, dz, dz)
		l.store(dn, gates[3])
		l.store(dz, gates[1])
		r, dr := l.load(gates[0]), s.vec()
		VMULPS(r, dn, dn) // of hidden
		VSUBPS(r, one, dr)
		VMULPS(dn, dr, dr)
		VMULPS(l.load(gates[2]), dr, dr)
		l.store(dr, gates[0])
		l.store(dn, gates[2])
	})
	finish()
}
