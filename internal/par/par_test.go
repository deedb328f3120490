package par

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

// Every block is done exactly once, by a worker that has a number below threads and that no other call uses meanwhile.
func TestBlocks(t *testing.T) {
	for _, threads := range []int{-1, 0, 1, 2, 3, 16} {
		for _, blocks := range []int{0, 1, 2, 5, 1000} {
			t.Run(fmt.Sprintf("threads=%d/blocks=%d", threads, blocks), func(t *testing.T) {
				workers := max(threads, 1)
				done := make([]atomic.Int32, blocks)
				busy := make([]atomic.Bool, workers)
				Blocks(threads, blocks, func(worker, block int) {
					if worker < 0 || worker >= workers {
						t.Errorf("worker %d of %d", worker, workers)
						return
					}
					if busy[worker].Swap(true) {
						t.Errorf("worker %d has two blocks at a time", worker)
					}
					done[block].Add(1)
					busy[worker].Store(false)
				})
				for b := range done {
					if n := done[b].Load(); n != 1 {
						t.Errorf("block %d done %d times", b, n)
					}
				}
			})
		}
	}
}

// Blocks really run at the same time: each of two blocks waits for the other to have begun.
func TestBlocksRunTogether(t *testing.T) {
	begun := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	Blocks(2, 2, func(_, block int) {
		close(begun[block])
		<-begun[1-block]
	})
}

// A worker that has not begun is not waited for: while the only processor is taken, one worker does all blocks.
func TestBlocksWaitForNobodyWhoHasNotBegun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	alone := true
	Blocks(2, 2, func(worker, _ int) { alone = alone && worker == 0 })
	if !alone {
		t.Error("a second worker was given the processor that the first one had")
	}
}
