package par

import (
	"runtime"
	"sync/atomic"
)

// A Task is work for a processor that has nothing else to do, until somebody needs what it comes to.
type Task struct {
	do    func()
	begun atomic.Bool
	over  atomic.Bool
	done  chan struct{}
	offer offer
}

// Start offers a task to processors without work.
func Start(do func()) *Task {
	t := &Task{do: do, done: make(chan struct{})}
	t.offer = offer{places: 1, work: func(int) { t.run() }}
	if runtime.GOMAXPROCS(0) > 1 {
		t.offer.post()
	}
	return t
}

func (t *Task) run() {
	if t.begun.CompareAndSwap(false, true) {
		defer close(t.done)
		t.do()
		t.over.Store(true)
	}
}

// Wait returns when the task is done: by whoever has begun it, or else by the caller.
func (t *Task) Wait() {
	t.offer.withdraw()
	t.run()
	await(t.over.Load, t.done)
}

// Drop is Wait for a task that is not needed any more: it is not begun.
func (t *Task) Drop() {
	t.offer.withdraw()
	if t.begun.CompareAndSwap(false, true) {
		t.over.Store(true)
		close(t.done)
		return
	}
	await(t.over.Load, t.done)
}
