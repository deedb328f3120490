// Package par spreads blocks of work over threads without letting their number show in the result.
package par

import (
	"sync"
	"sync/atomic"
)

// Pad is room at the end of what one worker writes, so that the next worker's lies in other cache lines: processors take turns
// on a line, and fetch lines in pairs.
type Pad [128]byte

// Blocks calls do for each block 0..blocks-1, on up to threads goroutines at a time, and returns when all are done. worker,
// in [0,threads), says whose scratch memory the call may use. What do writes may depend on the block alone, since which
// worker gets a block is left to chance.
//
// Not quite to chance: each worker begins with a range of its own, the same in every call of as many blocks, so that what a
// block touched last time is likely to be in its processor's cache; who has finished helps the others.
func Blocks(threads, blocks int, do func(worker, block int)) {
	threads = min(threads, blocks)
	if threads <= 1 {
		for b := range blocks {
			do(0, b)
		}
		return
	}
	ranges := make([]struct {
		next atomic.Int64
		_    Pad
	}, threads)
	start := func(r int) int { return r * blocks / threads }
	work := func(worker int) {
		for i := range threads {
			r := (worker + i) % threads
			for b := start(r) + int(ranges[r].next.Add(1)) - 1; b < start(r+1); b = start(r) + int(ranges[r].next.Add(1)) - 1 {
				do(worker, b)
			}
		}
	}
	var wg sync.WaitGroup
	for w := 1; w < threads; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
}
