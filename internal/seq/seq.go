// Package seq makes slices of slices.
package seq

// Map returns f of each element of s, in order; nil for none.
func Map[S, T any](s []S, f func(S) T) []T {
	if len(s) == 0 {
		return nil
	}
	out := make([]T, len(s))
	for i, x := range s {
		out[i] = f(x)
	}
	return out
}

// Upto returns 0, 1, ..., n-1.
func Upto[N int | int32](n N) []N {
	out := make([]N, n)
	for i := range out {
		out[i] = N(i)
	}
	return out
}
