package par

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Helpers are goroutines that do what callers offer. They stay for a moment when there is nothing left to do: steps of training follow
// one another within microseconds, and to be woken takes longer than many a step has work for.
var helpers struct {
	mu     sync.Mutex
	open   []*offer // with places left, the oldest first
	all    int      // helpers
	idle   int      // those that have nothing to do
	offers atomic.Uint64
}

// linger is how long a helper stays without work.
const linger = 200 * time.Microsecond

// An offer is work that helpers may join, with a number from 1 each. Who offers it does it alone where nobody comes.
type offer struct {
	places int // left
	given  int
	work   func(worker int)
}

// post lets helpers know of the work, and sees to it that there are as many as there are places and processors.
func (o *offer) post() {
	h, most := &helpers, max(runtime.GOMAXPROCS(0)-1, 1)
	h.mu.Lock()
	h.open = append(h.open, o)
	h.offers.Add(1)
	wanted := -h.idle
	for _, o := range h.open {
		wanted += o.places
	}
	more := max(min(wanted, most-h.all), 0)
	h.all += more
	h.idle += more
	h.mu.Unlock()
	for range more {
		go help()
	}
}

// withdraw takes back the places that nobody has taken.
func (o *offer) withdraw() {
	h := &helpers
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.open, o); i >= 0 {
		h.open = slices.Delete(h.open, i, i+1) // which also forgets it: it holds on to all that the work needs
	}
}

// help does what is offered, until nothing has been for a while.
func help() {
	h := &helpers
	h.mu.Lock()
	for patient := true; ; {
		if len(h.open) > 0 {
			o := h.open[0]
			o.places--
			o.given++
			worker := o.given
			if o.places == 0 {
				h.open = slices.Delete(h.open, 0, 1)
			}
			h.idle--
			h.mu.Unlock()
			o.work(worker)
			h.mu.Lock()
			h.idle++
			patient = true
			continue
		}
		if !patient {
			h.idle--
			h.all--
			h.mu.Unlock()
			return
		}
		seen := h.offers.Load()
		h.mu.Unlock()
		patient = spin(linger, func() bool { return h.offers.Load() != seen })
		h.mu.Lock()
	}
}

// spin waits until done says so, or for some time; it returns what done said last. Other goroutines get their turn meanwhile.
func spin(most time.Duration, done func() bool) bool {
	if runtime.GOMAXPROCS(0) == 1 {
		return done()
	}
	const looks = 1000 // between looks at the clock and for others: some microseconds
	for start := time.Now(); time.Since(start) < most; runtime.Gosched() {
		for range looks {
			if done() {
				return true
			}
		}
	}
	return done()
}
