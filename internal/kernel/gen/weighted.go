package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// tiles emits a loop over the columns of dst in tiles of at most most vectors, one body for each number of vectors. words is
// the number of columns and is used up; every register of pointers is moved on by a tile at its end. The mask is of a tile's
// last vector, which may be full.
func (s isa) tiles(words gp, most int, pointers []gp, body func(vectors int, m *tail)) {
	name := label("tile")
	size := func(n int) LabelRef { return LabelRef(fmt.Sprintf("%s_%d", name, n)) }
	done := name + "_done"
	mark(name)
	for n := 1; n < most; n++ {
		CMPQ(words, Imm(uint64(n*s.width)))
		JLE(size(n))
	}
	for n := most; n >= 1; n-- {
		mark(size(n))
		count := s.lastCount(words, n)
		if n == most { // only this one may have more columns after it
			full := GP64()
			MOVQ(U32(uint32(s.width)), full)
			CMPQ(count, full)
			CMOVQGT(full, count)
		}
		m := s.tail(count)
		body(n, &m)
		if n == most {
			SUBQ(Imm(uint64(n*s.width)), words)
			JLE(done)
			for _, p := range pointers {
				ADDQ(I32(int32(4*n*s.width)), p)
			}
			JMP(name)
		} else {
			JMP(done)
		}
	}
	mark(done)
}

// chains is the number of independent sums that hide the latency of additions, four cycles with two in each.
const chains = 8

// combine keeps a tile of dst in registers while it goes over all rows; narrow tiles go over several rows at once, each
// with its own sums, to have enough independent additions.
func combine(s isa) {
	s.function("combine", "func(dst, coef, table *float32, rows *int32, n, k, d, rowBytes, blockBytes int)",
		"adds coef*row of n rows to dst: k of each vertex.")
	dst, d := s.pointer("dst"), s.pointer("d")
	c := newCursor()
	column := GP64()
	XORQ(column, column)
	coef, n := GP64(), GP64()
	s.tiles(d, 8, []gp{dst, column}, func(vectors int, m *tail) {
		Load(Param("coef"), coef)
		Load(Param("n"), n)
		c.restart()
		unroll := 1
		for unroll < 4 && 2*unroll*vectors <= chains {
			unroll *= 2
		}
		sums := make([][]vec, unroll)
		for u := range sums {
			sums[u] = s.vecs(vectors)
			for i, v := range sums[u] {
				if u == 0 {
					s.loadTo(at(dst, i*s.width), v, lastOnly(i, vectors, m))
				} else {
					s.zero(v)
				}
			}
		}
		add := func(u, word int) {
			c.next()
			a := s.broadcast(at(coef, word))
			for i, v := range sums[u] {
				s.fma(offset(c.row, column, i*s.width), a, v, lastOnly(i, vectors, m))
			}
			c.done()
		}
		if unroll > 1 {
			loopBy(n, unroll, func() {
				for u := range unroll {
					add(u, u)
				}
				ADDQ(Imm(uint64(4*unroll)), coef)
			})
		}
		loopBy(n, 1, func() {
			add(0, 0)
			ADDQ(Imm(4), coef)
		})
		for half := unroll / 2; half > 0; half /= 2 {
			for u := range half {
				for i := range vectors {
					VADDPS(sums[u+half][i], sums[u][i], sums[u][i])
				}
			}
		}
		for i, v := range sums[0] {
			s.store(v, at(dst, i*s.width), lastOnly(i, vectors, m))
		}
	})
	finish()
}
