package op

// The two loops that most of a step is spent in. Both are unrolled by four, with one running sum for each of the four:
// that hides the latency of the additions, and halves the rounding error of a sum in a row.

// dot returns Σ a[i]·b[i]; b is at least as long as a.
func dot[T Float](a, b []T) T {
	var s0, s1, s2, s3 T
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	b = b[:len(a)]
	for i, x := range a {
		s0 += x * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds c·x to y; y is at least as long as x.
func axpy[T Float](c T, x, y []T) {
	for len(x) >= 4 && len(y) >= 4 {
		y[0] += c * x[0]
		y[1] += c * x[1]
		y[2] += c * x[2]
		y[3] += c * x[3]
		x, y = x[4:], y[4:]
	}
	y = y[:len(x)]
	for i, v := range x {
		y[i] += c * v
	}
}
