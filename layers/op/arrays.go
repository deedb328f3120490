package op

import (
	"math"

	"github.com/asp2vec/asp2vec/internal/kernel"
)

// An arrays is the arithmetic in which ops are written once for both types. Package kernel says what its functions do, under
// the same names.
type arrays[T Float] struct {
	add, sub, mul, div                 func(out, x, y []T)
	scale, shift                       func(out, x []T, c T)
	exp, log, sqrt, sigmoid, tanh      func(dst, x []T)
	softplus                           func(value, slope, x []T)
	sumMiddle, maxMiddle, spreadMiddle func(out, x []T, rows, m, k int)
	weightedRows, spreadWeighted       func(out, x, weight []T, windows, m, k int)
	scaleRows                          func(out, x, weight []T, rows, k int)
	reluSlope                          func(out, x, g []T)
	softmax                            func(x []T, n, k int)
	softmaxSlope                       func(out, p, g []T, rows, k int)
	oneHot                             func(out, x []T, rows, k int)
	total                              func(x []T) float64
	weightedTotal                      func(x, weight []T, rows, k int) float64
	gram                               func(out, block []T, k, d int)
	repel                              func(grad, block, alpha, ratio []T, k, d int)
}

// fast works in vectors, to train.
var fast = arrays[float32]{
	add: kernel.Add, sub: kernel.Sub, mul: kernel.Mul, div: kernel.Div, scale: kernel.Scale, shift: kernel.Shift,
	exp: kernel.Exp, log: kernel.Log, sqrt: sqrt32, sigmoid: kernel.Sigmoid, tanh: kernel.Tanh,
	softplus:  func(value, slope, x []float32) { kernel.SoftplusSigmoid(value, slope, x, 1) },
	sumMiddle: kernel.SumMiddle, maxMiddle: kernel.MaxMiddle, spreadMiddle: kernel.SpreadMiddle,
	weightedRows: kernel.WeightedRows, spreadWeighted: kernel.SpreadWeighted, scaleRows: kernel.ScaleRows, reluSlope: kernel.ReluSlope,
	softmax:      func(x []float32, n, k int) { kernel.Softmax(x, n, k, 1) },
	softmaxSlope: kernel.SoftmaxSlope, oneHot: kernel.OneHot,
	total: kernel.Total, weightedTotal: kernel.WeightedTotal, gram: kernel.Gram, repel: kernel.Repel,
}

// exact is plain loops, to check gradients.
var exact = arrays[float64]{
	add:     pairwise(func(x, y float64) float64 { return x + y }),
	sub:     pairwise(func(x, y float64) float64 { return x - y }),
	mul:     pairwise(func(x, y float64) float64 { return x * y }),
	div:     pairwise(func(x, y float64) float64 { return x / y }),
	scale:   byNumber(func(x, c float64) float64 { return c * x }),
	shift:   byNumber(func(x, c float64) float64 { return x + c }),
	exp:     each(math.Exp),
	log:     each(math.Log),
	sqrt:    each(math.Sqrt),
	sigmoid: each(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	tanh:    each(math.Tanh),

	softplus: softplus64, sumMiddle: kernel.PlainSumMiddle[float64], maxMiddle: kernel.PlainMaxMiddle[float64], spreadMiddle: kernel.PlainSpreadMiddle[float64],
	weightedRows: kernel.PlainWeightedRows[float64], spreadWeighted: kernel.PlainSpreadWeighted[float64],
	scaleRows: func(out, x, weight []float64, rows, k int) { kernel.PlainSpreadWeighted(out, x, weight, rows, 1, k) },
	reluSlope: pairwise(func(x, g float64) float64 {
		if x > 0 {
			return g
		}
		return 0
	}),
	softmax: softmax64, softmaxSlope: kernel.PlainSoftmaxSlope[float64], oneHot: kernel.PlainOneHot[float64],
	total: func(x []float64) (sum float64) {
		for _, v := range x {
			sum += v
		}
		return sum
	},
	weightedTotal: kernel.PlainWeightedTotal[float64], gram: kernel.PlainGram[float64], repel: kernel.PlainRepel[float64],
}

// sqrt32 is a loop of its own, since in a generic function each root is a call.
func sqrt32(dst, x []float32) {
	for i, v := range x {
		dst[i] = float32(math.Sqrt(float64(v)))
	}
}

func each(f func(x float64) float64) func(dst, x []float64) {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

func pairwise(f func(x, y float64) float64) func(out, x, y []float64) {
	return func(out, x, y []float64) {
		for i, v := range x {
			out[i] = f(v, y[i])
		}
	}
}

func byNumber(f func(x, c float64) float64) func(out, x []float64, c float64) {
	return func(out, x []float64, c float64) {
		for i, v := range x {
			out[i] = f(v, c)
		}
	}
}

func softplus64(value, slope, x []float64) {
	for i, x := range x {
		e := math.Exp(-math.Abs(x))
		value[i], slope[i] = max(x, 0)+math.Log1p(e), 1/(1+e)
		if x < 0 {
			slope[i] *= e
		}
	}
}

func softmax64(x []float64, n, k int) {
	for ; n > 0; n, x = n-1, x[k:] {
		row := x[:k]
		top := row[0]
		for _, v := range row[1:] {
			top = max(top, v) // NaN if any is
		}
		var total float64
		for i, v := range row {
			row[i] = math.Exp(v - top)
			total += row[i]
		}
		for i := range row {
			row[i] *= 1 / total
		}
	}
}

// fill writes c into all of x, twice as much at a time, as fast as memory is copied.
func fill[T Float](x []T, c T) {
	if len(x) == 0 {
		return
	}
	x[0] = c
	for n := 1; n < len(x); n *= 2 {
		copy(x[n:], x[:n])
	}
}

// room returns the first n elements of a buffer, which it makes anew where that is too short: a run on fewer rows than the
// one before allocates nothing.
func room[E any](buffer *[]E, n int) []E {
	if cap(*buffer) < n {
		*buffer = make([]E, n)
	}
	*buffer = (*buffer)[:n]
	return *buffer
}
