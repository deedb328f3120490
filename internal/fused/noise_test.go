package fused

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// What noise is made of is the stream that package rng names after the pass and the window.
func TestNoiseIsTheNamedStream(t *testing.T) {
	key := rng.NewKey(7, "noise")
	for _, pass := range []uint64{0, 1, 1 << 40} {
		for _, id := range []uint64{0, 1, 12345, 1<<64 - 1} {
			for n := range 40 {
				got, want := make([]float32, n), make([]float32, n)
				drawUniform(got, key, &walks.Batch{Pass: pass, ID: []uint64{9, id}}, 1)
				stream := key.With(pass).Stream(id)
				if stream.Fill(want); !slices.Equal(got, want) {
					t.Fatalf("pass %d, window %d, %d numbers: %v, want %v", pass, id, n, got, want)
				}
			}
		}
	}
}
