package hetnet

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// The definition, as loops over windows and pairs in them.
func TestContextsAreThoseOfAllWindows(t *testing.T) {
	walk := []int32{0, 10, 1, 11, 2, 12, 0, 10, 2, 11, 1}
	for window := 1; window <= 4; window++ {
		c := &contexts{walks: stored(t, walk), window: window, authors: 3}
		want, got := map[string]int{}, map[string]int{}
		for i := range walk {
			lo, hi := max(0, i-window), min(len(walk), i+window+1)
			for k := lo; k < hi; k++ {
				for j := k + 2; j < hi; j++ {
					if walk[k] < 3 && walk[j] >= 3 {
						want[fmt.Sprint(walk[k:j+1])]++
					}
				}
			}
		}
		for length := 4; length <= 2*window; length += 2 {
			c.each(length, func(path []int32, number int) bool { got[fmt.Sprint(path)]++; return true })
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("window %d: %v: expected %v", window, got, want)
		}
	}
}

func TestContextsOfAnEpoch(t *testing.T) {
	in, o := topical(t, 100), tapemOptions()
	c := call.Of(newContexts(context.Background(), of(in).Authorship, o, 2))(t)
	for epoch := 1; epoch <= 4; epoch++ {
		length, count := c.lengths[(epoch-1)%2], c.counts[(epoch-1)%2]
		if want := 4 + 2*((epoch-1)%2); length != want {
			t.Fatalf("epoch %d has paths of %d: expected %d", epoch, length, want)
		}
		list := c.epoch(epoch, 0.1)
		if len(list) != count/10 {
			t.Errorf("%d of %d paths: expected a tenth", len(list), count)
		}
		for _, p := range list {
			if len(p.path) != length || len(p.other) != length || slices.Equal(p.path, p.other) {
				t.Fatalf("path %v, other %v: expected different ones of %d", p.path, p.other, length)
			}
			for i, v := range p.path {
				if (v >= int32(len(of(in).PapersOf))) != (i%2 == 1) {
					t.Fatalf("path %v: expected author, paper, author, ...", p.path)
				}
			}
		}
	}
	all := map[string]int{}
	for _, p := range c.epoch(1, 1) {
		all[fmt.Sprint(p.path)]++
	}
	c.each(4, func(path []int32, _ int) bool { all[fmt.Sprint(path)]--; return true })
	for path, n := range all {
		if n != 0 {
			t.Fatalf("a share of 1 has %s %+d times too often", path, n)
		}
	}
}

func TestTapemNeedsLongWalks(t *testing.T) {
	for _, o := range []func(*graphs.Options){
		func(o *graphs.Options) { o.Window = 1 },
		func(o *graphs.Options) { o.Length = 3 },
	} {
		options := tapemOptions()
		o(&options)
		m := call.Of(newTaPEm(topical(t, 20), options, 1))(t)
		call.Refused(t, "expected at least 4")(m.prepare(t.Context()))
	}
}
