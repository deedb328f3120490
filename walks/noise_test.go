package walks_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/walks"
)

// Negatives come by weight, or all alike without, among the vertices outside the window, the centre included, and where these have no weight, among all.
func TestNegativesFollowTheNoise(t *testing.T) {
	cases := []struct {
		name  string
		walk  []int32 // the window of its first vertex is judged
		noise []float64
		want  []float64
	}{
		{"uniform, centre and others", []int32{0, 1}, nil, []float64{1, 0, 1, 1, 1, 1, 1, 1}},
		{"uniform, centre among contexts", []int32{0, 1, 0}, nil, []float64{0, 0, 1, 1, 1, 1, 1, 1}},
		{"uniform, all vertices", []int32{0, 1, 2, 0}, nil, []float64{1, 1, 1}},
		{"uniform, all but the centre", []int32{0, 1, 2, 1}, nil, []float64{1, 0, 0}},
		{"centre and others", []int32{0, 1}, []float64{1, 9, 2, 0, 3, 0.5}, []float64{1, 0, 2, 0, 3, 0.5}},
		{"equal weights", []int32{0, 1}, []float64{7, 7, 7, 7, 7, 7}, []float64{1, 0, 1, 1, 1, 1}},
		{"all weight is the contexts'", []int32{0, 1, 2}, []float64{0, 1, 3, 0, 0, 0}, []float64{0, 1, 3, 0, 0, 0}},
		{"one vertex has all, a context", []int32{0, 1}, []float64{0, 5, 0, 0, 0, 0}, []float64{0, 1, 0, 0, 0, 0}},
		{"nearly all weight is the contexts'", []int32{0, 1, 2}, []float64{0, 1e15, 1e18, 1, 0, 3}, []float64{0, 0, 0, 1, 0, 3}},
		{"far apart", []int32{0, 1}, []float64{1e-300, 1e300, 0, 3e-300, 0, 0}, []float64{1, 0, 0, 3, 0, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			corpus := make(given, 1000)
			for i := range corpus {
				corpus[i] = c.walk
			}
			o := walks.StreamOptions{Window: 3, Negatives: 4, Batch: 500, Order: walks.Shuffled, Seed: 1, Noise: c.noise}
			count := make([]float64, len(c.want))
			for id, negatives := range negativesOf(newStream(t, corpus, len(c.want), o), 1) {
				if id%uint64(len(c.walk)) == 0 {
					for _, v := range negatives[:(len(c.walk)-1)*4] {
						count[v]++
					}
				}
			}
			walks.CheckCounts(t, "negatives", count, c.want)
		})
	}
}

// Counts are those of the walks, whatever the number of threads, over more walks than one block has.
func TestFrequencies(t *testing.T) {
	for name, src := range map[string]walks.Source{
		"uniform":  uniform(t, ring(t, 900), walks.Options{PerVertex: 10, Length: 3, Seed: 1}),
		"sinks":    uniform(t, walks.Linked(t, 900, true, nil, 0, 1, 1, 2, 0, 3, 2, 0), walks.Options{PerVertex: 3000, Length: 7, Seed: 1}),
		"given":    given{{0, 1}, {}, {5, 5, 5}, {899}},
		"no walks": given{},
	} {
		want := make([]int64, 900)
		for i := range src.Walks() {
			for _, v := range src.Walk(i, nil) {
				want[v]++
			}
		}
		for _, threads := range []int{-1, 1, 2, 5} {
			got, err := walks.Frequencies(context.Background(), src, 900, threads)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d threads: frequencies %v, %v: expected %v", name, threads, got, err, want)
			}
		}
	}
}

func TestNoiseWeights(t *testing.T) {
	counts := []int64{0, 1, 16, 81}
	for power, want := range map[float64][]float64{
		0.75: {0, 1, 8, 27}, 0: {0, 1, 1, 1}, 1: {0, 1, 16, 81}, -0.5: {0, 1, 0.25, 1.0 / 9},
	} {
		for v, w := range walks.NoiseWeights(counts, power) {
			if math.Abs(w-want[v]) > 1e-14*want[v] {
				t.Errorf("%d to the power %v is %v, expected %v", counts[v], power, w, want[v])
			}
		}
	}
}
