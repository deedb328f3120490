package kernel

// The elementwise arithmetic of small arrays. All variants give the same bits, but for which NaN.

// Add writes x+y elementwise; out and y are at least as long as x, and out may be x or y itself.
func Add(out, x, y []float32) { add(cut(out, len(x)), x, cut(y, len(x))) }

// Sub writes x-y elementwise; out and y are at least as long as x, and out may be x or y itself.
func Sub(out, x, y []float32) { sub(cut(out, len(x)), x, cut(y, len(x))) }

// Mul writes x*y elementwise; out and y are at least as long as x, and out may be x or y itself.
func Mul(out, x, y []float32) { mul(cut(out, len(x)), x, cut(y, len(x))) }

// Div writes x/y elementwise; out and y are at least as long as x, and out may be x or y itself.
func Div(out, x, y []float32) { div(cut(out, len(x)), x, cut(y, len(x))) }

// Scale writes c*x elementwise; out is at least as long as x and may be x itself.
func Scale(out, x []float32, c float32) { scale(cut(out, len(x)), x, c) }

// Shift writes x+c elementwise; out is at least as long as x and may be x itself.
func Shift(out, x []float32, c float32) { shift(cut(out, len(x)), x, c) }

// ReluSlope writes g where x > 0 and 0 elsewhere; out and g are at least as long as x, and out may be x or g itself.
func ReluSlope(out, x, g []float32) { reluSlope(cut(out, len(x)), x, cut(g, len(x))) }

// Total returns the sum of x in float64. It sums words i, i+16, ... for each i < 16, and then these sums in turn.
func Total(x []float32) (sum float64) {
	whole := len(x) &^ 15
	sums := total(x[:whole])
	for i, v := range x[whole:] {
		sums[i] += float64(v)
	}
	for _, v := range sums {
		sum += v
	}
	return sum
}

func addGeneric(out, x, y []float32) {
	out, y = out[:len(x)], y[:len(x)]
	for i, v := range x {
		out[i] = v + y[i]
	}
}

func subGeneric(out, x, y []float32) {
	out, y = out[:len(x)], y[:len(x)]
	for i, v := range x {
		out[i] = v - y[i]
	}
}

func mulGeneric(out, x, y []float32) {
	out, y = out[:len(x)], y[:len(x)]
	for i, v := range x {
		out[i] = v * y[i]
	}
}

func divGeneric(out, x, y []float32) {
	out, y = out[:len(x)], y[:len(x)]
	for i, v := range x {
		out[i] = v / y[i]
	}
}

func scaleGeneric(out, x []float32, c float32) {
	out = out[:len(x)]
	for i, v := range x {
		out[i] = c * v
	}
}

func shiftGeneric(out, x []float32, c float32) {
	out = out[:len(x)]
	for i, v := range x {
		out[i] = v + c
	}
}

func reluSlopeGeneric(out, x, g []float32) {
	out, g = out[:len(x)], g[:len(x)]
	for i, v := range x {
		if slope := g[i]; v > 0 {
			out[i] = slope
		} else {
			out[i] = 0
		}
	}
}

func totalGeneric(x []float32) (sums [16]float64) {
	for ; len(x) >= len(sums); x = x[len(sums):] {
		for i, v := range x[:len(sums)] {
			sums[i] += float64(v)
		}
	}
	return sums
}
