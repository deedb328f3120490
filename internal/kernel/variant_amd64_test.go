//go:build amd64 && !purego

package kernel

import "testing"

// eachVariant runs a test with every variant that this processor has.
func eachVariant(t *testing.T, test func(t *testing.T)) {
	for _, v := range variants() {
		withVariant(v, func() { t.Run(v.String(), test) })
	}
}

// variants lists what this processor can run.
func variants() []variant {
	all := []variant{pureGo}
	for v := avx2; v <= detect(); v++ {
		all = append(all, v)
	}
	return all
}

// withVariant runs do with one variant and then restores the one in use.
func withVariant(v variant, do func()) {
	defer takeOnly(use)
	takeOnly(v)
	do()
}

// takeOnly is take from whatever variant is in use.
func takeOnly(v variant) {
	dots, combine, outer = dotsGeneric, combineGeneric, outerGeneric
	gram, repel = PlainGram[float32], PlainRepel[float32]
	dot, axpy, adam = plainDot[float32], axpyGeneric, adamGeneric
	exp, log, gumbel = each(exp1), each(log1), each(gumbel1)
	sigmoid, tanh = each(sigmoid1), each(tanh1)
	softplusSigmoid, softmax, uniform = softplusSigmoidGeneric, softmaxGeneric, uniformGeneric
	add, sub, mul, div = addGeneric, subGeneric, mulGeneric, divGeneric
	scale, shift, reluSlope = scaleGeneric, shiftGeneric, reluSlopeGeneric
	total, weightedTotal = totalGeneric, weightedTotalGeneric
	sumMiddle, maxMiddle, spreadMiddle = PlainSumMiddle[float32], PlainMaxMiddle[float32], PlainSpreadMiddle[float32]
	spreadWeighted, scaleRows, weightedRows = PlainSpreadWeighted[float32], scaleRowsGeneric, PlainWeightedRows[float32]
	softmaxSlope, oneHot = PlainSoftmaxSlope[float32], PlainOneHot[float32]
	gruStep, gruSlope = gruStepGeneric, PlainGRUSlope[float32]
	gemmPanels, gemmShape = gemmPanelsGeneric, genericShape
	take(v)
	use = v
}
