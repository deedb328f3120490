package walks

import (
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Linked returns a network of n vertices named 0 to n-1; ends are its links, two numbers each, and weights theirs or nil.
func Linked(t testing.TB, n int, directed bool, weights []float32, ends ...int32) *network.Network {
	t.Helper()
	var names []string
	for v := range n {
		names = append(names, strconv.Itoa(v))
	}
	var links []network.Link
	for pair := range slices.Chunk(ends, 2) {
		links = append(links, network.Link{From: pair[0], To: pair[1]})
	}
	return call.Of(network.New(names, links, weights, directed))(t)
}

// CheckCounts fails if counts are unlikelier than one in ten thousand for events of the given weights, all alike for nil, or if what cannot happen did.
func CheckCounts(t *testing.T, what string, counts, weights []float64) {
	t.Helper()
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(counts))
	}
	var total, all, chi float64
	free := -1.0
	for i, c := range counts {
		total, all = total+c, all+weights[i]
	}
	for i, c := range counts {
		if want := total * (weights[i] / all); want > 0 {
			chi += (c - want) * (c - want) / want
			free++
		} else if c > 0 {
			t.Errorf("%s: event %d came %v times: expected never", what, i, c)
		}
	}
	if free > 0 && !(distuv.ChiSquared{K: free}.Survival(chi) > 1e-4) {
		t.Errorf("%s: counts %v of weights %v: chi-square %.1f of %v", what, counts, weights, chi, free)
	}
}
