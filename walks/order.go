package walks

import (
	"context"

	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// A window's number is its walk's number times MaxLength plus its position in what is kept of the walk: short walks leave gaps.

// windowsAhead are the windows whose vertices are on their way from memory while one is visited: a block is larger than the caches near
// a processor, and shuffled windows lie anywhere in it.
const windowsAhead = 32

// shuffled calls visit for each window of an epoch in shuffled order, until it answers false or ctx is cancelled; it says
// whether it came to the end. Walks are permuted, taken in blocks that fit the cache, and the windows of a block permuted:
// nothing is kept of the corpus but one block, whether walks are stored or drawn anew.
func (s *Stream) shuffled(ctx context.Context, pass uint64, visit func(walk []int32, id uint64, i int) bool) bool {
	n := s.src.Walks()
	length := s.src.MaxLength()
	key := rng.NewKey(s.o.Seed, "order").With(pass)
	walks := newPermutation(uint64(n), key.With(0))
	var (
		tokens  []int32  // the block's walks, one after the other
		walkOf  []uint16 // of each token, its walk's place in the block
		starts  []int    // of each walk of the block, where it starts
		numbers []uint64 // of each walk of the block, its number in the corpus
	)
	for lo := 0; lo < n; lo += blockWalks {
		tokens, walkOf, starts, numbers = tokens[:0], walkOf[:0], starts[:0], numbers[:0]
		for j := lo; j < min(lo+blockWalks, n); j++ {
			numbers = append(numbers, walks.at(uint64(j)))
		}
		for w, walk := range eachWalk(s.src, 0, len(numbers), func(w int) int { return int(numbers[w]) }) {
			starts = append(starts, len(tokens))
			tokens = s.kept(tokens, walk, pass, numbers[w])
			for range len(tokens) - starts[w] {
				walkOf = append(walkOf, uint16(w))
			}
		}
		starts = append(starts, len(tokens))
		windows := newPermutation(uint64(len(tokens)), key.With(1+uint64(lo)))
		var soon [windowsAhead]int
		announce := func(j int) {
			if j < len(tokens) {
				t := int(windows.at(uint64(j)))
				soon[j%windowsAhead] = t
				memory.Prefetch(tokens[t : t+1])
				memory.Prefetch(walkOf[t : t+1])
			}
		}
		for j := range windowsAhead {
			announce(j)
		}
		for j := range tokens {
			if j%1024 == 0 && ctx.Err() != nil {
				return false
			}
			t := soon[j%windowsAhead]
			announce(j + windowsAhead)
			w := walkOf[t]
			walk := tokens[starts[w]:starts[w+1]]
			i := t - starts[w]
			if !visit(walk, numbers[w]*uint64(length)+uint64(i), i) {
				return false
			}
		}
	}
	return true
}

// inGroups is shuffled's counterpart for the published order.
func (s *Stream) inGroups(ctx context.Context, _ uint64, visit func(walk []int32, id uint64, i int) bool) bool {
	length := uint32(s.src.MaxLength())
	for j, walk := range eachWalk(s.src, 0, len(s.grouped), func(j int) int { return int(s.grouped[j] / length) }) {
		if j%1024 == 0 && ctx.Err() != nil {
			return false
		}
		id := s.grouped[j]
		if !visit(walk, uint64(id), int(id%length)) {
			return false
		}
	}
	return true
}

// groupByCenter sorts the windows of a corpus by centre: a counting sort, stable in corpus order, with the centres in the
// order in which the corpus comes to them. It returns nil if ctx is cancelled.
func groupByCenter(ctx context.Context, src Source, vertices int) []uint32 {
	length := uint32(src.MaxLength())
	count := make([]uint32, vertices)
	var met []int32 // centres in order of first appearance
	var total uint32
	for w, walk := range eachWalk(src, 0, src.Walks(), inCorpusOrder) {
		if w%blockWalks == 0 && ctx.Err() != nil {
			return nil
		}
		for _, v := range walk {
			if count[v] == 0 {
				met = append(met, v)
			}
			count[v]++
			total++
		}
	}
	var next uint32
	for _, v := range met { // count becomes the place of the centre's next window
		next, count[v] = next+count[v], next
	}
	order := make([]uint32, total)
	for w, walk := range eachWalk(src, 0, src.Walks(), inCorpusOrder) {
		if w%blockWalks == 0 && ctx.Err() != nil {
			return nil
		}
		for i, v := range walk {
			order[count[v]] = uint32(w)*length + uint32(i)
			count[v]++
		}
	}
	return order
}
