package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The kernels on the pairs of a window have rows of k <= 8 words, each in one vector. Where whole is at least 1, a row's vector
// is read and written whole: the words after the row belong to the next ones, which are written later. Only the last rows,
// whose vectors would leave the slices, are masked: a masked store holds up loads that follow it closely.

// A bagBits tells whether the contexts of a window, in turn, are in its bag.
type bagBits struct{ rest, bit, table gp }

func newBagBits() bagBits {
	b := bagBits{rest: Load(Param("bag"), GP64()).(gp), bit: GP64(), table: GP64()}
	NOTQ(b.rest)
	LEAQ(maskTable, b.table)
	return b
}

// next returns all ones if the next context is in the bag, else zeros.
func (b bagBits) next(s isa) vec {
	MOVQ(b.rest, b.bit)
	ANDQ(Imm(1), b.bit)
	SHRQ(Imm(1), b.rest)
	return s.broadcast(Mem{Base: b.table, Index: b.bit, Scale: 4, Disp: 4 * 7})
}

func logits(s isa) {
	s.function("logits", "func(dst, noise, scores *float32, bag uint64, rows, k, whole int, scale float32)",
		"writes the sum of the rows of scores that bag names, times scale, plus each of rows rows of noise.")
	dst, noise, scores := s.pointer("dst"), s.pointer("noise"), s.pointer("scores")
	stride, m := s.rowBytes()
	mean, left := s.vec(), Load(Param("bag"), GP64()).(gp)
	bag := newBagBits()
	s.zero(mean)
	top, end := label("context"), label("summed")
	Label(top)
	TESTQ(left, left)
	JEQ(LabelRef(end))
	in := bag.next(s)
	VANDPS(s.load(at(scores, 0), &m), in, in)
	VADDPS(in, mean, mean)
	ADDQ(stride, scores)
	SHRQ(Imm(1), left)
	JMP(LabelRef(top))
	Label(end)
	VMULPS(s.param("scale"), mean, mean)
	rowsBy(s.pointer("rows"), s.pointer("whole"), &m, func(m *tail) {
		v := s.load(at(noise, 0), m)
		VADDPS(mean, v, v)
		s.store(v, at(dst, 0), m)
		ADDQ(stride, noise)
		ADDQ(stride, dst)
	})
	finish()
}

// weigh goes over the pairs twice, because the positives' coefficients need the gradient of the logits, a sum over all pairs.
func weigh(s isa) {
	s.function("weigh", "func(coefPos, coefNeg, prob, soft, posLoss, posSlope, negLoss, negSlope *float32, bag uint64, "+
		"pairs, k, m, whole, probBytes int, unit, bagUnit float32) float32",
		"writes the coefficients of a window and returns its weighted loss; see Weigh. prob and soft move on by probBytes a pair.")
	coef, prob, soft := s.pointer("coefNeg"), s.pointer("prob"), s.pointer("soft")
	loss, negLoss, negSlope := s.pointer("posLoss"), s.pointer("negLoss"), s.pointer("negSlope")
	stride, mask := s.rowBytes()
	probStride := s.pointer("probBytes")
	unit := s.param("unit")
	sum, grad := s.vec(), s.vec()
	s.zero(sum)
	s.zero(grad)
	n, whole, i, j := s.pointer("pairs"), s.pointer("whole"), GP64(), GP64()
	XORQ(i, i)
	rowsBy(n, whole, &mask, func(m *tail) {
		l, p, w := s.load(at(loss, 0), m), s.load(at(prob, 0), &mask), s.vec()
		VMULPS(unit, p, w)
		Load(Param("m"), j)
		top := label("negative")
		Label(top)
		v := s.vec()
		s.add(Mem{Base: negLoss, Index: i, Scale: 1}, l, m)
		s.mul(Mem{Base: negSlope, Index: i, Scale: 1}, w, v, m)
		s.store(v, Mem{Base: coef, Index: i, Scale: 1}, m)
		ADDQ(stride, i)
		DECQ(j)
		JNE(LabelRef(top))
		VFMADD231PS(p, l, sum)
		// The lanes after a row may hold anything, so they are kept out of sums over lanes.
		q, t := s.load(at(soft, 0), &mask), s.vec()
		VMULPS(q, l, t)
		VANDPS(mask.mask, t, t)
		VSUBPS(s.across(VADDPS, t), l, l)
		VFMADD231PS(q, l, grad)
		ADDQ(stride, loss)
		ADDQ(probStride, prob)
		ADDQ(probStride, soft)
	})
	VANDPS(mask.mask, sum, sum)
	Store(s.sum1(sum), ReturnIndex(0))
	VMULPS(s.param("bagUnit"), grad, grad)

	coef, prob, slope := s.pointer("coefPos"), s.pointer("prob"), s.pointer("posSlope")
	bag := newBagBits()
	n, whole = s.pointer("pairs"), s.pointer("whole")
	rowsBy(n, whole, &mask, func(m *tail) {
		p, v := s.load(at(prob, 0), &mask), bag.next(s)
		VANDPS(grad, v, v)
		VMULPS(unit, p, p)
		if m == nil {
			VFNMADD231PS(at(slope, 0), p, v)
		} else {
			VFNMADD231PS(s.load(at(slope, 0), m), p, v)
		}
		s.store(v, at(coef, 0), m)
		ADDQ(stride, slope)
		ADDQ(stride, coef)
		ADDQ(probStride, prob)
	})
	finish()
}

// scaleSum serves where all pairs have the same weight, and rows do not matter.
func scaleSum(s isa) {
	s.function("scaleSum", "func(dst, slope, loss *float32, n int, a float32) float32", "writes a*slope and returns the sum of loss, n words.")
	dst, slope, loss, n, a := s.pointer("dst"), s.pointer("slope"), s.pointer("loss"), s.pointer("n"), s.param("a")
	sum := s.vec()
	s.zero(sum)
	s.elementwise(n, func(l lanes) {
		s.add(l.at(loss), sum, l.m)
		v := s.vec()
		s.mul(l.at(slope), a, v, l.m)
		l.store(v, dst)
	})
	Store(s.sum1(sum), ReturnIndex(0))
	finish()
}
