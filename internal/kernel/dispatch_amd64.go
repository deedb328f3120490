//go:build amd64 && !purego

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// use is the variant of this processor.
var use = detect()

func init() { take(use) }

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

// take puts the assembly of a variant in the place of the loops in Go. Most loops of the assembly test at their ends, and so get no empty arrays.
func take(v variant) {
	if v == pureGo {
		return
	}
	takeBlocks(v == avx512)
	takeElementwise(v == avx512)
	takeArrays()
	takeProducts(v == avx512)
}

// either returns the assembly of AVX-512 or of AVX2.
func either[F any](wide bool, avx512, avx2 F) F {
	if wide {
		return avx512
	}
	return avx2
}

func takeBlocks(wide bool) {
	dots = func(out, x, table []float32, rows []int32, k, d int) {
		if wide && d > narrow {
			dotsAVX512(f(out), f(x), f(table), ix(rows), len(out), k, d, 4*d, 4*k*d)
		} else {
			dotsAVX2(f(out), f(x), f(table), ix(rows), len(out), k, d, 4*d, 4*k*d)
		}
	}
	sums := either(wide, combineAVX512, combineAVX2)
	combine = func(dst, coef, table []float32, rows []int32, k, d int) {
		sums(f(dst), f(coef), f(table), ix(rows), len(coef), k, d, 4*d, 4*k*d)
	}
	outer = func(dst, coef, x []float32, slots, owners []int32, k, d int) {
		switch {
		case len(slots) == 0:
		case wide && k*d > narrow:
			outerAVX512(f(dst), f(coef), f(x), ix(slots), ix(owners), len(slots), k, d, 4*d, 4*k)
		default:
			outerAVX2(f(dst), f(coef), f(x), ix(slots), ix(owners), len(slots), k, d, 4*d, 4*k)
		}
	}
	gram = func(out, block []float32, k, d int) { gramAVX2(f(out), f(block), k*(k+1)/2, k, d, 4*d) }
	repel = func(grad, block, alpha, ratio []float32, k, d int) {
		repelAVX2(f(grad), f(block), f(alpha), f(ratio), k, d, 4*d)
	}
	dot = func(x, y []float32) float32 { return dotAVX2(f(x), f(y), len(x)) }
	axpy = func(y, x []float32, a float32) { axpyAVX2(f(y), f(x), len(x), a) }
	adam = func(p, m, v, g []float32, s AdamStep) {
		adamAVX2(f(p), f(m), f(v), f(g), len(p), s.Rate, s.InvSqrtBias2, s.Beta1, s.Beta2, s.Rest1, s.Rest2, s.Eps)
	}
}

// mapped, paired and withNumber are elementwise loops over x; over x and y; over x with a number.
func mapped(do func(dst, x *float32, n int)) func(dst, x []float32) {
	return func(dst, x []float32) { do(f(dst), f(x), len(x)) }
}

func paired(do func(out, x, y *float32, n int)) func(out, x, y []float32) {
	return func(out, x, y []float32) { do(f(out), f(x), f(y), len(x)) }
}

func withNumber(do func(out, x *float32, n int, c float32)) func(out, x []float32, c float32) {
	return func(out, x []float32, c float32) { do(f(out), f(x), len(x), c) }
}

func takeElementwise(wide bool) {
	exp = mapped(either(wide, expAVX512, expAVX2))
	log = mapped(either(wide, logAVX512, logAVX2))
	gumbel = mapped(either(wide, gumbelAVX512, gumbelAVX2))
	sigmoid = mapped(either(wide, sigmoidAVX512, sigmoidAVX2))
	tanh = mapped(either(wide, tanhAVX512, tanhAVX2))
	add = paired(either(wide, addAVX512, addAVX2))
	sub = paired(either(wide, subAVX512, subAVX2))
	mul = paired(either(wide, mulAVX512, mulAVX2))
	div = paired(either(wide, divAVX512, divAVX2))
	reluSlope = paired(either(wide, reluSlopeAVX512, reluSlopeAVX2))
	scale = withNumber(either(wide, scaleAVX512, scaleAVX2))
	shift = withNumber(either(wide, shiftAVX512, shiftAVX2))
	both := either(wide, softplusSigmoidAVX512, softplusSigmoidAVX2)
	softplusSigmoid = func(loss, sig, x []float32, sign float32) { both(f(loss), f(sig), f(x), len(x), sign) }
	short := either(wide, softmaxAVX512, softmaxAVX2)
	softmax = func(x []float32, k int, invTau float32) {
		if k > 8 {
			softmaxGeneric(x, k, invTau)
		} else {
			short(f(x), len(x)/k, k, invTau)
		}
	}
	draw := either(wide, uniformAVX512, uniformAVX2)
	uniform = func(dst []float32, state uint64) { draw(f(dst), len(dst), state) }
}

func takeArrays() {
	total = func(x []float32) (sums [16]float64) {
		totalAVX2(&sums[0], f(x), len(x))
		return sums
	}
	weightedTotal = func(x, weight []float32, k int) (sums [8]float64) {
		rows := len(weight)
		weightedTotalAVX2(&sums[0], f(x), f(weight), rows, k, whole(rows, k)&^1)
		return sums
	}
	middle := func(do func(out, x *float32, rows, m, k, full int)) func(out, x []float32, rows, m, k int) {
		return func(out, x []float32, rows, m, k int) {
			if rows > 0 {
				do(f(out), f(x), rows, m, k, whole(rows, k))
			}
		}
	}
	sumMiddle, maxMiddle = middle(sumMiddleAVX2), middle(maxMiddleAVX2)
	spreadMiddle = func(out, x []float32, rows, m, k int) {
		if rows > 0 {
			full, rest := wholeWindows(rows, m, k)
			spreadMiddleAVX2(f(out), f(x), rows, m, k, full, rest)
		}
	}
	spreadWeighted = func(out, x, weight []float32, rows, m, k int) {
		if rows > 0 {
			full, rest := wholeWindows(rows, m, k)
			spreadWeightedAVX2(f(out), f(x), f(weight), rows, m, k, full, rest)
		}
	}
	weightedRows = func(out, x, weight []float32, windows, m, k int) {
		if windows > 0 {
			weightedRowsAVX2(f(out), f(x), f(weight), windows, m, k, whole(windows, k))
		}
	}
	scaleRows = func(out, x, weight []float32, rows, k int) {
		if k >= 8 {
			spreadWeighted(out, x, weight, rows, 1, k)
		} else {
			scaleRowsAVX2(f(out), f(x), f(weight), rows, k, whole(rows, k))
		}
	}
	softmaxSlope = func(out, p, g []float32, rows, k int) {
		if k > 8 {
			PlainSoftmaxSlope(out, p, g, rows, k)
		} else {
			softmaxSlopeAVX2(f(out), f(p), f(g), rows, k, whole(rows, k))
		}
	}
	oneHot = func(out, x []float32, rows, k int) {
		if k > 8 {
			PlainOneHot(out, x, rows, k)
		} else {
			oneHotAVX2(f(out), f(x), rows, k, whole(rows, k))
		}
	}
}

// wholeWindows returns how many windows have rows that are all whole, and how many whole rows are left.
func wholeWindows(windows, m, k int) (full, rest int) {
	rows := whole(windows*m, k)
	return rows / m, rows % m
}

func takeProducts(wide bool) {
	step, slope := either(wide, gruStepAVX512, gruStepAVX2), either(wide, gruSlopeAVX512, gruSlopeAVX2)
	gruStep = func(gates, in, bias, state, next, sum []float32) {
		step(f(gates), f(in), f(bias), f(state), f(next), f(sum), len(state))
	}
	gruSlope = func(gates, state, carry, grad []float32, share float32) {
		slope(f(gates), f(state), f(carry), f(grad), len(state), share)
	}
	gemmShape = either(wide, tileShape{12, 32}, tileShape{6, 16}) // as gen/gemm.go has them
	one, two := either(wide, gemm1AVX512, gemm1AVX2), either(wide, gemm2AVX512, gemm2AVX2)
	gemmPanels = func(half bool, panels, k int, a strided, b []float32, bRow int, c []float32, cRow int, add bool) {
		adds := 0
		if add {
			adds = 1
		}
		either(half, one, two)(panels, k, f(a.x), 4*a.row, 4*a.column, f(b), 4*bRow, f(c), 4*cRow, adds)
	}
}
