package walks

import (
	"fmt"
	"slices"
)

// Types parts the vertices of a network with several types: those of type t are the vertices Start[t] to Start[t+1]-1. A
// negative is of the type of the context that it stands against.
//
// Source: metapath2vec++ (Dong, Chawla, Swami, KDD 2017), whose softmax is over the vertices of the context's type.
type Types struct {
	Start   []int32 // ascending from 0 to the number of vertices; one more than there are types
	Centers []bool  // of each type: windows with such a centre are in the stream; nil: all
	Readout []bool  // of each type: the readout is over such contexts, or over all in a window without any; nil: all
}

func (t *Types) validate(vertices int) error {
	switch n := len(t.Start) - 1; {
	case n < 1 || t.Start[0] != 0 || int(t.Start[n]) != vertices || !slices.IsSorted(t.Start):
		return fmt.Errorf("walks: types from %v: expected ascending numbers from 0 to %d, the number of vertices", t.Start, vertices)
	case t.Centers != nil && len(t.Centers) != n || t.Readout != nil && len(t.Readout) != n:
		return fmt.Errorf("walks: %d types, %d of centres and %d of the readout: expected as many or none", n, len(t.Centers), len(t.Readout))
	}
	return nil
}

// of returns the type of a vertex.
func (t *Types) of(v int32) int {
	typ := 0
	for v >= t.Start[typ+1] {
		typ++
	}
	return typ
}

// centered says whether a vertex is a centre; any is where there are no types.
func (t *Types) centered(v int32) bool {
	return t == nil || t.Centers == nil || t.Centers[t.of(v)]
}

// bag returns the part of a window's bag that is read out.
func (t *Types) bag(contexts []int32, firsts uint64) uint64 {
	if t == nil || t.Readout == nil {
		return firsts
	}
	var mask uint64
	for c, v := range contexts {
		if t.Readout[t.of(v)] {
			mask |= 1 << c
		}
	}
	if mask &= firsts; mask == 0 {
		return firsts
	}
	return mask
}

// outside counts the vertices of a type that are not among a window's contexts, whose distinct ones firsts marks.
func (t *Types) outside(typ int, contexts []int32, firsts uint64) int {
	n := int(t.Start[typ+1] - t.Start[typ])
	for c, v := range contexts {
		if firsts>>c&1 == 1 && t.of(v) == typ {
			n--
		}
	}
	return n
}
