package walks_test

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/walks"
)

// given is a corpus written down in a test.
type given [][]int32

func (g given) Walks() int { return len(g) }

func (g given) MaxLength() (n int) {
	for _, w := range g {
		n = max(n, len(w))
	}
	return n
}

func (g given) Walk(i int, _ []int32) []int32 { return g[i] }

// some returns the first n walks of a corpus.
func some(src walks.Source, n int) (g given) {
	for i := range n {
		g = append(g, src.Walk(i, nil))
	}
	return g
}

// pair is one pair of a batch: the window's number, the context's slot there, and the two vertices.
type pair struct {
	id              uint64
	slot            int
	center, context int32
}

// pairsOf lists the pairs of a batch in its order.
func pairsOf(b *walks.Batch) (list []pair) {
	for w := range b.Windows() {
		for c := range b.Slots {
			if b.InBatch(w, c) {
				list = append(list, pair{b.ID[w], c, b.Center[w], b.Context[w*b.Slots+c]})
			}
		}
	}
	return list
}

// everyPair lists the pairs of a corpus walk by walk: what the definition of a window says, and nothing more.
func everyPair(src walks.Source, size int) (list []pair) {
	for w := range src.Walks() {
		walk := src.Walk(w, nil)
		for i, center := range walk {
			slot := 0
			for j := i - size; j <= i+size; j++ {
				if j >= 0 && j < len(walk) && j != i {
					list = append(list, pair{uint64(w*src.MaxLength() + i), slot, center, walk[j]})
					slot++
				}
			}
		}
	}
	return list
}

func newStream(t testing.TB, src walks.Source, vertices int, o walks.StreamOptions) *walks.Stream {
	t.Helper()
	return call.Of(walks.NewStream(context.Background(), src, vertices, o))(t)
}

// epoch returns the pairs of every batch of a pass.
func epoch(s *walks.Stream, pass uint64) (batches [][]pair) {
	for b := range s.Pass(context.Background(), pass) {
		batches = append(batches, pairsOf(b))
	}
	return batches
}

// The worked example of windows, their order and their readout bags.
func TestGoldenWindows(t *testing.T) {
	g := call.Of(golden.Load())(t)
	want := g.Walk
	s := newStream(t, given{want.Walk}, 6, walks.StreamOptions{Window: want.Size, Negatives: 2, Batch: 100, Order: walks.Grouped})
	for b := range s.Pass(context.Background(), 0) {
		var got [][2]int32
		for _, p := range pairsOf(b) {
			got = append(got, [2]int32{p.center, p.context})
		}
		if !slices.Equal(got, want.Pairs) {
			t.Errorf("pairs %v, expected %v", got, want.Pairs)
		}
		for w, id := range b.ID { // of a corpus of one walk, a window's number is its position
			window, slots := want.Windows[id], b.Context[w*b.Slots:][:b.Slots]
			if b.Center[w] != window.Center || !slices.Equal(slots[:b.Count[w]], window.Context) {
				t.Errorf("window %d: centre %d, contexts %v, expected %v", id, b.Center[w], slots[:b.Count[w]], window)
			}
			for _, v := range slots[b.Count[w]:] {
				if v != window.Center {
					t.Errorf("window %d: slots %v, expected unused ones to repeat the centre", id, slots)
				}
			}
			var bag []int32
			for c, v := range slots {
				if b.Bag[w]>>c&1 == 1 {
					bag = append(bag, v)
				}
			}
			slices.Sort(bag)
			if !slices.Equal(bag, want.Bags[w]) || b.BagSize(w) != len(bag) {
				t.Errorf("window %d: bag %v of size %d, expected %v", id, bag, b.BagSize(w), want.Bags[w])
			}
		}
	}
}

// streams are corpora with something special about them, each with options.
func streams(t *testing.T) map[string]struct {
	src      walks.Source
	vertices int
	o        walks.StreamOptions
} {
	type stream = struct {
		src      walks.Source
		vertices int
		o        walks.StreamOptions
	}
	corpus := func(n int, directed bool, o walks.Options, ends ...int32) walks.Source {
		return uniform(t, walks.Linked(t, n, directed, nil, ends...), o)
	}
	return map[string]stream{
		"ring":            {uniform(t, ring(t, 50), walks.Options{PerVertex: 4, Length: 20, Seed: 1}), 50, walks.StreamOptions{Window: 3, Negatives: 2, Batch: 1000}},
		"sinks":           {corpus(4, true, walks.Options{PerVertex: 9, Length: 7}, 0, 1, 1, 2, 0, 3, 2, 0), 4, walks.StreamOptions{Window: 2, Negatives: 1, Batch: 20}},
		"two vertices":    {corpus(2, false, walks.Options{PerVertex: 3, Length: 5}, 0, 1), 2, walks.StreamOptions{Window: 3, Negatives: 2, Batch: 7}},
		"one arc":         {corpus(2, true, walks.Options{PerVertex: 3, Length: 5}, 0, 1), 2, walks.StreamOptions{Window: 3, Negatives: 2, Batch: 4}},
		"one loop":        {corpus(1, true, walks.Options{PerVertex: 3, Length: 5}, 0, 0), 1, walks.StreamOptions{Window: 1, Negatives: 2, Batch: 4}},
		"window > walk":   {uniform(t, ring(t, 90), walks.Options{PerVertex: 1, Length: 4}), 90, walks.StreamOptions{Window: walks.MaxWindow, Negatives: 1, Batch: 100}},
		"largest window":  {some(uniform(t, ring(t, 90), walks.Options{PerVertex: 1, Length: 70}), 10), 90, walks.StreamOptions{Window: walks.MaxWindow, Negatives: 1, Batch: 5000}},
		"batch < window":  {uniform(t, ring(t, 20), walks.Options{PerVertex: 1, Length: 9}), 20, walks.StreamOptions{Window: 4, Negatives: 3, Batch: 3}},
		"batch of one":    {uniform(t, ring(t, 7), walks.Options{PerVertex: 1, Length: 5}), 7, walks.StreamOptions{Window: 2, Negatives: 1, Batch: 1}},
		"whole batches":   {given{{0, 1, 2}, {2, 1, 0}}, 3, walks.StreamOptions{Window: 1, Negatives: 1, Batch: 4}},
		"unlimited batch": {uniform(t, ring(t, 20), walks.Options{PerVertex: 1, Length: 9}), 20, walks.StreamOptions{Window: 2, Negatives: 1, Batch: math.MaxInt}},
		"several blocks":  {uniform(t, ring(t, 900), walks.Options{PerVertex: 10, Length: 3}), 900, walks.StreamOptions{Window: 1, Negatives: 1, Batch: 7000}},
		"lone vertices":   {given{{0}, {1, 0}, {1}, {}}, 2, walks.StreamOptions{Window: 2, Negatives: 1, Batch: 5}},
	}
}

// Each pair of the corpus comes exactly once in an epoch, in full batches but for the last, in either order.
func TestEveryPairOnce(t *testing.T) {
	for name, c := range streams(t) {
		for _, order := range []string{walks.Shuffled, walks.Grouped} {
			t.Run(name+"/"+order, func(t *testing.T) {
				c.o.Order = order
				s := newStream(t, c.src, c.vertices, c.o)
				want := everyPair(c.src, c.o.Window)
				if s.Pairs() != int64(len(want)) {
					t.Errorf("Pairs() = %d, expected %d", s.Pairs(), len(want))
				}
				count := map[pair]int{}
				last := (len(want)-1)/c.o.Batch + 1
				var batches, total int
				for b := range s.Pass(context.Background(), 5) {
					list := pairsOf(b)
					for _, p := range list {
						count[p]++
					}
					batches++
					total += b.Pairs
					if b.Pairs != len(list) || b.Pass != 5 || b.Slots != 2*c.o.Window || b.Negatives != c.o.Negatives {
						t.Errorf("batch says %d pairs, pass %d, %d slots, %d negatives; has %d pairs", b.Pairs, b.Pass, b.Slots, b.Negatives, len(list))
					}
					if batches < last && b.Pairs != c.o.Batch || b.Pairs == 0 {
						t.Errorf("batch %d of %d has %d pairs, expected %d", batches, last, b.Pairs, c.o.Batch)
					}
				}
				if batches != last || total != len(want) {
					t.Errorf("%d batches with %d pairs, expected %d with %d", batches, total, last, len(want))
				}
				for _, p := range want {
					if count[p] != 1 {
						t.Fatalf("pair %v came %d times", p, count[p])
					}
				}
			})
		}
	}
}

// Whoever leaves a pass early, or panics in it, leaves no goroutine behind; neither does a context that ends.
func TestPassLeavesNoGoroutine(t *testing.T) {
	src := uniform(t, ring(t, 50), walks.Options{PerVertex: 4, Length: 20})
	o := walks.StreamOptions{Window: 3, Negatives: 2, Batch: 10}
	ends := map[string]func(*walks.Stream){
		"break": func(s *walks.Stream) {
			for range s.Pass(context.Background(), 0) {
				break
			}
		},
		"panic": func(s *walks.Stream) {
			defer func() { recover() }()
			for range s.Pass(context.Background(), 0) {
				panic("in the loop's body")
			}
		},
		"cancelled before": func(s *walks.Stream) {
			ctx := call.Stopped(t)
			for range s.Pass(ctx, 0) {
				t.Error("a batch though the context was cancelled before")
			}
		},
		"cancelled meanwhile": func(s *walks.Stream) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			n := 0
			for range s.Pass(ctx, 0) {
				if n++; n == 2 {
					cancel()
				}
			}
			if n != 2 {
				t.Errorf("%d batches, expected 2: the context was cancelled then", n)
			}
		},
	}
	for _, order := range []string{walks.Shuffled, walks.Grouped} {
		o.Order = order
		s := newStream(t, src, 50, o)
		for name, end := range ends {
			t.Run(order+"/"+name, func(t *testing.T) {
				before := runtime.NumGoroutine()
				for range 10 {
					end(s)
				}
				for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
					}
				}
			})
		}
	}
}

func TestNewStreamIsCancelled(t *testing.T) {
	ctx := call.Stopped(t)
	o := walks.StreamOptions{Window: 3, Negatives: 2, Batch: 100, Order: walks.Grouped}
	if s, err := walks.NewStream(ctx, given{{0, 1}}, 2, o); err != context.Canceled {
		t.Errorf("got %v, %v: expected %v", s, err, context.Canceled)
	}
}
