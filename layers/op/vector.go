package op

// The generic forms of what internal/kernel has for float32.

// dot returns Σ a[i]·b[i]; b is at least as long as a.
func dot[T Float](a, b []T) (sum T) {
	b = b[:len(a)]
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// axpy adds a·x to y; y is at least as long as x.
func axpy[T Float](y, x []T, a T) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}
