package walks_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/asp2vec/asp2vec/walks"
)

// Batches, frozen: records of runs depend on them. Those with uniform negatives and windows of one size are as they were
// before there were others.
func TestFrozenBatches(t *testing.T) {
	corpora := streams(t)
	for _, c := range []struct {
		name, order string
		likeWords   bool // with windows that shrink and negatives by weight
		want        uint64
	}{
		{"ring", walks.Shuffled, false, 0xff48bf2542738198},
		{"ring", walks.Grouped, false, 0x7c838e8d8bf29603},
		{"sinks", walks.Shuffled, false, 0xd9972ecc54ff7009},
		{"sinks", walks.Grouped, false, 0x63aa559c99f9f27e},
		{"two vertices", walks.Shuffled, false, 0x541c40a049247529},
		{"two vertices", walks.Grouped, false, 0x674c69145ce95697},
		{"ring", walks.Shuffled, true, 0x591cf43a252d5da2},
		{"sinks", walks.Grouped, true, 0xb67d19bd67bc9abb},
	} {
		s := corpora[c.name]
		s.o.Order, s.o.Resample, s.o.Seed = c.order, c.order == walks.Shuffled, 3
		if c.likeWords {
			s.o.Shrink = true
			for v := range s.vertices {
				s.o.Noise = append(s.o.Noise, float64(v%3))
			}
		}
		h := fnv.New64a()
		fmt.Fprint(h, all(newStream(t, s.src, s.vertices, s.o), 2))
		if got := h.Sum64(); got != c.want {
			t.Errorf("%s, %s, like words %v: the batches of pass 2 have the hash %#x, expected %#x", c.name, c.order, c.likeWords, got, c.want)
		}
	}
}
