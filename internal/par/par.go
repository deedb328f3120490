// Package par spreads blocks of work over threads without letting their number show in the result.
package par

import (
	"sync/atomic"
	"time"
)

// Pad is room at the end of what one worker writes, so that the next worker's lies in other cache lines: processors take turns
// on a line, and fetch lines in pairs.
type Pad [128]byte

// Blocks calls do for each block 0..blocks-1, on up to threads goroutines at a time, and returns when all blocks are done. worker,
// in [0,threads), says whose scratch memory the call may use. What do writes may depend on the block alone, since which
// worker gets a block is left to chance.
//
// Not quite to chance: each worker begins with a range of its own, the same in every call of as many blocks, so that what a
// block touched last time is likely to be in its processor's cache; who has finished helps the others. A worker whom the
// system keeps waiting, since other programs run too, is waited for only if it has begun a block: what it has not begun the
// others do, and it finds nothing left.
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
	var left atomic.Int64
	left.Store(int64(blocks))
	all := make(chan struct{}) // closed by who does the last block
	start := func(r int) int { return r * blocks / threads }
	work := func(worker int) {
		done := 0
		for i := range threads {
			r := (worker + i) % threads
			for b := start(r) + int(ranges[r].next.Add(1)) - 1; b < start(r+1); b = start(r) + int(ranges[r].next.Add(1)) - 1 {
				do(worker, b)
				done++
			}
		}
		if done > 0 && left.Add(-int64(done)) == 0 {
			close(all)
		}
	}
	o := &offer{places: threads - 1, work: work}
	o.post()
	work(0)
	o.withdraw()
	await(func() bool { return left.Load() == 0 }, all)
}

// soonDone is how long a processor waits for another one before it lets the system give it to somebody else: less than it takes to be
// given one again.
const soonDone = 50 * time.Microsecond

// await returns when done says so, which it does from when the channel is closed or shortly before.
func await(done func() bool, closed <-chan struct{}) {
	if spin(soonDone, done) {
		return
	}
	<-closed
}
