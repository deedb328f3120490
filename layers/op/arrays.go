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

	softplus: softplus64, sumMiddle: sumMiddle64, maxMiddle: maxMiddle64, spreadMiddle: spreadMiddle64, weightedRows: weightedRows64,
	spreadWeighted: spreadWeighted64,
	scaleRows: func(out, x, weight []float64, rows, k int) {
		spreadWeighted64(out, x, weight, rows, 1, k)
	},
	reluSlope: pairwise(func(x, g float64) float64 {
		if x > 0 {
			return g
		}
		return 0
	}),
	softmax: softmax64, softmaxSlope: softmaxSlope64, oneHot: oneHot64,
	total: func(x []float64) (sum float64) {
		for _, v := range x {
			sum += v
		}
		return sum
	},
	weightedTotal: weightedTotal64, gram: gram64, repel: repel64,
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

func sumMiddle64(out, x []float64, rows, m, k int) {
	clear(out)
	for i := range rows * m {
		axpy(out[i/m*k:], x[i*k:(i+1)*k], 1)
	}
}

func maxMiddle64(out, x []float64, rows, m, k int) {
	for i, v := range x[:rows*m*k] {
		if o := i/(m*k)*k + i%k; i/k%m == 0 || !(out[o] > v) {
			out[o] = v
		}
	}
}

func spreadMiddle64(out, x []float64, rows, m, k int) {
	for i := range rows * m {
		copy(out[i*k:(i+1)*k], x[i/m*k:])
	}
}

func weightedRows64(out, x, weight []float64, windows, m, k int) {
	clear(out)
	for i, w := range weight[:windows*m] {
		if w != 0 {
			axpy(out[i/m*k:], x[i*k:(i+1)*k], w)
		}
	}
}

func spreadWeighted64(out, x, weight []float64, windows, m, k int) {
	clear(out)
	for i, w := range weight[:windows*m] {
		if w != 0 {
			axpy(out[i*k:], x[i/m*k:(i/m+1)*k], w)
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

func softmaxSlope64(out, p, g []float64, rows, k int) {
	for r := range rows {
		share, slope := p[r*k:(r+1)*k], g[r*k:(r+1)*k]
		mean := dot(share, slope)
		for i, v := range share {
			out[r*k+i] = v * (slope[i] - mean)
		}
	}
}

func oneHot64(out, x []float64, rows, k int) {
	clear(out)
	for r := range rows {
		row, o := x[r*k:(r+1)*k], out[r*k:(r+1)*k]
		best, nan := 0, false
		for i, v := range row {
			if v > row[best] {
				best = i
			}
			nan = nan || v != v
		}
		o[best] = 1
		if nan {
			fill(o, math.NaN())
		}
	}
}

func weightedTotal64(x, weight []float64, rows, k int) (sum float64) {
	for r, w := range weight[:rows] {
		if w == 0 {
			continue
		}
		var row float64
		for _, v := range x[r*k : (r+1)*k] {
			row += v
		}
		sum += w * row
	}
	return sum
}

func gram64(out, block []float64, k, d int) {
	p := 0
	for i := range k {
		for j := i; j < k; j++ {
			out[p] = dot(block[i*d:(i+1)*d], block[j*d:(j+1)*d])
			p++
		}
	}
}

func repel64(grad, block, alpha, ratio []float64, k, d int) {
	clear(grad)
	for i := range k {
		x, sum := block[i*d:(i+1)*d], grad[i*d:(i+1)*d]
		for j, a := range alpha[i*k : (i+1)*k] {
			if a == 0 {
				continue
			}
			for n, y := range block[j*d : (j+1)*d] {
				sum[n] += a * (y - ratio[i*k+j]*x[n])
			}
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
