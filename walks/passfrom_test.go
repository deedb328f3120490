package walks_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// A pass that begins later gives the batches that it gives anyhow, in either order of windows and with reaches, and what is kept, drawn at random.
func TestPassFrom(t *testing.T) {
	net, _ := network.Karate()
	src := call.Of(walks.NewUniform(net, walks.Options{PerVertex: 3, Length: 9, Seed: 1}))(t)
	keep := make([]float64, 34)
	for v := range keep {
		keep[v] = .5 + float64(v)/66
	}
	for name, o := range map[string]walks.StreamOptions{
		"shuffled": {Order: walks.Shuffled}, "grouped": {Order: walks.Grouped}, "random reach": {Order: walks.Shuffled, Shrink: true, Resample: true},
		"kept": {Order: walks.Shuffled, Shrink: true, Keep: keep},
	} {
		o.Window, o.Negatives, o.Batch, o.Seed = 3, 2, 151, 1
		s := call.Of(walks.NewStream(context.Background(), src, 34, o))(t)
		type kept struct {
			Pairs    []pair
			Negative []int32
			Slots    []int32
		}
		batches := func(first int) (all []kept) {
			for b := range s.PassFrom(context.Background(), 2, first) {
				all = append(all, kept{pairsOf(b), append([]int32{}, b.Negative...), append([]int32{}, b.Index.Slots...)})
			}
			return all
		}
		whole := batches(0)
		if len(whole) < 10 {
			t.Fatalf("%s: %d batches: expected some", name, len(whole))
		}
		for _, first := range []int{1, 2, len(whole) / 2, len(whole) - 1, len(whole), len(whole) + 3} {
			want := whole[min(first, len(whole)):]
			if got := batches(first); len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: from batch %d: other batches than those of the whole pass", name, first)
			}
		}
	}
}
