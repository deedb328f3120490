package layout

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// groups returns vectors (n,d) around as many axes as there are groups, in turns.
func groups(n, d, groups int, noise float64) eval.Embedding {
	e := eval.Embedding{N: n, D: d, Data: make([]float32, n*d)}
	for v := range n {
		s := rng.New(1, "groups", uint64(v))
		for j := range d {
			e.Data[v*d+j] = float32(noise * (s.Float64() - .5))
		}
		e.Data[v*d+v%groups]++
	}
	return e
}

// Vectors of one group have nothing but their like near them in the map, and the map does not depend on the number of threads.
func TestTSNE(t *testing.T) {
	const n, k = 300, 5
	e := groups(n, 8, k, .5)
	o := TSNEOptions{Perplexity: 20, Seed: 3, Threads: 1}
	at := call.Of(TSNE(t.Context(), e, o))(t)
	for v := range n {
		nearest, least := -1, math.Inf(1)
		for u := range n {
			if d := math.Hypot(at[2*u]-at[2*v], at[2*u+1]-at[2*v+1]); u != v && d < least {
				nearest, least = u, d
			}
		}
		if nearest%k != v%k {
			t.Errorf("vector %d of group %d lies beside %d of group %d", v, v%k, nearest, nearest%k)
		}
	}
	o.Threads = 3
	if again, err := TSNE(t.Context(), e, o); err != nil || !slices.Equal(again, at) {
		t.Errorf("three threads give another map, %v", err)
	}
	o.Seed = 4
	if other, err := TSNE(t.Context(), e, o); err != nil || slices.Equal(other, at) {
		t.Errorf("the seed changes nothing, %v", err)
	}
}

// Alike vectors, zero vectors, and few of them have places too.
func TestTSNEOdd(t *testing.T) {
	alike := eval.Embedding{N: 40, D: 3, Data: make([]float32, 120)}
	for v := 5; v < 40; v++ {
		alike.Data[3*v] = 1
	}
	for _, e := range []eval.Embedding{
		alike, {N: 1, D: 1, Data: []float32{2}}, {N: 3, D: 1, Data: []float32{2, -1, 0}}, {N: 4, D: 2, Data: []float32{1, 2, 3, 4, 5, 6, 0, 0}},
	} {
		at, err := TSNE(t.Context(), e, TSNEOptions{Perplexity: 30, Threads: 1})
		if err != nil || len(at) != 2*e.N {
			t.Fatalf("%d vectors: %v, %v", e.N, at, err)
		}
		for _, x := range at {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%d vectors: a coordinate %v", e.N, x)
			}
		}
	}
	ctx := call.Stopped(t)
	if _, err := TSNE(ctx, groups(50, 4, 2, 1), TSNEOptions{Perplexity: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after the context has ended", err)
	}
}

// The perplexity of the probabilities is what was asked for.
func TestSpreadOver(t *testing.T) {
	near := make([]eval.Neighbor, 60)
	for i := range near {
		near[i] = eval.Neighbor{Row: int32(i), Cosine: .9 - float64(i)/100}
	}
	entropy, sum := 0., 0.
	for _, p := range spreadOver(near, 12) {
		entropy -= p * math.Log(p)
		sum += p
	}
	if math.Abs(math.Exp(entropy)-12) > 1e-3 || math.Abs(sum-1) > 1e-12 {
		t.Errorf("perplexity %v of probabilities that add up to %v: expected 12 and 1", math.Exp(entropy), sum)
	}
}
