package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// gram goes over the pairs i <= j of rows, eight at a time. The last group repeats the last pair to be full, so out has room
// for whole groups.
func gram(s isa) {
	s.function("gram", "func(out, block *float32, pairs, k, d, rowBytes int)",
		"writes the pairs = k(k+1)/2 inner products of rows i <= j, and up to 7 words more.")
	out, ri, pairs := s.pointer("out"), s.pointer("block"), s.pointer("pairs")
	d, stride := s.pointer("d"), s.pointer("rowBytes")
	rj, last, whole, col := GP64(), GP64(), GP64(), GP64()
	MOVQ(ri, rj)
	Load(Param("k"), last)
	DECQ(last)
	IMULQ(stride, last)
	ADDQ(ri, last)
	MOVQ(d, whole) // bytes of whole vectors
	SHRQ(Imm(3), whole)
	SHLQ(Imm(5), whole)
	ANDQ(Imm(7), d)
	m := s.tail(d)

	pair := func() vec {
		acc, top, tail := s.zeroed(), label("columns"), label("tail")
		XORQ(col, col)
		mark(top)
		CMPQ(col, whole)
		JGE(tail)
		s.fma(offset(ri, col, 0), s.load(offset(rj, col, 0), nil), acc, nil)
		ADDQ(Imm(32), col)
		JMP(top)
		mark(tail)
		s.fma(offset(ri, col, 0), s.load(offset(rj, col, 0), &m), acc, &m)
		same, end := label("same"), label("next")
		CMPQ(rj, last)
		JLT(same)
		CMPQ(ri, last)
		JGE(end)
		ADDQ(stride, ri)
		MOVQ(ri, rj)
		JMP(end)
		mark(same)
		ADDQ(stride, rj)
		mark(end)
		return acc
	}
	Label("group")
	sums := make([]vec, 8)
	for i := range sums {
		sums[i] = pair()
	}
	VMOVUPS(s.sum8(sums), at(out, 0))
	ADDQ(Imm(32), out)
	SUBQ(Imm(8), pairs)
	JG(LabelRef("group"))
	finish()
}

// repel computes each difference before it scales, so that equal rows give exactly zero.
func repel(s isa) {
	s.function("repel", "func(grad, block, alpha, ratio *float32, k, d, rowBytes int)",
		"writes grad[i] = Σ_j alpha[i,j] * (block[j] - ratio[i,j]*block[i]), skipping pairs where alpha is 0.")
	alpha, ratio, k := s.pointer("alpha"), s.pointer("ratio"), s.pointer("k")
	stride := s.pointer("rowBytes")
	grad, own, rows := s.pointer("grad"), s.pointer("block"), GP64()
	words, dst, row, others, other := GP64(), GP64(), GP64(), GP64(), GP64()
	j := GP64()
	MOVQ(k, rows)
	Label("row")
	Load(Param("d"), words)
	Load(Param("block"), others)
	MOVQ(grad, dst)
	MOVQ(own, row)
	s.tiles(words, 4, []gp{dst, row, others}, func(vectors int, m *tail) {
		sums, x := s.vecs(vectors), make([]vec, vectors)
		for i := range x {
			s.zero(sums[i])
			x[i] = s.load(at(row, i*s.width), lastOnly(i, vectors, m))
		}
		MOVQ(others, other)
		top, skip := label("other"), label("skip")
		XORQ(j, j)
		mark(top)
		CMPL(Mem{Base: alpha, Index: j, Scale: 4}, Imm(0))
		JEQ(skip)
		a := s.broadcast(Mem{Base: alpha, Index: j, Scale: 4})
		r := s.broadcast(Mem{Base: ratio, Index: j, Scale: 4})
		for i := range x {
			y := s.load(at(other, i*s.width), lastOnly(i, vectors, m))
			VFNMADD231PS(x[i], r, y)
			VFMADD231PS(y, a, sums[i])
		}
		mark(skip)
		ADDQ(stride, other)
		INCQ(j)
		CMPQ(j, k)
		JLT(top)
		for i, v := range sums {
			s.store(v, at(dst, i*s.width), lastOnly(i, vectors, m))
		}
	})
	LEAQ(Mem{Base: alpha, Index: k, Scale: 4}, alpha)
	LEAQ(Mem{Base: ratio, Index: k, Scale: 4}, ratio)
	ADDQ(stride, grad)
	ADDQ(stride, own)
	DECQ(rows)
	JNE(LabelRef("row"))
	finish()
}
