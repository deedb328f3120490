package walks_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/walks"
)

// By hand: the walk 0 1 0 2 under the priors (1, 0), (1/4, 3/4) and (1/2, 1/2) has the mean
//
//	p_o = (1 + 1/4 + 1 + 1/2, 0 + 3/4 + 0 + 1/2) / 4 = (11/16, 5/16)
//
// so vertex 0 has weights (11/16, 0): always facet 0. Vertex 1 has (1/4, 5/16): facet 0 in 4 of 9. Vertex 2 has (1/2, 5/16):
// facet 0 in 8 of 13.
func TestFacetsByHand(t *testing.T) {
	const copies = 40000
	prior := []float32{1, 0, 0.25, 0.75, 0.5, 0.5}
	f := facets(t, given{{0, 1, 0, 2}}, prior, 2, copies)
	var first [6]float64 // of each token
	for i := range copies {
		walk := f.Walk(i, nil)
		if walk[0] != 0 || walk[2] != 0 {
			t.Fatalf("walk %d is %v: expected token 0 where vertex 0 is", i, walk)
		}
		first[walk[1]]++
		first[walk[3]]++
	}
	if first[2]+first[3] != copies || first[4]+first[5] != copies {
		t.Fatalf("tokens %v: expected %d of vertex 1 and of vertex 2", first, copies)
	}
	walks.CheckCounts(t, "vertex 1", first[2:4], []float64{4. / 9, 5. / 9})
	walks.CheckCounts(t, "vertex 2", first[4:6], []float64{8. / 13, 5. / 13})
}

// Frozen tokens: records of runs depend on them. The wanted ones come from a second implementation, in Python with exact
// fractions, of the streams of seed 7 and of the formula.
func TestGoldenFacets(t *testing.T) {
	prior := []float32{4. / 8, 2. / 8, 2. / 8, 0, 1, 0, 1. / 8, 3. / 8, 4. / 8, 3. / 8, 0, 5. / 8}
	f := facets(t, given{{0, 1, 2, 1, 3, 0, 2}, {3, 2}}, prior, 3, 3)
	for i, want := range [][]int32{
		{0, 4, 6, 4, 9, 1, 6},
		{1, 4, 7, 4, 11, 0, 7},
		{1, 4, 8, 4, 9, 0, 8},
		{11, 8},
		{11, 8},
		{11, 8},
	} {
		if got := f.Walk(i, nil); !slices.Equal(got, want) {
			t.Errorf("walk %d is %v, expected %v", i, got, want)
		}
	}
}

// With one facet a token is its vertex.
func TestOneFacet(t *testing.T) {
	src := uniform(t, ring(t, 20), walks.Options{PerVertex: 2, Length: 9, Seed: 2})
	f := facets(t, src, slices.Repeat([]float32{1}, 20), 1, 3)
	if f.Walks() != 3*src.Walks() || f.MaxLength() != 9 {
		t.Fatalf("%d walks of %d: expected %d of 9", f.Walks(), f.MaxLength(), 3*src.Walks())
	}
	for i := range f.Walks() {
		if got, want := f.Walk(i, nil), src.Walk(i/3, nil); !slices.Equal(got, want) {
			t.Fatalf("walk %d is %v, expected %v", i, got, want)
		}
	}
}

// A vertex of one facet always has that one, though no other vertex of the walk has it, up to the longest of walks and the
// largest number of facets.
func TestOwnFacet(t *testing.T) {
	const k = walks.MaxFacets
	prior := make([]float32, 2*k)
	prior[0], prior[2*k-1] = 1, 1
	walk := make([]int32, walks.MaxLength)
	walk[1000] = 1
	f := facets(t, given{walk}, prior, k, 2)
	for i := range 2 {
		for j, token := range f.Walk(i, nil) {
			want := int32(0)
			if walk[j] == 1 {
				want = 2*k - 1
			}
			if token != want {
				t.Fatalf("copy %d, position %d: token %d, expected %d", i, j, token, want)
			}
		}
	}
}

// A walk does not depend on who asks for it, on how many threads, or with what memory; copies, walks and seeds have draws of their own.
func TestFacetsAreDeterministic(t *testing.T) {
	const n, k, copies = 30, 5, 4
	src := uniform(t, ring(t, n), walks.Options{PerVertex: 20, Length: 11, Seed: 2})
	stored := call.Of(walks.Store(context.Background(), src, 1))(t)
	prior := randomPrior(n, k, 3)
	f, overStored := facets(t, src, prior, k, copies), facets(t, stored, prior, k, copies)
	want := make([][]int32, f.Walks())
	alike := 0
	for i := range want {
		want[i] = f.Walk(i, nil)
		if i%copies > 0 && slices.Equal(want[i], want[i-1]) {
			alike++
		}
	}
	if alike > len(want)/100 {
		t.Errorf("%d of %d copies are like the one before", alike, len(want))
	}
	for _, source := range []walks.Source{f, overStored} {
		for _, threads := range []int{1, 2, 5} {
			kept := call.Of(walks.Store(context.Background(), source, threads))(t)
			for i := range want {
				if !slices.Equal(kept.Walk(i, nil), want[i]) {
					t.Fatalf("%T, %d threads: walk %d is %v, expected %v", source, threads, i, kept.Walk(i, nil), want[i])
				}
			}
		}
	}
	for i := range src.Walks() { // not written over by its facets
		if !slices.Equal(stored.Walk(i, nil), src.Walk(i, nil)) {
			t.Fatalf("stored walk %d has changed", i)
		}
	}
	other := call.Of(walks.NewFacets(src, prior, k, copies, 99))(t)
	if slices.Equal(other.Walk(0, nil), want[0]) {
		t.Error("another seed draws the same facets")
	}
}

// A stream over facets is one over a network of N*K vertices; walks beyond the prior are refused there.
func TestStreamOfFacets(t *testing.T) {
	o := walks.StreamOptions{Window: 4, Negatives: 2, Batch: 100, Order: walks.Shuffled}
	src := uniform(t, ring(t, 10), walks.Options{PerVertex: 2, Length: 11})
	f := facets(t, src, randomPrior(10, 3, 1), 3, 2)
	if got, want := newStream(t, f, 30, o).Pairs(), 2*newStream(t, src, 10, o).Pairs(); got != want {
		t.Errorf("%d pairs, expected %d", got, want)
	}
	for _, outside := range []int32{-1, 2, math.MaxInt32, math.MinInt32} {
		bad := facets(t, given{{0, 1}, {1, outside, 0}}, randomPrior(2, 3, 1), 3, 1)
		if walk := bad.Walk(1, nil); len(walk) != 3 || walk[0]/3 != 1 || walk[1] != -1 || walk[2]/3 != 0 {
			t.Errorf("walk over vertex %d is %v, expected -1 there alone", outside, walk)
		}
		call.Refused(t, "walk 1 visits vertex -1")(walks.NewStream(context.Background(), bad, 6, o))
	}
}

func TestNewFacetsRefuses(t *testing.T) {
	src := uniform(t, ring(t, 10), walks.Options{PerVertex: 1, Length: 5})
	flawed := func(p ...float32) []float32 {
		prior := randomPrior(10, 2, 1)
		copy(prior[6:], p)
		return prior
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	refused := func(want string, src walks.Source, prior []float32, facets, copies int) {
		call.Refused(t, want)(walks.NewFacets(src, prior, facets, copies, 1))
	}
	refused("0 facets: expected 1 to 64", src, flawed(), 0, 1)
	refused("65 facets: expected 1 to 64", src, flawed(), 65, 1)
	refused("0 copies of 10 walks: expected at least 1", src, flawed(), 2, 0)
	refused("walks: expected at least 1", src, flawed(), 2, math.MaxInt)
	refused("prior of 0 numbers", src, nil, 2, 1)
	refused("prior of 21 numbers: expected 2 for each vertex", given{{0, 1}}, make([]float32, 21), 2, 1)
	refused("prior of 18 numbers for 10 vertices: expected 2 for each", src, randomPrior(9, 2, 1), 2, 1)
	refused("prior of vertex 3, facet 0, is -0.5: expected a number >= 0", src, flawed(-0.5, 1.5), 2, 1)
	refused("prior of vertex 3, facet 1, is NaN", src, flawed(1, nan), 2, 1)
	refused("prior of vertex 3 sums to +Inf: expected 1", src, flawed(inf, 0), 2, 1)
	refused("prior of vertex 3 sums to 0: expected 1", src, flawed(0, 0), 2, 1)
	refused("prior of vertex 3 sums to 0.99", src, flawed(0.5, 0.4985), 2, 1)
	refused("prior of vertex 3 sums to 1.00", src, flawed(0.5, 0.5015), 2, 1)
	call.Of(walks.NewFacets(src, flawed(0.5, 0.4995), 2, 1, 1))(t) // a sum within 1e-3 of 1
}

// randomPrior returns distributions (n,k), about a quarter of whose entries are 0.
func randomPrior(n, k int, seed uint64) []float32 {
	stream := rng.New(seed, "test")
	prior := make([]float32, n*k)
	for row := range slices.Chunk(prior, k) {
		var sum float32
		for i := range row {
			if row[i] = stream.Float32(); i > 0 && stream.Float32() < 0.3 {
				row[i] = 0
			}
			sum += row[i]
		}
		for i := range row {
			row[i] /= sum
		}
	}
	return prior
}

func facets(t *testing.T, src walks.Source, prior []float32, k, copies int) *walks.Facets {
	t.Helper()
	return call.Of(walks.NewFacets(src, prior, k, copies, 7))(t)
}
