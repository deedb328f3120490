package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// unary writes an elementwise function of one argument.
func unary(s isa, name, doc string, f func(s isa, x vec) vec) {
	s.function(name, "func(dst, x *float32, n int)", doc+", n words.")
	dst, x, n := s.pointer("dst"), s.pointer("x"), s.pointer("n")
	s.elementwise(n, func(l lanes) { l.store(f(s, l.load(x)), dst) })
	finish()
}

// horner returns the polynomial of the table with terms coefficients at x.
func (s isa) horner(name string, terms int, x vec) vec {
	p := s.constant(term(name, terms-1))
	for i := terms - 2; i >= 0; i-- {
		s.with(opFMA, term(name, i), x, p)
	}
	return p
}

// exp returns e^x for all x.
func (s isa) exp(x vec) vec {
	top := s.constant("expMax")
	VMINPS(x, top, top) // of the two operands a NaN in x is the one returned
	return s.expBelow(top)
}

// expBelow returns e^x for x <= 89: x = n ln 2 + r, e^x = 2^n e^r, the power of two in two factors because neither the least nor
// the greatest is a float32.
func (s isa) expBelow(x vec) vec {
	r := s.constant("expMin")
	VMAXPS(x, r, r) // NaN as above
	n, nf, p := s.vec(), s.vec(), s.vec()
	s.with(opMul, "log2e", r, nf)
	VCVTPS2DQ(nf, n)
	VCVTDQ2PS(n, nf)
	s.with(opFNMA, "ln2head", nf, r)
	s.with(opFNMA, "ln2rest", nf, r)
	q := s.horner("exp", len(expPoly), r)
	VMULPS(r, r, p)
	VFMADD213PS(r, q, p) // q*r² + r
	s.with(opAdd, "one", p, p)
	if s.wide() {
		VSCALEFPS(nf, p, p)
		return p
	}
	half := s.vec()
	VPSRAD(Imm(1), n, half)
	VPSUBD(half, n, n)
	for _, e := range []vec{half, n} {
		s.with(opAddI, "bias", e, e)
		VPSLLD(Imm(23), e, e)
		VMULPS(e, p, p)
	}
	return p
}

// log returns log x for all x: x = m 2^e, sqrt(1/2) <= m < sqrt(2), f = m-1.
func (s isa) log(x vec) vec {
	// A denormal is scaled up, and its exponent down.
	y, adjust := s.vec(), s.vec()
	s.with(opMul, "scaleUp", x, y)
	if s.wide() {
		normal := K()
		VCMPPS(Imm(notLess), s.constant("normal"), x, normal)
		VMOVAPS(x, normal, y)
		VBROADCASTSS(constants["scaleDn"], adjust)
		VPXORD(adjust, adjust, normal, adjust)
	} else {
		small := s.vec()
		VMOVAPS(x, small)
		VCMPPS(Imm(less), constants["normal"], x, small)
		VBLENDVPS(small, y, x, y)
		VANDPS(constants["scaleDn"], small, adjust)
	}
	e, ef := s.vec(), s.vec()
	s.with(opSubI, "sqrtHalf", y, e)
	VPSRAD(Imm(23), e, e)
	VCVTDQ2PS(e, ef)
	VADDPS(adjust, ef, ef)
	VPSLLD(Imm(23), e, e)
	f, z := s.vec(), s.vec()
	VPSUBD(e, y, f)
	s.with(opSub, "one", f, f)
	VMULPS(f, f, z)
	p := s.horner("log", len(logPoly), f)
	VMULPS(f, p, p)
	VMULPS(z, p, p)
	s.with(opFMAb, "ln2rest", ef, p)
	s.with(opFNMA, "half", z, p)
	VADDPS(f, p, p)
	s.with(opFMAb, "ln2head", ef, p)
	s.logLimits(x, p)
	return p
}

// logLimits sets the lanes of p where x is 0, negative, +Inf or NaN to their values.
func (s isa) logLimits(x, p vec) {
	zero := s.zeroed()
	if s.wide() {
		k := K()
		VCMPPS(Imm(notAtLeast), zero, x, k)
		VPTERNLOGD(Imm(0xff), p, p, k, p) // all ones: a NaN
		k = K()
		VCMPPS(Imm(equal), zero, x, k)
		VBROADCASTSS(constants["negInf"], k, p)
		k = K()
		VCMPPS_BCST(Imm(equal), constants["inf"], x, k)
		VMOVAPS(x, k, p)
		return
	}
	where := s.vec()
	VCMPPS(Imm(notAtLeast), zero, x, where)
	VORPS(where, p, p)
	VCMPPS(Imm(equal), zero, x, where)
	VBLENDVPS(where, constants["negInf"], p, p)
	VCMPPS(Imm(equal), constants["inf"], x, where)
	VBLENDVPS(where, x, p, p)
}

// gumbel returns -log(-log u).
func (s isa) gumbel(u vec) vec {
	for range 2 {
		l := s.log(u)
		u = s.vec()
		s.with(opXor, "signBit", l, u)
	}
	return u
}

// minusAbs returns -|x|.
func (s isa) minusAbs(x vec) vec {
	t := s.vec()
	s.with(opOr, "signBit", x, t)
	return t
}

// logistic returns 1/(1+e^-x) and t = e^-|x| <= 1, of which it is made: 1/(1+t), and t/(1+t) for negative x.
func (s isa) logistic(x vec) (r, t vec) {
	t = s.expBelow(s.minusAbs(x))
	denominator := s.vec()
	r = s.constant("one")
	s.with(opAdd, "one", t, denominator)
	VDIVPS(denominator, r, r)
	if s.wide() {
		negative := K()
		VPMOVD2M(x, negative)
		VMULPS(t, r, negative, r)
	} else {
		other := s.vec()
		VMULPS(t, r, other)
		VBLENDVPS(x, other, r, r) // by the sign of x
	}
	return r, t
}

func (s isa) sigmoid(x vec) vec {
	r, _ := s.logistic(x)
	return r
}

// tanh returns (1-t)/(1+t), t = e^-2|x|, with the sign of x; near 0, where 1-t cancels, a polynomial.
func (s isa) tanh(x vec) vec {
	t := s.minusAbs(x)
	VADDPS(t, t, t)
	t = s.expBelow(t)
	r, denominator, sign := s.constant("one"), s.vec(), s.vec()
	s.with(opAdd, "one", t, denominator)
	VSUBPS(t, r, r)
	VDIVPS(denominator, r, r)
	z := s.vec()
	VMULPS(x, x, z)
	p := s.horner("tanh", len(tanhPoly), z)
	VMULPS(z, p, p)
	VFMADD213PS(x, x, p) // p*x + x
	if s.wide() {
		near := K()
		VCMPPS_BCST(Imm(less), constants["tanhNear"], z, near)
		VMOVAPS(p, near, r)
		s.with(opAnd, "signBit", x, sign)
		VPORD(sign, r, r)
	} else {
		near := s.vec()
		VCMPPS(Imm(less), constants["tanhNear"], z, near)
		VBLENDVPS(near, p, r, r)
		s.with(opAnd, "signBit", x, sign)
		VORPS(sign, r, r) // for -0 too, where p is 0
	}
	return r
}

// softplusSigmoid works with t = exp(-|x|) <= 1.
func softplusSigmoid(s isa) {
	s.function("softplusSigmoid", "func(loss, sig, x *float32, n int, sign float32)",
		"writes log(1+e^y) and 1/(1+e^-y) of y = sign*x, n words.")
	loss, sig, x, n := s.pointer("loss"), s.pointer("sig"), s.pointer("x"), s.pointer("n")
	sign := s.param("sign")
	s.elementwise(n, func(l lanes) {
		y, zero := s.vec(), s.vec()
		VMULPS(l.load(x), sign, y)
		r, t := s.logistic(y)
		q := s.horner("log1p", len(log1pPoly), t)
		s.zero(zero)
		VMAXPS(zero, y, y)
		VFMADD231PS(q, t, y)
		l.store(y, loss)
		l.store(r, sig)
	})
	finish()
}

// softmax does rows of at most eight words, each in one vector, whose spare lanes are -Inf. A row is stored in pieces of 4, 2 and
// 1 words: a masked store would hold up the next row's load, which overlaps the words that it leaves alone.
func softmax(s isa) {
	s.function("softmax", "func(x *float32, rows, k int, invTau float32)",
		"replaces each row of k <= 8 words by the softmax of invTau times it.")
	x, n, k := s.pointer("x"), s.pointer("rows"), s.pointer("k")
	scale := s.param("invTau")
	count := GP64()
	MOVQ(k, count)
	m := s.tail(count)
	mask := m.mask.(vec)
	spare := s.vec()
	VANDNPS(constants["negInf"], mask, spare)
	loopBy(n, 1, func() {
		v := s.load(at(x, 0), &m)
		VORPS(spare, v, v)
		top := s.across(VMAXPS, v)
		VSUBPS(top, v, v)
		VMULPS(scale, v, v)
		// The least normal exponential stands in for those below it, and for spare lanes, until they are cleared: an
		// underflow would cost a hundred cycles a row. A NaN stays.
		keep, least := s.vec(), s.constant("expNormal")
		VCMPPS(Imm(notLess), least, v, keep)
		VMAXPS(v, least, v)
		e := s.expBelow(v)
		VANDPS(keep, e, e)
		sum := s.across(VADDPS, e)
		VDIVPS(sum, e, e)
		storeWords(e, x, k)
	})
	finish()
}

// softmaxPairs does two rows at a time, one in each half of a vector.
func softmaxPairs(s isa) {
	s.function("softmax", "func(x *float32, rows, k int, invTau float32)",
		"replaces each row of k <= 8 words by the softmax of invTau times it.")
	x, n, k := s.pointer("x"), s.pointer("rows"), s.pointer("k")
	scale, spare, least := s.param("invTau"), s.constant("negInf"), s.constant("expNormal")
	ones, bits, row := GP32(), GP32(), K()
	MOVL(U32(0xffffffff), ones)
	BZHIL(k.As32(), ones, ones)
	KMOVW(ones, row)
	MOVL(ones, bits)
	SHLL(Imm(8), bits)
	ORL(ones, bits)
	pair, words, twice := K(), K(), GP64()
	KMOVW(bits, pair) // lanes of two rows
	LEAQ(offset(k, k, 0), twice)
	MOVL(U32(0xffffffff), bits)
	BZHIL(twice.As32(), bits, bits)
	KMOVW(bits, words) // words of two rows
	compute := func(v vec) {
		VSUBPS(s.across(VMAXPS, v), v, v)
		VMULPS(scale, v, v)
		keep, floored := K(), s.vec()
		VCMPPS(Imm(notLess), least, v, keep)
		VMAXPS(v, least, floored)
		e := s.expBelow(floored)
		VMOVAPS_Z(e, keep, e)
		VDIVPS(s.across(VADDPS, e), e, v)
	}
	loopBy(n, 2, func() {
		v, high := s.vec(), YMM()
		VMOVAPS(spare, v)
		VEXPANDPS(s.load(at(x, 0), &tail{words}), pair, v)
		compute(v)
		VEXTRACTF32X8(Imm(1), v, high)
		storeWords(v, x, k)
		storeWords(high, x, k)
	})
	loopBy(n, 1, func() {
		v := s.vec()
		VMOVAPS(spare, v)
		VMOVUPS(at(x, 0), row, v)
		compute(v)
		storeWords(v, x, k)
	})
	finish()
}

// storeWords writes the first n <= 8 words of v at p, which moves on by them.
func storeWords(v vec, p, n gp) {
	some, end := label("some"), label("stored")
	low, high := v.AsX(), XMM()
	CMPQ(n, Imm(8))
	JNE(some)
	VMOVUPS(v.AsY(), at(p, 0))
	ADDQ(Imm(32), p)
	JMP(end)
	mark(some)
	VEXTRACTF128(Imm(1), v.AsY(), high)
	for _, piece := range []struct {
		words int
		store func()
	}{
		{4, func() { VMOVUPS(low, at(p, 0)); VMOVAPS(high, low) }},
		{2, func() { VMOVLPS(low, at(p, 0)); VPERMILPS(Imm(0xee), low, low) }},
		{1, func() { VMOVSS(low, at(p, 0)) }},
	} {
		skip := label("skip")
		TESTQ(U32(uint32(piece.words)), n)
		JEQ(skip)
		piece.store()
		ADDQ(Imm(uint64(4*piece.words)), p)
		mark(skip)
	}
	mark(end)
}

// across combines all eight lanes, of each half if there are sixteen, leaving the result in every lane.
func (s isa) across(f func(ops ...Op), v vec) vec {
	a, t := s.vec(), s.vec()
	if s.wide() {
		VSHUFF32X4(Imm(0xb1), v, v, a)
	} else {
		VPERM2F128(Imm(1), v, v, a)
	}
	f(v, a, a)
	VPERMILPS(Imm(0x4e), a, t)
	f(t, a, a)
	VPERMILPS(Imm(0xb1), a, t)
	f(t, a, a)
	return a
}
