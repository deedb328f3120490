//go:build !amd64 || purego

package kernel

const use = pureGo

func dots(out, x, table []float32, rows []int32, k, d int) { dotsGeneric(out, x, table, rows, k, d) }

func combine(dst, coef, table []float32, rows []int32, k, d int) {
	combineGeneric(dst, coef, table, rows, k, d)
}

func outer(dst, coef, x []float32, slots, owners []int32, k, d int) {
	outerGeneric(dst, coef, x, slots, owners, k, d)
}

func gram(out, block []float32, k, d int)        { PlainGram(out, block, k, d) }
func dot(x, y []float32) float32                 { return plainDot(x, y) }
func axpy(y, x []float32, a float32)             { axpyGeneric(y, x, a) }
func exp(dst, x []float32)                       { expGeneric(dst, x) }
func log(dst, x []float32)                       { logGeneric(dst, x) }
func gumbel(dst, u []float32)                    { gumbelGeneric(dst, u) }
func sigmoid(dst, x []float32)                   { sigmoidGeneric(dst, x) }
func tanh(dst, x []float32)                      { tanhGeneric(dst, x) }
func softmax(x []float32, k int, invTau float32) { softmaxGeneric(x, k, invTau) }
func softplusSigmoid(loss, sig, x []float32, sign float32) {
	softplusSigmoidGeneric(loss, sig, x, sign)
}
func adam(p, m, v, g []float32, step *AdamStep) { adamGeneric(p, m, v, g, step) }
func repel(grad, block, alpha, ratio []float32, k, d int) {
	PlainRepel(grad, block, alpha, ratio, k, d)
}
func uniform(dst []float32, state uint64) { uniformGeneric(dst, state) }

func add(out, x, y []float32)                       { addGeneric(out, x, y) }
func sub(out, x, y []float32)                       { subGeneric(out, x, y) }
func mul(out, x, y []float32)                       { mulGeneric(out, x, y) }
func div(out, x, y []float32)                       { divGeneric(out, x, y) }
func scale(out, x []float32, c float32)             { scaleGeneric(out, x, c) }
func shift(out, x []float32, c float32)             { shiftGeneric(out, x, c) }
func reluSlope(out, x, g []float32)                 { reluSlopeGeneric(out, x, g) }
func total(sums *[16]float64, x []float32)          { totalGeneric(sums, x) }
func sumMiddle(out, x []float32, rows, m, k int)    { PlainSumMiddle(out, x, rows, m, k) }
func maxMiddle(out, x []float32, rows, m, k int)    { PlainMaxMiddle(out, x, rows, m, k) }
func spreadMiddle(out, x []float32, rows, m, k int) { PlainSpreadMiddle(out, x, rows, m, k) }
func softmaxSlope(out, p, g []float32, rows, k int) { PlainSoftmaxSlope(out, p, g, rows, k) }
func oneHot(out, x []float32, rows, k int)          { PlainOneHot(out, x, rows, k) }
func scaleRows(out, x, weight []float32, rows, k int) {
	PlainSpreadWeighted(out, x, weight, rows, 1, k)
}
func spreadWeighted(out, x, weight []float32, windows, m, k int) {
	PlainSpreadWeighted(out, x, weight, windows, m, k)
}
func weightedRows(out, x, weight []float32, windows, m, k int) {
	PlainWeightedRows(out, x, weight, windows, m, k)
}
func weightedTotal(sums *[8]float64, x, w []float32, k int) { weightedTotalGeneric(sums, x, w, k) }

func gruStep(gates, in, bias, state, next, sum []float32) {
	gruStepGeneric(gates, in, bias, state, next, sum)
}
func gruSlope(gates, state, carry, grad []float32, share float32) {
	PlainGRUSlope(gates, state, carry, grad, share)
}

func gemmShape() tileShape { return genericShape }
func gemmPanels(half bool, panels, k int, a strided, b []float32, bRow int, c []float32, cRow int, add bool) {
	gemmPanelsGeneric(half, panels, k, a, b, bRow, c, cRow, add)
}
