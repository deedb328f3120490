package eval

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// table counts how often each pair of labels stands together; labels are any numbers.
type table struct {
	n    int
	a, b map[int32]int
	both map[[2]int32]int
}

func newTable(a, b []int32) (*table, error) {
	if len(a) != len(b) || len(a) == 0 {
		return nil, fmt.Errorf("eval: labelings of %d and %d things: expected the same number, at least one", len(a), len(b))
	}
	t := &table{len(a), map[int32]int{}, map[int32]int{}, map[[2]int32]int{}}
	for i := range a {
		t.a[a[i]]++
		t.b[b[i]]++
		t.both[[2]int32{a[i], b[i]}]++
	}
	return t, nil
}

// counts returns the values in ascending order, so that sums over them do not depend on the order of a map.
func counts[K comparable](m map[K]int) []int { return slices.Sorted(maps.Values(m)) }

// NMI returns the normalised mutual information of two labelings of the same things, in [0,1]: 1 if each label of one stands
// for one label of the other, near 0 if they are independent. Labels may be any numbers.
//
//	NMI = 2 I(A;B) / (H(A) + H(B))
//
// Two labelings that both have a single label are the same partition and give 1. It returns an error if the lengths differ or
// are 0. NMI is above 0 for independent labelings of few things with many labels; see Chance.
//
// Source: Danon et al., J. Stat. Mech. (2005) P09008, Eq. (2), arXiv:cond-mat/0505245.
func NMI(a, b []int32) (float64, error) {
	t, err := newTable(a, b)
	if err != nil {
		return 0, err
	}
	ha, hb, hab := entropy(counts(t.a), t.n), entropy(counts(t.b), t.n), entropy(counts(t.both), t.n)
	if ha+hb == 0 {
		return 1, nil
	}
	return min(1, max(0, 2*(ha+hb-hab)/(ha+hb))), nil // rounding may step out of [0,1]
}

// entropy of parts of n, in nats.
func entropy(parts []int, n int) float64 {
	var h float64
	for _, c := range parts {
		p := float64(c) / float64(n)
		h -= p * math.Log(p)
	}
	return h
}

// Chance returns the mean and the standard deviation of a measure of agreement when the labels b are dealt out at random:
// what two labelings with these group sizes reach without knowing of each other. draws >= 2; randomness comes from r. It returns an
// error for fewer than two draws, and that of measure.
func Chance(measure func(a, b []int32) (float64, error), a, b []int32, draws int, r *rng.Stream) (mean, sd float64, err error) {
	if draws < 2 {
		return 0, 0, fmt.Errorf("eval: Chance: %d draws: expected at least 2", draws)
	}
	shuffled := slices.Clone(b)
	values := make([]float64, draws)
	for i := range values {
		shuffle(shuffled, r)
		if values[i], err = measure(a, shuffled); err != nil {
			return 0, 0, err
		}
		mean += values[i] / float64(draws)
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(draws-1)), nil
}
