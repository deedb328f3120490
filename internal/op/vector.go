package op

// The loops that most of a step is spent in, unrolled by four. A sum has a running sum for each of the four: that hides
// the latency of the additions, and lowers the rounding error.

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

// dotSlopes is the gradient of dot(a, b) times g: it adds g·b to da, and sets db to g·a. All are of one length.
func dotSlopes[T Float](g T, a, b, da, db []T) {
	for len(a) >= 4 && len(b) >= 4 && len(da) >= 4 && len(db) >= 4 {
		da[0] += g * b[0]
		da[1] += g * b[1]
		da[2] += g * b[2]
		da[3] += g * b[3]
		db[0] = g * a[0]
		db[1] = g * a[1]
		db[2] = g * a[2]
		db[3] = g * a[3]
		a, b, da, db = a[4:], b[4:], da[4:], db[4:]
	}
	b, da, db = b[:len(a)], da[:len(a)], db[:len(a)]
	for i, x := range a {
		da[i] += g * b[i]
		db[i] = g * x
	}
}
