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

func gram(out, block []float32, k, d int)        { gramGeneric(out, block, k, d) }
func dot(x, y []float32) float32                 { return dotGeneric(x, y) }
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
	repelGeneric(grad, block, alpha, ratio, k, d)
}
func logits(dst, noise, scores []float32, bag uint64, _, k int, scale float32) {
	logitsGeneric(dst, noise, scores, bag, k, scale)
}
func weigh(coefPos, coefNeg []float32, w *Weights) float32 { return weighGeneric(coefPos, coefNeg, w) }
func scaleSum(dst, slope, loss []float32, a float32) float32 {
	return scaleSumGeneric(dst, slope, loss, a)
}
func uniform(dst []float32, state uint64) { uniformGeneric(dst, state) }

func gemmShape() tileShape { return genericShape }
func gemmPanels(half bool, panels, k int, a strided, b []float32, bRow int, c []float32, cRow int, add bool) {
	gemmPanelsGeneric(half, panels, k, a, b, bRow, c, cRow, add)
}
