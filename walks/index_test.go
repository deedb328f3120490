package walks_test

import (
	"context"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/walks"
)

// The index against a map filled in the plainest way, over batches that end within windows and reuse memory.
func TestIndex(t *testing.T) {
	for name, c := range streams(t) {
		t.Run(name, func(t *testing.T) {
			c.o.Order = walks.Shuffled
			batches := 0
			for b := range newStream(t, c.src, c.vertices, c.o).Pass(context.Background(), 0) {
				checkIndex(t, b, c.vertices)
				if batches++; batches > 200 || t.Failed() {
					return
				}
			}
		})
	}
}

func checkIndex(t *testing.T, b *walks.Batch, vertices int) {
	t.Helper()
	slots, owners, centers := map[int32][]int32{}, map[int32][]int32{}, map[int32][]int32{}
	use := func(w, slot int, v int32) {
		slots[v] = append(slots[v], int32(slot))
		owners[v] = append(owners[v], int32(w))
	}
	for w, center := range b.Center {
		centers[center] = append(centers[center], int32(w))
		for c := range int(b.Count[w]) {
			if b.InBatch(w, c) || b.Bag[w]>>c&1 == 1 {
				use(w, w*b.Slots+c, b.Context[w*b.Slots+c])
			}
		}
		for c := range b.Slots {
			for m := range b.Negatives {
				if b.InBatch(w, c) {
					use(w, b.Windows()*b.Slots+(w*b.Slots+c)*b.Negatives+m, b.Negative[(w*b.Slots+c)*b.Negatives+m])
				}
			}
		}
	}
	x := &b.Index
	if len(x.Start) != vertices+1 || len(x.CenterStart) != vertices+1 {
		t.Fatalf("%d and %d starts, expected %d", len(x.Start), len(x.CenterStart), vertices+1)
	}
	if int(x.Start[vertices]) != len(x.Slots) || len(x.Owners) != len(x.Slots) || int(x.CenterStart[vertices]) != b.Windows() {
		t.Fatalf("lists of %d slots, %d owners, %d windows do not end where the starts say", len(x.Slots), len(x.Owners), len(x.Windows))
	}
	for v := range int32(vertices) {
		if got := x.Slots[x.Start[v]:x.Start[v+1]]; !slices.Equal(got, slots[v]) {
			t.Errorf("slots of vertex %d: %v, expected %v", v, got, slots[v])
		}
		if got := x.Owners[x.Start[v]:x.Start[v+1]]; !slices.Equal(got, owners[v]) {
			t.Errorf("owners of vertex %d: %v, expected %v", v, got, owners[v])
		}
		if got := x.Windows[x.CenterStart[v]:x.CenterStart[v+1]]; !slices.Equal(got, centers[v]) {
			t.Errorf("windows of centre %d: %v, expected %v", v, got, centers[v])
		}
		if x.Used(int(v)) != (len(slots[v]) > 0) {
			t.Errorf("vertex %d: used %v", v, x.Used(int(v)))
		}
	}
}
