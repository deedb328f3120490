package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// tileRows is the height of gemm's tile: with two vectors a row, its sums leave room for a row of B and for words of A, and are
// more than the multiply-adds in flight. dispatch_amd64.go has the same numbers.
func (s isa) tileRows() int {
	if s.wide() {
		return 12
	}
	return 6
}

// gemm goes over panels of A, of tileRows rows each, with one panel of B that is so many vectors wide. A tile of C is summed in
// registers over all of k.
func gemm(s isa, vectors int) {
	s.function(fmt.Sprintf("gemm%d", vectors),
		"func(panels, k int, a *float32, aRow, aCol int, b *float32, bRow int, c *float32, cRow, add int)",
		fmt.Sprintf("multiplies panels of A, %d rows each, by a panel of B, %d words wide; strides in bytes. Unless add is 0, it adds to C.",
			s.tileRows(), vectors*s.width))
	panel, aRow, aCol := s.pointer("a"), s.pointer("aRow"), s.pointer("aCol")
	c, cRow, bRow := s.pointer("c"), s.pointer("cRow"), s.pointer("bRow")
	left := s.pointer("panels")
	a, b, p := GP64(), GP64(), GP64()
	aRow3, aRow5 := GP64(), GP64()
	LEAQ(Mem{Base: aRow, Index: aRow, Scale: 2}, aRow3)
	LEAQ(Mem{Base: aRow, Index: aRow, Scale: 4}, aRow5)
	// Rows are addressed six at a time from one pointer.
	word := func(a gp, r int) Mem {
		if r == 0 {
			return Mem{Base: a}
		}
		return Mem{Base: a, Index: []gp{nil, aRow, aRow, aRow3, aRow, aRow5}[r], Scale: []uint8{0, 1, 2, 1, 4, 1}[r]}
	}
	bases := []gp{a}
	if s.wide() {
		bases = append(bases, GP64())
	}
	sums := make([][]vec, s.tileRows())
	for r := range sums {
		sums[r] = s.vecs(vectors)
	}

	Label("panel")
	row := GP64()
	MOVQ(c, row)
	for _, sum := range sums { // C is needed at the end
		PREFETCHT0(at(row, 0))
		ADDQ(cRow, row)
		for _, v := range sum {
			s.zero(v)
		}
	}
	MOVQ(panel, a)
	if s.wide() {
		LEAQ(Mem{Base: a, Index: aRow3, Scale: 2}, bases[1])
	}
	Load(Param("b"), b)
	Load(Param("k"), p)
	Label("k")
	PREFETCHT0(Mem{Base: a, Index: aCol, Scale: 8}) // a transpose's words are far apart
	y := make([]vec, vectors)
	for j := range y {
		y[j] = s.load(at(b, j*s.width), nil)
	}
	for r, sum := range sums {
		x := s.broadcast(word(bases[r/6], r%6))
		for j, v := range sum {
			VFMADD231PS(y[j], x, v)
		}
	}
	for _, base := range bases {
		ADDQ(aCol, base)
	}
	ADDQ(bRow, b)
	DECQ(p)
	JNE(LabelRef("k"))

	MOVQ(c, row)
	CMPQ(stack("add"), Imm(0))
	JEQ(LabelRef("store"))
	for _, sum := range sums {
		for j, v := range sum {
			VADDPS(at(row, j*s.width), v, v)
		}
		ADDQ(cRow, row)
	}
	MOVQ(c, row)
	Label("store")
	for _, sum := range sums {
		for j, v := range sum {
			VMOVUPS(v, at(row, j*s.width))
		}
		ADDQ(cRow, row)
	}
	MOVQ(row, c)
	LEAQ(Mem{Base: panel, Index: aRow3, Scale: 2}, panel)
	if s.wide() {
		LEAQ(Mem{Base: panel, Index: aRow3, Scale: 2}, panel)
	}
	DECQ(left)
	JNE(LabelRef("panel"))
	finish()
}
