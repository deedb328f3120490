package papers

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// drawn returns candidates of a paper by two of n authors, 3 and 5, at some place.
func drawn(t *testing.T, d Draw, n, place int) []int32 {
	t.Helper()
	return call.Of(d.candidates(&Paper{Question: typed.Question{Own: []int32{5, 3}}, place: int32(place)}, n))(t)
}

// All authors but the paper's own are drawn equally often, at every place of the list: chi-square with as many degrees of freedom as others, less one.
func TestCandidatesAreUniform(t *testing.T) {
	for _, c := range []struct {
		n, total, want int
		limit          float64 // .0001
	}{{12, 8, 6, 33}, {12, 12, 10, 33}, {12, 100, 10, 33}} {
		d := Draw{Total: c.total, Seed: 1}
		counts := make([][]float64, c.want)
		repeats := 0
		for place := range 5000 {
			list := drawn(t, d, c.n, place)
			if len(list) != c.want {
				t.Fatalf("%+v: %d candidates, expected %d with the 2 authors", d, len(list), c.want)
			}
			for i, a := range list {
				if counts[i] == nil {
					counts[i] = make([]float64, c.n)
				}
				counts[i][a]++
				if slices.Contains(list[:i], a) {
					repeats++
				}
			}
		}
		// Of 5,000 lists of 6 of 10, 15 pairs each, one in ten is of the same author twice; a third one counts once again.
		if few := c.n <= c.total; few != (repeats == 0) || !few && repeats < 5000 {
			t.Errorf("%+v: %d repetitions", d, repeats)
		}
		for i := range counts {
			var chi float64
			for a, n := range counts[i] {
				if a == 3 || a == 5 {
					if n > 0 {
						t.Errorf("%+v: a paper's own author among its candidates", d)
					}
					continue
				}
				chi += math.Pow(n-500, 2) / 500
			}
			if chi > c.limit {
				t.Errorf("%+v: place %d: %v, chi-square %.1f", d, i, counts[i], chi)
			}
		}
		other := Draw{Total: c.total, Seed: 2}
		if !slices.Equal(drawn(t, d, c.n, 7), drawn(t, d, c.n, 7)) || slices.Equal(drawn(t, d, c.n, 7), drawn(t, other, c.n, 7)) {
			t.Error("the same seed gave other candidates, or another one the same")
		}
	}
	if list := drawn(t, Draw{Total: 2}, 12, 0); len(list) != 1 {
		t.Errorf("no room but for the authors: %v, expected one", list)
	}
	call.Refused(t, "all 2 authors")((Draw{Total: 9}).candidates(&Paper{Question: typed.Question{Own: []int32{0, 1}}}, 2))
}
