// Command gen writes the assembly of package kernel: AVX2+FMA and AVX-512 versions of the same loops, from one description.
//
//	go generate ./internal/kernel      # from the root of the repository; CI checks that the output is the committed one
//
// It is a module of its own, so that users of asp2vec do not download avo. Instructions are chosen in isa.go, constants are
// in tables.go, and each other file describes a family of kernels.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("amd64")
	ConstraintExpr("!purego")
	defineTables()
	for _, s := range []isa{avx2, avx512} {
		dots(s)
		combine(s)
		outer(s)
		unary(s, "exp", "writes e^x", isa.exp)
		unary(s, "log", "writes the natural logarithm of x", isa.log)
		unary(s, "gumbel", "writes -log(-log(x))", isa.gumbel)
		unary(s, "sigmoid", "writes 1/(1+e^-x)", isa.sigmoid)
		unary(s, "tanh", "writes the hyperbolic tangent of x", isa.tanh)
		softplusSigmoid(s)
		uniform(s)
		binary(s, "add", "x+y", VADDPS)
		binary(s, "sub", "x-y", VSUBPS)
		binary(s, "mul", "x*y", VMULPS)
		binary(s, "div", "x/y", VDIVPS)
		withNumber(s, "scale", "c*x", VMULPS)
		withNumber(s, "shift", "x+c", VADDPS)
		reluSlope(s)
		gruStep(s)
		gruSlope(s)
		gemm(s, 1)
		gemm(s, 2)
	}
	// These are bound by memory, by division or by their call, and were not faster with AVX-512.
	dot(avx2)
	axpy(avx2)
	adam(avx2)
	gram(avx2)
	repel(avx2)
	softmax(avx2)
	softmaxPairs(avx512)
	total(avx2)
	weightedTotal(avx2)
	middle(avx2, "sumMiddle", "sum", VADDPS)
	middle(avx2, "maxMiddle", "maximum", VMAXPS)
	spread(avx2, "spreadMiddle", false)
	spread(avx2, "spreadWeighted", true)
	scaleRows(avx2)
	weightedRows(avx2)
	softmaxSlope(avx2)
	oneHot(avx2)
	Generate()
}

// function starts an assembly function named for its instruction set, such as dotsAVX2.
func (s isa) function(name, signature, doc string) {
	TEXT(name+s.name, attr.NOSPLIT, signature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s%s %s", name, s.name, doc))
}
