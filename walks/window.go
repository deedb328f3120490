package walks

import "math/bits"

// A window is one position of a walk: the vertex there, its centre, and the vertices up to size steps before and after,
// its contexts, in the walk's order. A vertex that the walk visits twice is there twice, and the centre may be among them.

// MaxWindow is the largest window size: a window's contexts are marked in one 64-bit word.
const MaxWindow = 32

// contextCount returns how many contexts position i of a walk of n vertices has.
func contextCount(n, i, size int) int { return min(i, size) + min(n-1-i, size) }

// fillContexts writes the contexts of position i of a walk to the beginning of dst, and the centre to the rest of it. It
// returns the contexts. Loops, because the runs are too short for copy to pay.
func fillContexts(dst, walk []int32, i, size int) []int32 {
	n := 0
	for _, v := range walk[max(0, i-size):i] {
		dst[n] = v
		n++
	}
	for _, v := range walk[i+1 : min(len(walk), i+size+1)] {
		dst[n] = v
		n++
	}
	for j := n; j < len(dst); j++ {
		dst[j] = walk[i]
	}
	return dst[:n]
}

// firsts marks the first occurrence of each distinct vertex of a context list, bit c for slot c: the readout bag.
func firsts(contexts []int32) uint64 {
	var mask uint64
next:
	for c, v := range contexts {
		for _, u := range contexts[:c] {
			if u == v {
				continue next
			}
		}
		mask |= 1 << c
	}
	return mask
}

// pairs returns how many (centre, context) pairs the windows of a walk of n vertices have: as many after the centres as
// before them, and the i-th vertex has min(i, size) before it.
func pairs(n, size int) int64 {
	m := min(n, size)
	return 2 * int64(m*(m-1)/2+(n-m)*size)
}

// bagSize returns the number of distinct vertices that a mask of firsts marks.
func bagSize(mask uint64) int { return bits.OnesCount64(mask) }
