package walks

import (
	"math"
	"math/bits"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// choice is one slot of an alias table: a vertex, and the one that stands in for it when the draw falls above cut.
//
// A table of n slots draws a vertex by its weight in constant time: all slots are equally likely, and each gives its own
// vertex with probability cut, else the other.
//
// Source: Walker 1977; the way to fill it: Vose, IEEE Transactions on Software Engineering 17(9), 1991.
type choice struct {
	cut        uint64 // in parts of 2^64
	own, other int32
}

// aliasFiller fills alias tables; it keeps room to work in.
type aliasFiller struct {
	share []float64 // of each slot, its vertex's weight where the mean weight is 1, less what it has given away
	slots []int     // those that have less than 1 from the left, those that have more from the right
}

// fill writes the table of vertices with weights >= 0, of which one is > 0, to table, as long as both. It returns the sum of
// the weights. Probabilities are right but for rounding, and exactly 0 where the weight is.
func (f *aliasFiller) fill(table []choice, vertices []int32, weight func(i int) float64) (total float64) {
	n := len(table)
	f.share, f.slots = slices.Grow(f.share[:0], n)[:n], slices.Grow(f.slots[:0], n)[:n]
	var largest float64
	for i := range n {
		largest = max(largest, weight(i))
	}
	for i := range n { // in terms of the largest, so that the sum of the largest numbers is finite
		f.share[i] = weight(i) / largest
		total += f.share[i]
	}
	less, more := 0, n
	for i := range f.share {
		f.share[i] *= float64(n) / total
		if f.share[i] < 1 {
			f.slots[less] = i
			less++
		} else {
			more--
			f.slots[more] = i
		}
	}
	for less > 0 && more < n {
		less--
		small, large := f.slots[less], f.slots[more]
		table[small] = choice{parts(f.share[small]), vertices[small], vertices[large]}
		f.share[large] -= 1 - f.share[small]
		if f.share[large] < 1 {
			more++
			f.slots[less] = large
			less++
		}
	}
	// What is left has 1, but for rounding: nowhere near enough of that for a weight of 0 to be left.
	for _, left := range [][]int{f.slots[:less], f.slots[more:]} {
		for _, i := range left {
			table[i] = choice{0, vertices[i], vertices[i]}
		}
	}
	return total * largest
}

// draw returns a vertex by weight.
func draw(table []choice, stream *rng.Stream) int32 {
	i, rest := bits.Mul64(stream.Uint64(), uint64(len(table)))
	c := &table[i]
	v := c.other
	if rest < c.cut { // a conditional move: no processor could guess it
		v = c.own
	}
	return v
}

// parts returns a probability below 1 in parts of 2^64, to 53 bits.
func parts(p float64) uint64 { return uint64(math.Ceil(p*(1<<53))) << 11 }

// unit returns the number in [0,1) whose binary digits begin with those of x.
func unit(x uint64) float64 { return float64(x>>11) * (1.0 / (1 << 53)) }
