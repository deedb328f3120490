package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The kernels on short rows, as scores of k aspects are. A row of fewer than eight words is one vector, read and written
// whole where its slice goes on that far: the words after the row belong to the next one, which is written later. Longer rows
// are done by columns.

// notEqual is NEQ_UQ: true for NaN.
const notEqual = 0x04

// columns emits body for the columns of a row of at least eight words: four vectors at a time, then one. The last
// vector ends with the row, and may do some columns again. off is the offset of the columns, last that of the last
// vector.
func (s isa) columns(off, last gp, body func(vectors int)) {
	four, one, do, done := label("four"), label("one"), label("do"), label("done")
	next := GP64()
	XORQ(off, off)
	mark(four)
	LEAQ(Mem{Base: off, Disp: 96}, next)
	CMPQ(next, last)
	JGT(one)
	body(4)
	ADDQ(U32(128), off)
	JMP(four)
	mark(one)
	CMPQ(off, last)
	JLE(do)
	LEAQ(Mem{Base: off, Disp: -32}, next)
	CMPQ(next, last)
	JEQ(done)
	MOVQ(last, off)
	mark(do)
	body(1)
	ADDQ(Imm(32), off)
	JMP(one)
	mark(done)
}

// rowsBy emits body for whole rows, then masked for the others of n. Both are used up.
func rowsBy(n, whole gp, m *tail, body func(m *tail)) {
	SUBQ(whole, n)
	loopBy(whole, 1, func() { body(nil) })
	loopBy(n, 1, func() { body(m) })
}

// rowBytes returns 4k, and the mask of a row.
func (s isa) rowBytes() (gp, tail) {
	k, count := s.pointer("k"), GP64()
	MOVQ(k, count)
	m := s.tail(count)
	SHLQ(Imm(2), k)
	return k, m
}

// short emits narrow for rows of fewer than eight words, given their mask, and wide for others, given the offset of a row's
// last vector. Both get the bytes of a row.
func (s isa) short(narrow func(stride gp, m tail), wide func(stride, last gp)) {
	k, long := s.pointer("k"), label("long")
	CMPQ(k, Imm(8))
	JGE(long)
	stride, count := GP64(), GP64()
	MOVQ(k, stride)
	SHLQ(Imm(2), stride)
	MOVQ(k, count)
	narrow(stride, s.tail(count))
	finish()
	mark(long)
	SHLQ(Imm(2), k)
	last := GP64()
	LEAQ(Mem{Base: k, Disp: -32}, last)
	wide(k, last)
	finish()
}

// each emits body as a loop of n >= 1 turns; n is used up.
func each(n gp, body func()) {
	top := label("each")
	mark(top)
	body()
	DECQ(n)
	JNE(top)
}

func offset(base, off gp, words int) Mem {
	if off == nil {
		return at(base, words)
	}
	return Mem{Base: base, Index: off, Scale: 1, Disp: 4 * words}
}

// middle combines m rows into one, by one instruction.
func middle(s isa, name, doc string, f func(ops ...Op)) {
	s.function(name, "func(out, x *float32, rows, m, k, whole int)",
		"writes the "+doc+" of m rows of k words for each of rows; whole of them may be written as a vector.")
	out, x, n, m := s.pointer("out"), s.pointer("x"), s.pointer("rows"), s.pointer("m")
	p, j := GP64(), GP64()
	combine := func(stride, off gp, vectors int, mask *tail) {
		acc := make([]vec, vectors)
		LEAQ(offset(x, off, 0), p)
		for i := range acc {
			acc[i] = s.load(at(p, 8*i), mask)
		}
		top, end := label("term"), label("combined")
		MOVQ(m, j)
		JMP(end)
		mark(top)
		ADDQ(stride, p)
		for i, v := range acc {
			f(s.operand(at(p, 8*i), mask), v, v)
		}
		mark(end)
		DECQ(j)
		JNE(top)
		for i, v := range acc {
			s.store(v, offset(out, off, 8*i), mask)
		}
	}
	block := func(stride gp) gp { // bytes of m rows
		b := GP64()
		MOVQ(stride, b)
		IMULQ(m, b)
		return b
	}
	s.short(func(stride gp, mask tail) {
		step := block(stride)
		rowsBy(n, s.pointer("whole"), &mask, func(mask *tail) {
			combine(stride, nil, 1, mask)
			ADDQ(step, x)
			ADDQ(stride, out)
		})
	}, func(stride, last gp) {
		step, off := block(stride), GP64()
		each(n, func() {
			s.columns(off, last, func(vectors int) { combine(stride, off, vectors, nil) })
			ADDQ(step, x)
			ADDQ(stride, out)
		})
	})
}

// A weight is a word in all lanes, and all ones unless it is 0.
type weight struct{ w, keep vec }

func (s isa) weight(src Mem, zero vec) weight {
	w := weight{s.broadcast(src), s.vec()}
	VCMPPS(Imm(notEqual), zero, w.w, w.keep)
	return w
}

// times returns w*x, and zeros for a weight of 0, whatever x is.
func (s isa) times(w weight, x Op) vec {
	v := s.vec()
	VMULPS(x, w.w, v)
	VANDPS(w.keep, v, v)
	return v
}

// spread writes each row m times, times its weight if weighted.
func spread(s isa, name string, weighted bool) {
	signature, doc := "func(out, x *float32, rows, m, k, full, whole int)", "writes each of rows rows of k words m times"
	if weighted {
		signature, doc = "func(out, x, w *float32, rows, m, k, full, whole int)", doc+", times one of rows*m weights each"
	}
	s.function(name, signature, doc+"; all results of full rows, and whole of the others, may be written as a vector.")
	out, x, n := s.pointer("out"), s.pointer("x"), s.pointer("rows")
	var w gp
	var zero vec
	if weighted {
		w, zero = s.pointer("w"), s.zeroed()
	}
	j, m := GP64(), stack("m")
	s.short(func(stride gp, mask tail) {
		full, whole, here := s.pointer("full"), s.pointer("whole"), GP64()
		row := func(times func(store func(mask *tail))) {
			v := s.load(at(x, 0), &mask)
			MOVQ(m, j)
			times(func(mask *tail) {
				r := v
				if weighted {
					r = s.times(s.weight(at(w, 0), zero), v)
					ADDQ(Imm(4), w)
				}
				s.store(r, at(out, 0), mask)
				ADDQ(stride, out)
			})
			ADDQ(stride, x)
		}
		SUBQ(full, n)
		loopBy(full, 1, func() {
			row(func(store func(mask *tail)) { each(j, func() { store(nil) }) })
		})
		loopBy(n, 1, func() {
			row(func(store func(mask *tail)) {
				MOVQ(j, here)
				CMPQ(whole, here)
				CMOVQLT(whole, here)
				SUBQ(here, j)
				SUBQ(here, whole)
				loopBy(here, 1, func() { store(nil) })
				loopBy(j, 1, func() { store(&mask) })
			})
		})
	}, func(stride, last gp) {
		off := GP64()
		each(n, func() {
			MOVQ(m, j)
			each(j, func() { // row by row, in the order of the result, which may be long
				var by weight
				if weighted {
					by = s.weight(at(w, 0), zero)
					ADDQ(Imm(4), w)
				}
				s.columns(off, last, func(vectors int) {
					for i := range vectors {
						var v vec
						if weighted {
							v = s.times(by, offset(x, off, 8*i))
						} else {
							v = s.load(offset(x, off, 8*i), nil)
						}
						s.store(v, offset(out, off, 8*i), nil)
					}
				})
				ADDQ(stride, out)
			})
			ADDQ(stride, x)
		})
	})
}

// scaleRows is spreadWeighted for m = 1 and k < 8.
func scaleRows(s isa) {
	s.function("scaleRows", "func(out, x, w *float32, rows, k, whole int)",
		"writes rows of k < 8 words times a weight each; whole of them may be written as a vector.")
	out, x, w, n := s.pointer("out"), s.pointer("x"), s.pointer("w"), s.pointer("rows")
	stride, mask := s.rowBytes()
	zero := s.zeroed()
	rowsBy(n, s.pointer("whole"), &mask, func(m *tail) {
		by := s.weight(at(w, 0), zero)
		s.store(s.times(by, s.operand(at(x, 0), m)), at(out, 0), m)
		ADDQ(Imm(4), w)
		ADDQ(stride, x)
		ADDQ(stride, out)
	})
	finish()
}

// weightedRows leaves rows of weight 0 out: short ones by a mask, because which ones they are is hard to predict, and
// others by not reading them.
func weightedRows(s isa) {
	s.function("weightedRows", "func(out, x, w *float32, rows, m, k, whole int)",
		"writes the weighted sum of m rows of k words for each of rows; whole of them may be written as a vector.")
	out, x, w, n := s.pointer("out"), s.pointer("x"), s.pointer("w"), s.pointer("rows")
	j, m := GP64(), stack("m")
	zero := s.zeroed()
	s.short(func(stride gp, mask tail) {
		rowsBy(n, s.pointer("whole"), &mask, func(mask *tail) {
			acc := s.zeroed()
			MOVQ(m, j)
			each(j, func() {
				by := s.weight(at(w, 0), zero)
				VADDPS(s.times(by, s.operand(at(x, 0), mask)), acc, acc)
				ADDQ(Imm(4), w)
				ADDQ(stride, x)
			})
			s.store(acc, at(out, 0), mask)
			ADDQ(stride, out)
		})
	}, func(stride, last gp) {
		p, q, off := GP64(), GP64(), GP64()
		each(n, func() {
			s.columns(off, last, func(vectors int) {
				acc := s.zeros(vectors)
				LEAQ(offset(x, off, 0), p)
				MOVQ(w, q)
				MOVQ(m, j)
				each(j, func() {
					skip := skipZero(at(q, 0))
					by := s.broadcast(at(q, 0))
					for i, v := range acc {
						t := s.vec()
						VMULPS(at(p, 8*i), by, t)
						VADDPS(t, v, v)
					}
					mark(skip)
					ADDQ(Imm(4), q)
					ADDQ(stride, p)
				})
				for i, v := range acc {
					s.store(v, offset(out, off, 8*i), nil)
				}
			})
			step := GP64()
			MOVQ(m, step)
			LEAQ(Mem{Base: w, Index: step, Scale: 4}, w)
			IMULQ(stride, step)
			ADDQ(step, x)
			ADDQ(stride, out)
		})
	})
}

// skipZero jumps to the label that it returns where a number is 0, of either sign.
func skipZero(src Mem) LabelRef {
	skip, bits := label("skip"), GP32()
	MOVL(src, bits)
	ADDL(bits, bits)
	JEQ(skip)
	return skip
}

// softmaxSlope masks what it reads, because the sum is over all lanes.
func softmaxSlope(s isa) {
	s.function("softmaxSlope", "func(out, p, grad *float32, rows, k, whole int)",
		"writes p*(grad - <p,grad>) for rows of k <= 8 words; whole of them may be written as a vector.")
	out, p, g, n := s.pointer("out"), s.pointer("p"), s.pointer("grad"), s.pointer("rows")
	stride, mask := s.rowBytes()
	rowsBy(n, s.pointer("whole"), &mask, func(m *tail) {
		share, slope, t := s.load(at(p, 0), &mask), s.load(at(g, 0), &mask), s.vec()
		VMULPS(share, slope, t)
		VSUBPS(s.across(VADDPS, t), slope, slope)
		VMULPS(share, slope, slope)
		s.store(slope, at(out, 0), m)
		ADDQ(stride, p)
		ADDQ(stride, g)
		ADDQ(stride, out)
	})
	finish()
}

// weightedTotal sums by column in float64, where products of float32 are exact, so that a multiply-add rounds as an addition.
// Rows take turns at two sums, to have enough independent additions. The rows at the end are masked, an even number of rows
// after the start.
func weightedTotal(s isa) {
	s.function("weightedTotal", "func(sums *float64, x, w *float32, rows, k, whole int)",
		"writes 8 sums of rows of k <= 8 words times a weight, those of the columns first; whole rows, an even number, may be read as a vector.")
	x, w, n := s.pointer("x"), s.pointer("w"), s.pointer("rows")
	stride, mask := s.rowBytes()
	acc := [2][]vec{s.zeros(2), s.zeros(2)}
	row := func(turn int, m *tail) {
		skip := skipZero(at(w, turn))
		by, low, high := s.vec(), s.vec(), s.vec()
		VBROADCASTSS(at(w, turn), by.AsX())
		VCVTPS2PD(by.AsX(), by)
		if m == nil {
			VCVTPS2PD(at(x, 0), low)
			VCVTPS2PD(at(x, 4), high)
		} else {
			v, upper := s.load(at(x, 0), m), XMM()
			VEXTRACTF128(Imm(1), v, upper)
			VCVTPS2PD(v.AsX(), low)
			VCVTPS2PD(upper, high)
		}
		VFMADD231PD(low, by, acc[turn][0])
		VFMADD231PD(high, by, acc[turn][1])
		mark(skip)
		ADDQ(stride, x)
	}
	pairs := func(n gp, m *tail) {
		loopBy(n, 2, func() {
			row(0, m)
			row(1, m)
			ADDQ(Imm(8), w)
		})
	}
	whole := s.pointer("whole")
	SUBQ(whole, n)
	pairs(whole, nil)
	pairs(n, &mask)
	loopBy(n, 1, func() { row(0, &mask) })
	sums := s.pointer("sums")
	for i, v := range acc[0] {
		VADDPD(acc[1][i], v, v)
		VMOVUPD(v, at(sums, 8*i))
	}
	finish()
}

// oneHot compares a row with its maximum, and takes its row of the result from a table.
func oneHot(s isa) {
	table := GLOBL("oneHot", attr.RODATA|attr.NOPTR) // seven zeros, a one, seven zeros: the row with a 1 at i starts 7-i words in
	for i := range 15 {
		word := U32(0)
		if i == 7 {
			word = U32(scalars["one"])
		}
		DATA(4*i, word)
	}
	s.function("oneHot", "func(out, x *float32, rows, k, whole int)",
		"writes rows of k <= 8 words, 1 at the first maximum of the row of x and 0 elsewhere, and NaN for a row with one; whole of them may be written as a vector.")
	out, x, n := s.pointer("out"), s.pointer("x"), s.pointer("rows")
	stride, mask := s.rowBytes()
	spare, base := s.vec(), GP64()
	VANDNPS(constants["negInf"], mask.mask, spare)
	LEAQ(table.Offset(28), base)
	rowsBy(n, s.pointer("whole"), &mask, func(m *tail) {
		v, where, bits := s.load(at(x, 0), &mask), s.vec(), GP32()
		VORPS(spare, v, v)
		VCMPPS(Imm(equal), s.across(VMAXPS, v), v, where)
		VMOVMSKPS(where, bits)
		ORL(U32(1<<7), bits) // a row with a NaN may equal nothing
		BSFL(bits, bits)
		NEGQ(bits.As64())
		hot, nan := s.vec(), s.vec()
		VMOVUPS(Mem{Base: base, Index: bits.As64(), Scale: 4}, hot)
		VCMPPS(Imm(unordered), v, v, nan)
		VTESTPS(nan, nan)
		clean := label("clean")
		JEQ(clean)
		VPCMPEQD(hot, hot, hot) // all ones: a NaN
		mark(clean)
		s.store(hot, at(out, 0), m)
		ADDQ(stride, x)
		ADDQ(stride, out)
	})
	finish()
}

const unordered = 0x03 // UNORD_Q
