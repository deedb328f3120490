package walks

import (
	"fmt"
	"iter"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// lanes is how many walks are drawn at a time. A walk over a network that outgrows the caches waits for memory at each step,
// because the next step starts where this one leads; other walks do not depend on it, and go on meanwhile.
const lanes = 16

// together is a Source that draws several walks in less time than one after the other.
type together interface {
	// draw draws the walks of the given numbers, at most lanes of them: walk numbers[l] to the beginning of
	// room[l*MaxLength():] and its length to lengths[l].
	draw(numbers []int, room []int32, lengths *[lanes]int)
}

// one returns a walk of a source that draws several, in the memory of buf if it fits.
func one(src interface {
	Source
	together
}, i int, buf []int32) []int32 {
	var lengths [lanes]int
	room := slices.Grow(buf[:0], src.MaxLength())[:src.MaxLength()]
	src.draw([]int{i}, room, &lengths)
	return room[:lengths[0]]
}

// eachWalk gives the walks number(lo) to number(hi-1) of a source, with their places from lo on. A walk is good until the
// next one is asked for.
func eachWalk(src Source, lo, hi int, number func(j int) int) iter.Seq2[int, []int32] {
	length := src.MaxLength()
	many, ok := src.(together)
	if !ok {
		return func(yield func(int, []int32) bool) {
			buf := make([]int32, 0, length)
			for j := lo; j < hi; j++ {
				if !yield(j, src.Walk(number(j), buf)) {
					return
				}
			}
		}
	}
	known := false // that all have one length
	if e, ok := src.(even); ok {
		known = e.sameLength()
	}
	return func(yield func(int, []int32) bool) {
		var (
			numbers, lengths [lanes]int
			room             = make([]int32, min(lanes, hi-lo)*length)
		)
		for first := lo; first < hi; first += lanes {
			n := min(lanes, hi-first)
			for l := range n {
				numbers[l] = number(first + l)
			}
			many.draw(numbers[:n], room, &lengths)
			for l := range n {
				if known && lengths[l] != length {
					panic(fmt.Sprintf("walks: walk %d has %d vertices: expected %d, or a sameLength that is false", numbers[l], lengths[l], length))
				}
				if !yield(first+l, room[l*length:][:lengths[l]:length]) {
					return
				}
			}
		}
	}
}

// inCorpusOrder numbers walks as the corpus does, for eachWalk.
func inCorpusOrder(j int) int { return j }

// draw takes each step in two sweeps over the walks: where the arc to follow is, and what it points to. Within a sweep no
// load waits for another, and the processor has as many of them under way as it can.
func (u *Uniform) draw(numbers []int, room []int32, lengths *[lanes]int) {
	var (
		streams [lanes]rng.Stream
		at      [lanes]int32
		arcs    [lanes]*int32
		walking [lanes]int // the walks that have not ended, in the first places
	)
	length := u.o.Length
	for l, i := range numbers {
		streams[l], at[l] = u.begin(i)
		room[l*length] = at[l]
		walking[l], lengths[l] = l, length
	}
	n := len(numbers)
	for step := 1; step < length && n > 0; step++ {
		on := 0
		for _, l := range walking[:n] {
			next := u.net.Out(at[l])
			if len(next) == 0 {
				lengths[l] = step
				continue
			}
			arcs[on] = &next[streams[l].Intn(len(next))]
			walking[on] = l
			on++
		}
		n = on
		for k, l := range walking[:n] {
			at[l] = *arcs[k]
			room[l*length+step] = at[l]
		}
	}
}
