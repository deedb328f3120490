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

// Filter returns the elements of s that keep says yes to, in order; nil for none.
func Filter[T any](s []T, keep func(T) bool) (kept []T) {
	for _, x := range s {
		if keep(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// Flat returns f of each element of s, one after the other; nil for none.
func Flat[S, T any](s []S, f func(S) []T) (all []T) {
	for _, x := range s {
		all = append(all, f(x)...)
	}
	return all
}

// Count returns how many elements of s that says yes to.
func Count[T any](s []T, that func(T) bool) (n int) {
	for _, x := range s {
		if that(x) {
			n++
		}
	}
	return n
}

// Set returns what f makes of the elements of s.
func Set[S any, K comparable](s []S, f func(S) K) map[K]bool {
	set := make(map[K]bool, len(s))
	for _, x := range s {
		set[f(x)] = true
	}
	return set
}

// Places returns where each element of s stands in it, the last time.
func Places[K comparable, N int | int32](s []K) map[K]N {
	at := make(map[K]N, len(s))
	for i, x := range s {
		at[x] = N(i)
	}
	return at
}

// Evenly returns at most so many of a list, in even steps: the list itself if it is no longer.
func Evenly[T any](list []T, most int) []T {
	if len(list) <= most {
		return list
	}
	some := make([]T, most)
	for i := range some {
		some[i] = list[i*len(list)/most]
	}
	return some
}
