package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An isa is an instruction set that the kernels are written for: vectors of width float32, whose tails are masked by a vector
// (AVX2) or by a mask register (AVX-512).
type isa struct {
	name  string
	width int
}

var (
	avx2   = isa{"AVX2", 8}
	avx512 = isa{"AVX512", 16}
)

type (
	gp  = reg.GPVirtual
	vec = reg.VecVirtual
)

func (s isa) wide() bool { return s.width == 16 }

// vec returns a new register.
func (s isa) vec() vec {
	if s.wide() {
		return ZMM()
	}
	return YMM()
}

func (s isa) vecs(n int) []vec {
	v := make([]vec, n)
	for i := range v {
		v[i] = s.vec()
	}
	return v
}

// at addresses the word 4*words bytes after a pointer.
func at(p reg.Register, words int) Mem { return Mem{Base: p, Disp: 4 * words} }

// A tail is the mask of the first lanes of a vector, in the register that its instruction set wants.
type tail struct{ mask reg.Register }

// tail returns the mask of the first count lanes, 0 <= count <= width. count is destroyed.
func (s isa) tail(count gp) tail {
	if s.wide() {
		ones := GP32()
		MOVL(U32(0xffffffff), ones)
		BZHIL(count.As32(), ones, ones)
		k := K()
		KMOVW(ones, k)
		return tail{k}
	}
	base, m := GP64(), YMM()
	LEAQ(maskTable, base)
	NEGQ(count)
	VMOVUPS(Mem{Base: base, Index: count, Scale: 4, Disp: 4 * s.width}, m)
	return tail{m}
}

// load reads a vector; with a mask, its first lanes, and zeros for the others.
func (s isa) load(src Mem, m *tail) vec {
	v := s.vec()
	s.loadTo(src, v, m)
	return v
}

// loadTo is load into a register that exists.
func (s isa) loadTo(src Mem, v vec, m *tail) {
	switch {
	case m == nil:
		VMOVUPS(src, v)
	case s.wide():
		VMOVUPS_Z(src, m.mask, v)
	default:
		VMASKMOVPS(src, m.mask, v)
	}
}

// operand is what an instruction reads of a vector in memory: that itself, or what load returns where there is a mask.
func (s isa) operand(src Mem, m *tail) Op {
	if m == nil {
		return src
	}
	return s.load(src, m)
}

// store writes a vector, or its first lanes.
func (s isa) store(v vec, dst Mem, m *tail) {
	switch {
	case m == nil:
		VMOVUPS(v, dst)
	case s.wide():
		VMOVUPS(v, m.mask, dst)
	default:
		VMASKMOVPS(v, m.mask, dst)
	}
}

// fma adds src*v to acc, over all lanes or those of the mask.
func (s isa) fma(src Mem, v, acc vec, m *tail) {
	switch {
	case m == nil:
		VFMADD231PS(src, v, acc)
	case s.wide():
		VFMADD231PS(src, v, m.mask, acc)
	default:
		VFMADD231PS(s.load(src, m), v, acc)
	}
}

// mul sets acc to src*v, zero outside the mask.
func (s isa) mul(src Mem, v, acc vec, m *tail) {
	switch {
	case m == nil:
		VMULPS(src, v, acc)
	case s.wide():
		VMULPS_Z(src, v, m.mask, acc)
	default:
		VMULPS(s.load(src, m), v, acc)
	}
}

// zeros returns n registers that are clear, and zeroed one.
func (s isa) zeros(n int) []vec {
	v := s.vecs(n)
	for _, x := range v {
		s.zero(x)
	}
	return v
}

func (s isa) zeroed() vec { return s.zeros(1)[0] }

// zero clears a register.
func (s isa) zero(v vec) {
	if s.wide() {
		VPXORD(v, v, v)
		return
	}
	VXORPS(v, v, v)
}

// constant reads a constant of the table into all lanes.
func (s isa) constant(name string) vec {
	v := s.vec()
	if s.wide() {
		VBROADCASTSS(constants[name], v)
	} else {
		VMOVUPS(constants[name], v)
	}
	return v
}

// broadcast reads one word into all lanes.
func (s isa) broadcast(src Mem) vec {
	v := s.vec()
	VBROADCASTSS(src, v)
	return v
}

// param reads a float32 argument into all lanes.
func (s isa) param(name string) vec {
	addr, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return s.broadcast(addr.Addr)
}

// An op is an instruction of two sources, in its form with a full second source and with one word for all lanes.
type op struct{ full, one func(ops ...Op) }

var (
	opAdd  = op{VADDPS, VADDPS_BCST}
	opSub  = op{VSUBPS, VSUBPS_BCST}
	opMul  = op{VMULPS, VMULPS_BCST}
	opFMA  = op{VFMADD213PS, VFMADD213PS_BCST} // (c, x, p): p = x*p + c
	opFMAb = op{VFMADD231PS, VFMADD231PS_BCST} // (c, x, p): p = p + x*c
	opFNMA = op{VFNMADD231PS, VFNMADD231PS_BCST}
	opAddI = op{VPADDD, VPADDD_BCST}
	opSubI = op{VPSUBD, VPSUBD_BCST}
	opAnd  = op{VANDPS, VPANDD_BCST}
	opOr   = op{VORPS, VPORD_BCST}
	opXor  = op{VXORPS, VPXORD_BCST}
)

// with applies an op to a constant of the table and x, into dst.
func (s isa) with(o op, name string, x, dst vec) {
	if s.wide() {
		o.one(constants[name], x, dst)
	} else {
		o.full(constants[name], x, dst)
	}
}

var labels int

// label returns a name that no other label has, and mark puts it before what follows.
func label(hint string) LabelRef {
	labels++
	return LabelRef(fmt.Sprintf("%s%d", hint, labels))
}

func mark(l LabelRef) { Label(string(l)) }

// finish ends a function: without clearing the upper halves, SSE code that follows would be slow.
func finish() {
	VZEROUPPER()
	RET()
}
