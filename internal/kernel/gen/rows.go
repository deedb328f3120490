package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// A cursor walks over the k rows of each picked vertex in turn. Its fields are the arguments of the same names; blockBytes
// is the size of a vertex's block. Arguments used once per vertex stay on the stack.
type cursor struct {
	rows   gp // next vertex index
	row    gp // the row after the current one
	left   gp // rows of the current vertex that follow
	stride gp // bytes of a row
	table  Mem
	block  Mem
	k      Mem
}

// newCursor starts before the first row. It wants the parameters rows, table, blockBytes, rowBytes and k.
func newCursor() *cursor {
	c := &cursor{rows: GP64(), row: GP64(), left: GP64(), stride: GP64()}
	c.table, c.block, c.k = stack("table"), stack("blockBytes"), stack("k")
	c.restart()
	Load(Param("rowBytes"), c.stride)
	return c
}

// restart goes back to before the first row.
func (c *cursor) restart() {
	Load(Param("rows"), c.rows)
	XORQ(c.left, c.left)
	XORQ(c.row, c.row)
}

// next moves on; use must be called to address the row, and done when the row was used.
func (c *cursor) next() {
	same := label("same")
	DECQ(c.left)
	JGE(same)
	MOVLQSX(Mem{Base: c.rows}, c.row)
	IMULQ(c.block, c.row)
	ADDQ(c.table, c.row)
	ADDQ(Imm(4), c.rows)
	MOVQ(c.k, c.left)
	DECQ(c.left)
	mark(same)
}

// done leaves the current row.
func (c *cursor) done() { ADDQ(c.stride, c.row) }

// stack addresses a parameter.
func stack(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// lastCount sets r to the number of words in the last of n vectors that cover words: words - (n-1)*width.
func (s isa) lastCount(words gp, n int) gp {
	r := GP64()
	MOVQ(words, r)
	if n > 1 {
		SUBQ(Imm(uint64((n-1)*s.width)), r)
	}
	return r
}

// dots: rows of up to four vectors keep x in registers and are done eight at a time, so that the horizontal sums of eight
// rows share one tree of additions; longer rows are done four at a time, sharing the loads of x. With AVX-512, d > 32.
func dots(s isa) {
	s.function("dots", "func(out, x, table *float32, rows *int32, n, k, d, rowBytes, blockBytes int)",
		"writes <x, row> for n rows: k of each vertex.")
	out, x := s.pointer("out"), s.pointer("x")
	n, d := s.pointer("n"), s.pointer("d")
	c := newCursor()
	const inRegisters = 4
	least := 1
	if s.wide() {
		least = 3 // up to 32 words AVX2 is faster: fewer lanes to add up
	}
	for nv := least; nv <= inRegisters; nv++ {
		CMPQ(d, Imm(uint64(nv*s.width)))
		JLE(LabelRef(fmt.Sprintf("short%d", nv)))
	}
	dotsLong(s, c, out, x, n, d)
	for nv := least; nv <= inRegisters; nv++ {
		Label(fmt.Sprintf("short%d", nv))
		m := s.tail(s.lastCount(d, nv))
		xs := make([]vec, nv)
		for i := range xs {
			xs[i] = s.load(at(x, i*s.width), lastOnly(i, nv, &m))
		}
		one := func() vec {
			c.next()
			acc := s.vec()
			for i := range xs {
				term := s.fma
				if i == 0 {
					term = s.mul
				}
				term(at(c.row, i*s.width), xs[i], acc, lastOnly(i, nv, &m))
			}
			c.done()
			return acc
		}
		loopBy(n, 8, func() {
			sums := make([]vec, 8)
			for i := range sums {
				sums[i] = one()
			}
			VMOVUPS(s.sum8(sums), at(out, 0))
			ADDQ(Imm(32), out)
		})
		loopBy(n, 1, func() {
			VMOVSS(s.sum1(one()), at(out, 0))
			ADDQ(Imm(4), out)
		})
		finish()
	}
}

// lastOnly returns the mask for the last of n vectors and none for the others.
func lastOnly(i, n int, m *tail) *tail {
	if i == n-1 {
		return m
	}
	return nil
}

// loopBy emits body as a loop that takes step off n while n >= step.
func loopBy(n gp, step int, body func()) {
	top, end := label("loop"), label("end")
	mark(top)
	CMPQ(n, Imm(uint64(step)))
	JLT(end)
	body()
	SUBQ(Imm(uint64(step)), n)
	JMP(top)
	mark(end)
}

// dotsLong does rows longer than the registers hold: two chains per row, then the rest.
func dotsLong(s isa, c *cursor, out, x, n, d gp) {
	bytes, rest, col := GP64(), GP64(), GP64()
	MOVQ(d, bytes) // of whole pairs of vectors
	ANDQ(I32(int32(-2*s.width)), bytes)
	SHLQ(Imm(2), bytes)
	MOVQ(d, rest) // words after them
	ANDQ(Imm(uint64(2*s.width-1)), rest)
	count := GP64()
	MOVQ(rest, count)
	ANDQ(Imm(uint64(s.width-1)), count)
	m := s.tail(count)
	group := func(rows int) []vec {
		ptr := make([]gp, rows)
		for i := range ptr {
			c.next()
			ptr[i] = GP64()
			MOVQ(c.row, ptr[i])
			c.done()
		}
		even, odd := s.vecs(rows), s.vecs(rows)
		for i := range rows {
			s.zero(even[i])
			s.zero(odd[i])
		}
		XORQ(col, col)
		term := func(accs []vec, words int, m *tail) {
			xv := s.load(offset(x, col, words), m)
			for i := range rows {
				s.fma(offset(ptr[i], col, words), xv, accs[i], m)
			}
		}
		top := label("columns")
		mark(top)
		term(even, 0, nil)
		term(odd, s.width, nil)
		ADDQ(Imm(uint64(8*s.width)), col)
		CMPQ(col, bytes)
		JLT(top)
		tailOnly, end := label("tail"), label("sum")
		CMPQ(rest, Imm(uint64(s.width)))
		JLT(tailOnly)
		term(even, 0, nil)
		ADDQ(Imm(uint64(4*s.width)), col)
		mark(tailOnly)
		TESTQ(U32(uint32(s.width-1)), rest)
		JEQ(end)
		term(odd, 0, &m)
		mark(end)
		for i := range rows {
			VADDPS(odd[i], even[i], even[i])
		}
		return even
	}
	loopBy(n, 4, func() {
		VMOVUPS(s.sum4(group(4)), at(out, 0))
		ADDQ(Imm(16), out)
	})
	loopBy(n, 1, func() {
		VMOVSS(s.sum1(group(1)[0]), at(out, 0))
		ADDQ(Imm(4), out)
	})
	finish()
}
