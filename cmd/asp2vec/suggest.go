package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// nearest returns the names that word may have been meant for, or all of them if none is near; of many the first three and how many there are.
func nearest(word string, names []string, prefix string) string {
	const few = 30
	names = slices.Sorted(slices.Values(names))
	near := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isNear(word, name) })
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(distance(word, a), distance(word, b)) })
	switch {
	case len(near) > 0:
		names = near[:min(3, len(near))]
	case len(names) > few:
		return fmt.Sprintf("one of %s, such as %s", count(len(names)), prefix+strings.Join(names[:3], ", "+prefix))
	}
	return prefix + strings.Join(names, ", "+prefix)
}

// isNear says whether one could have been typed for the other.
func isNear(word, name string) bool {
	if len(word) >= 3 && (strings.HasPrefix(name, word) || strings.Contains(name, word)) {
		return true
	}
	return distance(word, name) <= max(1, min(len(word), len(name))/3)
}

// distance is the number of characters inserted, left out, exchanged or swapped with their neighbour between a and b.
func distance(a, b string) int {
	// d[i][j] is the distance of the first i bytes of a and j of b.
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
