package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// outerTile returns how many vectors wide a tile of so many rows is: rows*vectors sums, the vectors of x, a coefficient and a
// mask fit into the registers (16, or 32 of AVX-512), and enough sums are independent.
func (s isa) outerTile(rows int) int {
	if s.wide() {
		return []int{8, 6, 5, 4, 4}[rows-1]
	}
	return []int{6, 4, 3, 2, 2}[rows-1]
}

// outer keeps a tile of dst, some rows by some vectors, in registers while it goes over all contributions.
func outer(s isa) {
	s.function("outer", "func(dst, coef, x *float32, slots, owners *int32, n, k, d, rowBytes, coefBytes int)",
		"adds n contributions, coefficients times a row of x, to the k rows of dst.")
	const most = 5 // rows of a tile
	dst, coef := s.pointer("dst"), s.pointer("coef")
	slots, owners := s.pointer("slots"), s.pointer("owners")
	stride, left := s.pointer("rowBytes"), s.pointer("k")
	words, column, x := GP64(), GP64(), GP64()
	a, b, i := GP64(), GP64(), GP64()

	Label("rows")
	for r := 1; r < most; r++ {
		CMPQ(left, Imm(uint64(r)))
		JEQ(LabelRef(fmt.Sprintf("rows%d", r)))
	}
	for r := most; r >= 1; r-- {
		Label(fmt.Sprintf("rows%d", r))
		Load(Param("d"), words)
		Load(Param("x"), x)
		MOVQ(dst, column)
		s.tiles(words, s.outerTile(r), []gp{column, x}, func(vectors int, m *tail) {
			sums := make([][]vec, r)
			for j := range sums {
				sums[j] = s.vecs(vectors)
			}
			each := func(do func(v vec, at Mem, m *tail)) {
				MOVQ(column, a)
				for j := range sums {
					for c, v := range sums[j] {
						do(v, at(a, c*s.width), lastOnly(c, vectors, m))
					}
					if j < r-1 {
						ADDQ(stride, a)
					}
				}
			}
			each(func(v vec, at Mem, m *tail) { s.loadTo(at, v, m) })
			top := label("contribution")
			XORQ(i, i)
			mark(top)
			MOVLQSX(Mem{Base: slots, Index: i, Scale: 4}, a)
			MOVLQSX(Mem{Base: owners, Index: i, Scale: 4}, b)
			IMULQ(stack("coefBytes"), a)
			IMULQ(stride, b)
			ADDQ(coef, a)
			ADDQ(x, b)
			xs := make([]vec, vectors)
			if r > 1 {
				for c := range xs {
					xs[c] = s.load(at(b, c*s.width), lastOnly(c, vectors, m))
				}
			}
			for j := range sums {
				w := s.broadcast(at(a, j))
				for c, v := range sums[j] {
					if r > 1 {
						VFMADD231PS(xs[c], w, v)
					} else {
						s.fma(at(b, c*s.width), w, v, lastOnly(c, vectors, m))
					}
				}
			}
			INCQ(i)
			CMPQ(i, stack("n"))
			JLT(top)
			each(func(v vec, at Mem, m *tail) { s.store(v, at, m) })
		})
		if r < most {
			finish()
			continue
		}
		SUBQ(Imm(most), left)
		JEQ(LabelRef("done"))
		for range most {
			ADDQ(stride, dst)
		}
		ADDQ(Imm(4*most), coef)
		JMP(LabelRef("rows"))
	}
	Label("done")
	finish()
}
