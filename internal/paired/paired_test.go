package paired

import (
	"fmt"
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// The p values are scipy's 1.10.1:
//
//	sign-flip: stats.permutation_test((d, 0*d), lambda x, y, axis=-1: np.mean(x-y, axis=axis),
//	           permutation_type='samples', n_resamples=np.inf, vectorized=True).pvalue
//	Wilcoxon:  stats.wilcoxon(d, mode='exact').pvalue; with ties, permutation_test's of
//	           stats.rankdata(abs(d)) * np.sign(d), since wilcoxon's exact p has no ties
func TestAgainstScipy(t *testing.T) {
	decimals := []float64{.7431 - .7043, .6439 - .6267, .8701 - .8757, .8865 - .8225, .9008 - .9012, .7385 - .7145, .6425 - .6275}
	ties := []float64{.03, -.01, .04, -.01, .05, .09, -.02, .06, .05, .03, -.05, .08, .09, -.07, .09, .03, .02, .03, -.08, .04}
	for name, c := range map[string]struct {
		got  Test
		want float64
	}{
		"sign-flip of 7":          {SignFlip([][]float64{decimals}, 1), 0.0625},
		"Wilcoxon of 7":           {Wilcoxon(decimals, 1), 0.078125},
		"sign-flip of 20":         {SignFlip([][]float64{ties}, 1), 0.050144195556640625},
		"Wilcoxon of 20, ties":    {Wilcoxon(ties, 1), 0.03864479064941406},
		"sign-flip of 20, halved": {SignFlip([][]float64{ties[:10], ties[10:]}, 1), 0.050144195556640625}, // equal strata change nothing
		// The mean over d/len(stratum), counted with itertools.product.
		"sign-flip of strata": {SignFlip([][]float64{{.02, .01, -.005}, {}, {.03}, {.001, -.004}}, 1), 0.25},
		// By hand: of 2^5 signs, all plus and all minus.
		"sign-flip, all plus": {SignFlip([][]float64{{1, 2, 3, 4, 5}}, 1), 2. / 32},
		"Wilcoxon, all plus":  {Wilcoxon([]float64{1, 2, 3, 4, 5}, 1), 2. / 32},
		// By hand: ±1±1±4 with |sum| >= 4 are all but none: 6, 4, 4, 2 and their mirrors.
		"sign-flip of 3": {SignFlip([][]float64{{1, -1, 4}}, 1), 6. / 8},
		// By hand, ranks 1.5, 1.5, 3 with signs +, -, +: |sum| >= 3 are 6, 3, 3 and mirrors; 0 is left.
		"Wilcoxon of 3": {Wilcoxon([]float64{1, -1, 4}, 1), 6. / 8},
		"one":           {SignFlip([][]float64{{.1}}, 1), 1},
		"none":          {SignFlip([][]float64{{}, nil}, 1), 1},
		"all equal":     {Wilcoxon([]float64{0, 0}, 1), 1},
	} {
		if math.Abs(c.got.P-c.want) > 1e-15 || c.got.Draws != 0 {
			t.Errorf("%s: %+v, expected p = %v", name, c.got, c.want)
		}
	}
}

// Beyond MaxExact p is drawn. The exact values are scipy's stats.wilcoxon(d, mode='exact') and a count of all 2^25 sums by
// convolution.
func TestDrawn(t *testing.T) {
	d := []float64{7, -3, 12, 5, -8, 1, 9, -2, 14, 6, -11, 4, 10, -13, 15, 16, -17, 18, 19, -20, 21, 22, -23, 24, 25}
	const want = 0.0801958441734314 // of both, since the sizes are the ranks
	spread := 4 * math.Sqrt(want*(1-want)/Draws)
	for _, got := range []Test{SignFlip([][]float64{d}, 3), Wilcoxon(d, 3)} {
		if math.Abs(got.P-want) > spread || got.Draws != Draws || got.Pairs != 25 {
			t.Errorf("%+v: expected p = %v ± %v", got, want, spread)
		}
	}
	if a, b := Wilcoxon(d, 3), Wilcoxon(d, 3); a != b {
		t.Errorf("one seed, two results: %+v, %+v", a, b)
	}
	if a, b := Wilcoxon(d, 3), Wilcoxon(d, 4); a.P == b.P {
		t.Errorf("two seeds, one result: %+v", a)
	}
	if got := SignFlip([][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40}}, 1); got.P != got.Least {
		t.Errorf("%+v: expected the least p, which is not 0", got)
	}
}

// Neither the sign of all differences, nor their unit, nor their order changes p; zeros add nothing to what is exact.
func TestSymmetry(t *testing.T) {
	for _, n := range []int{1, 5, 12, 20, 30} {
		t.Run(fmt.Sprint("n=", n), func(t *testing.T) {
			r := rng.New(uint64(n), "paired")
			d, minus, scaled := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range d {
				d[i] = math.Round(100*(r.Normal()+0.3)) / 1000
				minus[i], scaled[i] = -d[i], d[i]/8
			}
			for name, test := range map[string]func([]float64) Test{
				"sign-flip": func(d []float64) Test { return SignFlip([][]float64{d[:n/2], d[n/2:]}, 1) },
				"Wilcoxon":  func(d []float64) Test { return Wilcoxon(d, 1) },
			} {
				want := test(d)
				if want.P < want.Least || want.P > 1 {
					t.Errorf("%s: %+v", name, want)
				}
				for what, other := range map[string][]float64{"minus": minus, "another unit": scaled} {
					if got := test(other); got != want {
						t.Errorf("%s: %s gives %+v, expected %+v", name, what, got, want)
					}
				}
			}
		})
	}
	if a, b := Wilcoxon([]float64{3, 0, -1, 2, 0}, 1), Wilcoxon([]float64{2, 3, -1}, 1); a != b {
		t.Errorf("zeros and order: %+v, %+v", a, b)
	}
}

// Under the hypothesis p is at most α in a share of about α of samples.
func TestSize(t *testing.T) {
	const samples, n, alpha = 2000, 10, 0.05
	flips, wilcoxons := 0, 0
	r := rng.New(1, "null")
	for range samples {
		d := make([]float64, n)
		for i := range d {
			d[i] = r.Normal()
		}
		if SignFlip([][]float64{d}, 1).P <= alpha {
			flips++
		}
		if Wilcoxon(d, 1).P <= alpha {
			wilcoxons++
		}
	}
	for name, count := range map[string]int{SignFlipName: flips, WilcoxonName: wilcoxons} {
		share, spread := float64(count)/samples, 4*math.Sqrt(alpha*(1-alpha)/samples)
		if share > alpha+spread || share < alpha-spread-0.01 { // the Wilcoxon test's p jumps over .05
			t.Errorf("%s: p <= %v in a share of %v, expected about that", name, alpha, share)
		}
	}
}
