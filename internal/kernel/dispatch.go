package kernel

// The loops that run behind the functions of this package: those in Go, unless the processor has better ones.
var (
	dots, combine, outer      = dotsGeneric, combineGeneric, outerGeneric
	gram, repel               = PlainGram[float32], PlainRepel[float32]
	dot, axpy, adam           = plainDot[float32], axpyGeneric, adamGeneric
	exp, log, gumbel          = each(exp1), each(log1), each(gumbel1)
	sigmoid, tanh             = each(sigmoid1), each(tanh1)
	softplusSigmoid, softmax  = softplusSigmoidGeneric, softmaxGeneric
	uniform                   = uniformGeneric
	add, sub, mul, div        = addGeneric, subGeneric, mulGeneric, divGeneric
	scale, shift, reluSlope   = scaleGeneric, shiftGeneric, reluSlopeGeneric
	total, weightedTotal      = totalGeneric, weightedTotalGeneric
	sumMiddle, maxMiddle      = PlainSumMiddle[float32], PlainMaxMiddle[float32]
	spreadMiddle              = PlainSpreadMiddle[float32]
	spreadWeighted, scaleRows = PlainSpreadWeighted[float32], scaleRowsGeneric
	weightedRows              = PlainWeightedRows[float32]
	softmaxSlope, oneHot      = PlainSoftmaxSlope[float32], PlainOneHot[float32]
	gruStep, gruSlope         = gruStepGeneric, PlainGRUSlope[float32]
	gemmPanels, gemmShape     = gemmPanelsGeneric, genericShape
)
