package par

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// A task is done once, and is done when Wait returns, whoever did it.
func TestTask(t *testing.T) {
	for range 10_000 {
		var times atomic.Int32
		task := Start(func() { times.Add(1) })
		task.Wait()
		task.Wait()
		task.Drop()
		if n := times.Load(); n != 1 {
			t.Fatalf("done %d times, expected once", n)
		}
	}
}

// A task is begun by another processor while its owner is busy.
func TestTaskIsDoneMeanwhile(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	begun := make(chan struct{})
	task := Start(func() { close(begun) })
	<-begun
	task.Wait()
}

// With one processor nobody else does a task, and one that is dropped is not done at all.
func TestTaskOfOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	done := false
	task := Start(func() { done = true })
	task.Drop()
	task.Wait()
	if done {
		t.Error("a task that was dropped was done")
	}
	task = Start(func() { done = true })
	task.Wait()
	if !done {
		t.Error("a task that was waited for was not done")
	}
}

// After Drop nothing of a task goes on.
func TestDropWaitsForWhatHasBegun(t *testing.T) {
	for range 1000 {
		var begun, over atomic.Bool
		task := Start(func() {
			begun.Store(true)
			runtime.Gosched()
			over.Store(true)
		})
		task.Drop()
		if begun.Load() != over.Load() {
			t.Fatal("a task goes on after Drop")
		}
	}
}

// Blocks within blocks, and tasks beside them, all come to an end, and use no worker number twice at a time.
func TestNested(t *testing.T) {
	var sum atomic.Int64
	for range 200 {
		task := Start(func() { sum.Add(1) })
		Blocks(4, 8, func(_, _ int) {
			inner := Start(func() { sum.Add(1) })
			var busy [3]atomic.Bool
			Blocks(3, 16, func(worker, _ int) {
				if busy[worker].Swap(true) {
					t.Error("a worker has two blocks at a time")
				}
				sum.Add(1)
				busy[worker].Store(false)
			})
			inner.Wait()
		})
		task.Wait()
	}
	if want := int64(200 * (1 + 8*(16+1))); sum.Load() != want {
		t.Errorf("%d pieces of work done, expected %d", sum.Load(), want)
	}
}

// Helpers go when there has been nothing to do for a while.
func TestHelpersLeave(t *testing.T) {
	Blocks(4, 100, func(_, _ int) {})
	for range 1000 {
		helpers.mu.Lock()
		all, idle, open := helpers.all, helpers.idle, len(helpers.open)
		helpers.mu.Unlock()
		if all == 0 && idle == 0 && open == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%+v: expected no helper left", &helpers)
}
