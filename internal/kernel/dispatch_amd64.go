//go:build amd64 && !purego

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// use is the variant of this processor. Only tests assign to it.
var use = detect()

// detect asks for what the generator emits: FMA, and the AVX-512 of Skylake servers and later.
func detect() variant {
	c := &cpu.X86
	switch {
	case !c.HasAVX2 || !c.HasFMA || !c.HasBMI2:
		return pureGo
	case c.HasAVX512F && c.HasAVX512VL && c.HasAVX512DQ && c.HasAVX512BW:
		return avx512
	}
	return avx2
}

// narrow is the number of words up to which AVX2 was measured to be as fast as AVX-512 or faster.
const narrow = 32

// f and ix give the assembly the address of a slice. They also do for empty slices, whose address is not used.
func f(s []float32) *float32 { return unsafe.SliceData(s) }
func ix(s []int32) *int32    { return unsafe.SliceData(s) }

func dots(out, x, table []float32, rows []int32, k, d int) {
	switch {
	case use == avx512 && d > narrow:
		dotsAVX512(f(out), f(x), f(table), ix(rows), len(out), k, d, 4*d, 4*k*d)
	case use != pureGo:
		dotsAVX2(f(out), f(x), f(table), ix(rows), len(out), k, d, 4*d, 4*k*d)
	default:
		dotsGeneric(out, x, table, rows, k, d)
	}
}

func combine(dst, coef, table []float32, rows []int32, k, d int) {
	switch use {
	case avx512:
		combineAVX512(f(dst), f(coef), f(table), ix(rows), len(coef), k, d, 4*d, 4*k*d)
	case avx2:
		combineAVX2(f(dst), f(coef), f(table), ix(rows), len(coef), k, d, 4*d, 4*k*d)
	default:
		combineGeneric(dst, coef, table, rows, k, d)
	}
}

func outer(dst, coef, x []float32, slots, owners []int32, k, d int) {
	switch {
	case len(slots) == 0: // the loops of the assembly test at their end
	case use == avx512 && k*d > narrow:
		outerAVX512(f(dst), f(coef), f(x), ix(slots), ix(owners), len(slots), k, d, 4*d, 4*k)
	case use != pureGo:
		outerAVX2(f(dst), f(coef), f(x), ix(slots), ix(owners), len(slots), k, d, 4*d, 4*k)
	default:
		outerGeneric(dst, coef, x, slots, owners, k, d)
	}
}

func gram(out, block []float32, k, d int) {
	if use == pureGo {
		PlainGram(out, block, k, d)
		return
	}
	gramAVX2(f(out), f(block), k*(k+1)/2, k, d, 4*d)
}

func repel(grad, block, alpha, ratio []float32, k, d int) {
	if use == pureGo {
		PlainRepel(grad, block, alpha, ratio, k, d)
		return
	}
	repelAVX2(f(grad), f(block), f(alpha), f(ratio), k, d, 4*d)
}

func dot(x, y []float32) float32 {
	if use == pureGo {
		return plainDot(x, y)
	}
	return dotAVX2(f(x), f(y), len(x))
}

func axpy(y, x []float32, a float32) {
	if use == pureGo {
		axpyGeneric(y, x, a)
		return
	}
	axpyAVX2(f(y), f(x), len(x), a)
}

func adam(p, m, v, g []float32, s *AdamStep) {
	if use == pureGo {
		adamGeneric(p, m, v, g, s)
		return
	}
	adamAVX2(f(p), f(m), f(v), f(g), len(p), s.Rate, s.InvSqrtBias2, s.Beta1, s.Beta2, s.Rest1, s.Rest2, s.Eps)
}

// mapped, paired and withNumber do the variant in use of an elementwise loop over x; over x and y; over x with a number.
func mapped(dst, x []float32, wide, usual func(dst, x *float32, n int), generic func(dst, x []float32)) {
	switch use {
	case avx512:
		wide(f(dst), f(x), len(x))
	case avx2:
		usual(f(dst), f(x), len(x))
	default:
		generic(dst, x)
	}
}

func paired(out, x, y []float32, wide, usual func(out, x, y *float32, n int), generic func(out, x, y []float32)) {
	switch use {
	case avx512:
		wide(f(out), f(x), f(y), len(x))
	case avx2:
		usual(f(out), f(x), f(y), len(x))
	default:
		generic(out, x, y)
	}
}

func withNumber(out, x []float32, c float32, wide, usual func(out, x *float32, n int, c float32), generic func(out, x []float32, c float32)) {
	switch use {
	case avx512:
		wide(f(out), f(x), len(x), c)
	case avx2:
		usual(f(out), f(x), len(x), c)
	default:
		generic(out, x, c)
	}
}

func exp(dst, x []float32)    { mapped(dst, x, expAVX512, expAVX2, expGeneric) }
func log(dst, x []float32)    { mapped(dst, x, logAVX512, logAVX2, logGeneric) }
func gumbel(dst, x []float32) { mapped(dst, x, gumbelAVX512, gumbelAVX2, gumbelGeneric) }

func softplusSigmoid(loss, sig, x []float32, sign float32) {
	switch use {
	case avx512:
		softplusSigmoidAVX512(f(loss), f(sig), f(x), len(x), sign)
	case avx2:
		softplusSigmoidAVX2(f(loss), f(sig), f(x), len(x), sign)
	default:
		softplusSigmoidGeneric(loss, sig, x, sign)
	}
}

func sigmoid(dst, x []float32) { mapped(dst, x, sigmoidAVX512, sigmoidAVX2, sigmoidGeneric) }
func tanh(dst, x []float32)    { mapped(dst, x, tanhAVX512, tanhAVX2, tanhGeneric) }

func softmax(x []float32, k int, invTau float32) {
	switch {
	case use == pureGo || k > 8:
		softmaxGeneric(x, k, invTau)
	case use == avx512:
		softmaxAVX512(f(x), len(x)/k, k, invTau)
	default:
		softmaxAVX2(f(x), len(x)/k, k, invTau)
	}
}

func uniform(dst []float32, state uint64) {
	switch use {
	case avx512:
		uniformAVX512(f(dst), len(dst), state)
	case avx2:
		uniformAVX2(f(dst), len(dst), state)
	default:
		uniformGeneric(dst, state)
	}
}

func add(out, x, y []float32)           { paired(out, x, y, addAVX512, addAVX2, addGeneric) }
func sub(out, x, y []float32)           { paired(out, x, y, subAVX512, subAVX2, subGeneric) }
func mul(out, x, y []float32)           { paired(out, x, y, mulAVX512, mulAVX2, mulGeneric) }
func div(out, x, y []float32)           { paired(out, x, y, divAVX512, divAVX2, divGeneric) }
func scale(out, x []float32, c float32) { withNumber(out, x, c, scaleAVX512, scaleAVX2, scaleGeneric) }
func shift(out, x []float32, c float32) { withNumber(out, x, c, shiftAVX512, shiftAVX2, shiftGeneric) }
func reluSlope(out, x, g []float32) {
	paired(out, x, g, reluSlopeAVX512, reluSlopeAVX2, reluSlopeGeneric)
}

func total(sums *[16]float64, x []float32) {
	if use == pureGo {
		totalGeneric(sums, x)
		return
	}
	totalAVX2(&sums[0], f(x), len(x))
}

func sumMiddle(out, x []float32, rows, m, k int) {
	if use == pureGo || rows == 0 {
		PlainSumMiddle(out, x, rows, m, k)
		return
	}
	sumMiddleAVX2(f(out), f(x), rows, m, k, whole(rows, k))
}

func maxMiddle(out, x []float32, rows, m, k int) {
	if use == pureGo || rows == 0 {
		PlainMaxMiddle(out, x, rows, m, k)
		return
	}
	maxMiddleAVX2(f(out), f(x), rows, m, k, whole(rows, k))
}

func spreadMiddle(out, x []float32, rows, m, k int) {
	if use == pureGo || rows == 0 {
		PlainSpreadMiddle(out, x, rows, m, k)
		return
	}
	results := whole(rows*m, k)
	full := results / m
	spreadMiddleAVX2(f(out), f(x), rows, m, k, full, results-full*m)
}

func spreadWeighted(out, x, weight []float32, windows, m, k int) {
	if use == pureGo || windows == 0 {
		PlainSpreadWeighted(out, x, weight, windows, m, k)
		return
	}
	results := whole(windows*m, k)
	full := results / m
	spreadWeightedAVX2(f(out), f(x), f(weight), windows, m, k, full, results-full*m)
}

func weightedRows(out, x, weight []float32, windows, m, k int) {
	if use == pureGo || windows == 0 {
		PlainWeightedRows(out, x, weight, windows, m, k)
		return
	}
	weightedRowsAVX2(f(out), f(x), f(weight), windows, m, k, whole(windows, k))
}

func scaleRows(out, x, weight []float32, rows, k int) {
	if use == pureGo || k >= 8 {
		spreadWeighted(out, x, weight, rows, 1, k)
		return
	}
	scaleRowsAVX2(f(out), f(x), f(weight), rows, k, whole(rows, k))
}

func softmaxSlope(out, p, g []float32, rows, k int) {
	if use == pureGo || k > 8 {
		PlainSoftmaxSlope(out, p, g, rows, k)
		return
	}
	softmaxSlopeAVX2(f(out), f(p), f(g), rows, k, whole(rows, k))
}

func oneHot(out, x []float32, rows, k int) {
	if use == pureGo || k > 8 {
		PlainOneHot(out, x, rows, k)
		return
	}
	oneHotAVX2(f(out), f(x), rows, k, whole(rows, k))
}

func weightedTotal(sums *[8]float64, x, weight []float32, k int) {
	if use == pureGo {
		weightedTotalGeneric(sums, x, weight, k)
		return
	}
	rows := len(weight)
	weightedTotalAVX2(&sums[0], f(x), f(weight), rows, k, whole(rows, k)&^1)
}

func gruStep(gates, in, bias, state, next, sum []float32) {
	switch use {
	case avx512:
		gruStepAVX512(f(gates), f(in), f(bias), f(state), f(next), f(sum), len(state))
	case avx2:
		gruStepAVX2(f(gates), f(in), f(bias), f(state), f(next), f(sum), len(state))
	default:
		gruStepGeneric(gates, in, bias, state, next, sum)
	}
}

func gruSlope(gates, state, carry, grad []float32, share float32) {
	switch use {
	case avx512:
		gruSlopeAVX512(f(gates), f(state), f(carry), f(grad), len(state), share)
	case avx2:
		gruSlopeAVX2(f(gates), f(state), f(carry), f(grad), len(state), share)
	default:
		PlainGRUSlope(gates, state, carry, grad, share)
	}
}

// gemmShape has the numbers of gen/gemm.go.
func gemmShape() tileShape {
	switch use {
	case avx512:
		return tileShape{12, 32}
	case avx2:
		return tileShape{6, 16}
	}
	return genericShape
}

func gemmPanels(half bool, panels, k int, a strided, b []float32, bRow int, c []float32, cRow int, add bool) {
	x, y, z := f(a.x), f(b), f(c)
	aRow, aColumn, yRow, zRow, adds := 4*a.row, 4*a.column, 4*bRow, 4*cRow, 0
	if add {
		adds = 1
	}
	switch {
	case use == avx512 && half:
		gemm1AVX512(panels, k, x, aRow, aColumn, y, yRow, z, zRow, adds)
	case use == avx512:
		gemm2AVX512(panels, k, x, aRow, aColumn, y, yRow, z, zRow, adds)
	case use == avx2 && half:
		gemm1AVX2(panels, k, x, aRow, aColumn, y, yRow, z, zRow, adds)
	case use == avx2:
		gemm2AVX2(panels, k, x, aRow, aColumn, y, yRow, z, zRow, adds)
	default:
		gemmPanelsGeneric(half, panels, k, a, b, bRow, c, cRow, add)
	}
}
