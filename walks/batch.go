package walks

import "slices"

// Batch is the windows that one step of training sees: W windows of up to C contexts, with M negatives for each.
//
// All slices are row-major and belong to the stream, which fills them anew for a later step.
type Batch struct {
	Slots     int // C: context slots of a window, twice the window size
	Negatives int // M: negatives of a pair

	Center   []int32  // (W)
	Context  []int32  // (W,C): the window's contexts in its first Count slots; the rest repeats the centre
	Count    []int32  // (W): contexts of the window, 1 to C
	Before   []int32  // (W): how many of them come before the centre
	First    []int32  // (W): the pairs of the window that belong to this batch are those of the
	Last     []int32  // (W): slots First to Last-1; all of them, unless the batch ends within the window
	Bag      []uint64 // (W): bit c is set where slot c is the first occurrence of its vertex, of a type that is read out: the readout bag
	Negative []int32  // (W,C,M)
	ID       []uint64 // (W): the window's number in the corpus, which names its random streams

	Index Index // where each vertex is used

	Pairs int    // pairs of the batch, Σ Last-First
	Pass  uint64 // the epoch's number, part of the name of what is drawn anew in each
}

// Windows returns W.
func (b *Batch) Windows() int { return len(b.Center) }

// BagSize returns the number of distinct contexts of window w. w is from 0 to the number of windows less 1.
func (b *Batch) BagSize(w int) int { return bagSize(b.Bag[w]) }

// Offsets sets dst (C) to where the contexts of window w stand in the walk: steps from the centre, below 0 before it; 0 where there is none.
func (b *Batch) Offsets(dst []float32, w int) {
	before, count := int(b.Before[w]), int(b.Count[w])
	for c := range dst {
		switch {
		case c < before:
			dst[c] = float32(c - before)
		case c < count:
			dst[c] = float32(c - before + 1)
		default:
			dst[c] = 0
		}
	}
}

func (b *Batch) reset(slots, negatives int, pass uint64) {
	b.Slots, b.Negatives, b.Pass, b.Pairs = slots, negatives, pass, 0
	b.Center, b.Context, b.Count, b.Before = b.Center[:0], b.Context[:0], b.Count[:0], b.Before[:0]
	b.First, b.Last, b.Bag = b.First[:0], b.Last[:0], b.Bag[:0]
	b.Negative, b.ID = b.Negative[:0], b.ID[:0]
}

// add appends a window's pairs first to last-1 and draws its negatives. All its contexts come along, because the readout
// is over the whole window, and all its negatives are drawn, so that a window which two batches share has the same in both.
func (b *Batch) add(walk []int32, i, size int, id uint64, first, last int, draw *negatives) {
	center := walk[i]
	n := len(b.Context)
	b.Context = slices.Grow(b.Context, b.Slots)[:n+b.Slots]
	list := fillContexts(b.Context[n:], walk, i, size)
	b.Center = append(b.Center, center)
	b.Count = append(b.Count, int32(len(list)))
	b.Before = append(b.Before, int32(min(i, size)))
	b.First = append(b.First, int32(first))
	b.Last = append(b.Last, int32(last))
	distinct := firsts(list)
	b.Bag = append(b.Bag, draw.types.bag(list, distinct))
	b.ID = append(b.ID, id)
	n = len(b.Negative)
	b.Negative = slices.Grow(b.Negative, b.Slots*b.Negatives)[:n+b.Slots*b.Negatives]
	draw.fill(b.Negative[n:], list, distinct, id)
	b.Pairs += last - first
}
