// Package paired tests whether paired differences are centred on zero, by what other signs of them would have given.
package paired

import (
	"cmp"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// Names of the tests.
const (
	SignFlipName = "sign-flip"
	WilcoxonName = "Wilcoxon signed-rank"
)

const (
	// MaxExact is the largest number of pairs of which every arrangement of signs is counted: a million.
	MaxExact = 20
	// Draws is how many arrangements are drawn at random for more pairs. A p of .05 is then known to ±.0014 (two standard
	// errors).
	Draws = 100_000
)

// Test is the outcome of a two-sided test of the hypothesis that each difference is as likely to have the other sign.
type Test struct {
	Name  string  `json:"name"`
	P     float64 `json:"p"`
	Pairs int     `json:"pairs"`           // that differ; others say nothing of the sign
	Draws int     `json:"draws,omitempty"` // of signs, at random; 0 for an exact test, which counts them all
	Least float64 `json:"least_p"`         // the smallest p that so many pairs can give
}

// SignFlip is the permutation test of a mean difference: of the mean over strata of the mean difference in each, so that a
// stratum counts the same however many pairs it has. Empty strata are left out; without a difference p is 1.
//
//	p = share of the 2^n arrangements of signs with |Σ_s 1/n_s Σ_i ±d_si| at least as large as with the signs observed
//
// Differences must be finite. With more than MaxExact of them that are not 0 the share is of Draws random arrangements and
// the observed one; they depend on the seed alone, which makes p = (1 + hits)/(1 + Draws), never 0.
//
// Source: Fisher, The Design of Experiments, 1935, §21.
func SignFlip(strata [][]float64, seed uint64) Test {
	var terms []float64
	for _, stratum := range strata {
		for _, d := range stratum {
			terms = append(terms, d/float64(len(stratum)))
		}
	}
	return flip(SignFlipName, terms, seed)
}

// Wilcoxon is the signed-rank test: the sign-flip test of the differences' ranks by size, each with its difference's sign.
// Differences of 0 are left out before ranking, and equal sizes share the mean of their ranks. Its p is exact also with ties,
// or drawn, as SignFlip's. Strata count as one sample.
//
// Source: Wilcoxon, Biometrics Bulletin 1 (1945), 80-83.
func Wilcoxon(differences []float64, seed uint64) Test {
	d := slices.DeleteFunc(slices.Clone(differences), func(x float64) bool { return x == 0 })
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	ranks := make([]float64, len(d))
	for i := 0; i < len(d); {
		j := i + 1
		for j < len(d) && same(d[i], d[j]) {
			j++
		}
		for k := i; k < j; k++ {
			ranks[k] = math.Copysign(float64(i+1+j)/2, d[k]) // the mean of i+1 to j
		}
		i = j
	}
	return flip(WilcoxonName, ranks, seed)
}

// closeness is the relative difference up to which two numbers are taken for one: what subtractions of decimals leave.
const closeness = 1e-12

// same says whether two differences are of one size.
func same(a, b float64) bool {
	a, b = math.Abs(a), math.Abs(b)
	return math.Abs(a-b) <= closeness*max(a, b)
}

// flip counts the arrangements of signs whose sum is as far from 0 as that of terms.
func flip(name string, terms []float64, seed uint64) Test {
	var sizes []float64
	var observed, total float64
	for _, t := range terms {
		if t != 0 {
			sizes = append(sizes, math.Abs(t))
			observed += t
			total += math.Abs(t)
		}
	}
	n := len(sizes)
	t := Test{Name: name, P: 1, Pairs: n, Least: 1}
	if n == 0 {
		return t
	}
	bound := math.Abs(observed) - closeness*total
	if n <= MaxExact {
		// The other half mirrors those in which the first sign is plus.
		t.P = float64(beyond(sizes[1:], sizes[0], bound)) / float64(int(1)<<(n-1))
		t.Least = 2 / float64(int(1)<<n)
		return t
	}
	hits := 0
	key := rng.NewKey(seed, name)
	for i := range Draws {
		if math.Abs(draw(sizes, key.Stream(uint64(i)))) >= bound {
			hits++
		}
	}
	t.P, t.Draws, t.Least = float64(1+hits)/float64(1+Draws), Draws, 1/float64(1+Draws)
	return t
}

// beyond counts the sums of start and every arrangement of signs of sizes that are at least bound away from 0.
func beyond(sizes []float64, start, bound float64) int {
	if len(sizes) == 0 {
		if math.Abs(start) >= bound {
			return 1
		}
		return 0
	}
	return beyond(sizes[1:], start+sizes[0], bound) + beyond(sizes[1:], start-sizes[0], bound)
}

// draw returns the sum of sizes with random signs.
func draw(sizes []float64, stream rng.Stream) (sum float64) {
	var signs uint64
	for i, size := range sizes {
		if i%64 == 0 {
			signs = stream.Uint64()
		}
		if signs&1 == 0 {
			sum += size
		} else {
			sum -= size
		}
		signs >>= 1
	}
	return sum
}
