// Package par spreads blocks of work over threads without letting their number show in the result.
package par

import (
	"sync"
	"sync/atomic"
)

// Blocks calls do for each block 0..blocks-1, on up to threads goroutines at a time, and returns when all are done. worker,
// in [0,threads), says whose scratch memory the call may use. Which worker gets a block is left to chance, so what do writes
// may depend on the block alone.
func Blocks(threads, blocks int, do func(worker, block int)) {
	threads = min(threads, blocks)
	if threads <= 1 {
		for b := range blocks {
			do(0, b)
		}
		return
	}
	var next atomic.Int64
	work := func(worker int) {
		for b := int(next.Add(1)) - 1; b < blocks; b = int(next.Add(1)) - 1 {
			do(worker, b)
		}
	}
	var wg sync.WaitGroup
	for w := 1; w < threads; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
}
