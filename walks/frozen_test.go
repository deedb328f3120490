package walks_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/asp2vec/asp2vec/walks"
)

// The batches of streams with uniform negatives and windows of one size, frozen as they were before there were others:
// records of runs depend on them.
func TestFrozenBatches(t *testing.T) {
	corpora := streams(t)
	for _, c := range []struct {
		name, order string
		want        uint64
	}{
		{"ring", walks.Shuffled, 0xff48bf2542738198},
		{"ring", walks.Grouped, 0x7c838e8d8bf29603},
		{"sinks", walks.Shuffled, 0xd9972ecc54ff7009},
		{"sinks", walks.Grouped, 0x63aa559c99f9f27e},
		{"two vertices", walks.Shuffled, 0x541c40a049247529},
		{"two vertices", walks.Grouped, 0x674c69145ce95697},
	} {
		s := corpora[c.name]
		s.o.Order, s.o.Resample, s.o.Seed = c.order, c.order == walks.Shuffled, 3
		h := fnv.New64a()
		fmt.Fprint(h, all(newStream(t, s.src, s.vertices, s.o), 2))
		if got := h.Sum64(); got != c.want {
			t.Errorf("%s, %s: the batches of pass 2 have the hash %#x, want %#x", c.name, c.order, got, c.want)
		}
	}
}
