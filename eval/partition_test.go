package eval

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestNMI(t *testing.T) {
	ln2, ln3 := math.Log(2), math.Log(3)
	for _, c := range []struct {
		name string
		a, b []int32
		nmi  float64
	}{
		{"same", []int32{0, 0, 1, 2}, []int32{0, 0, 1, 2}, 1},
		{"renamed", []int32{0, 0, 1, 2}, []int32{-7, -7, 9, 5}, 1},
		{"independent", []int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}, 0},
		{"one group against halves", []int32{0, 0, 0, 0}, []int32{0, 0, 1, 1}, 0},
		// H(A) = ln 2, H(B) = ½ ln 2 + ½ ln 4 = 1.5 ln 2, I = ln 2: NMI = 2/2.5.
		{"one group split", []int32{0, 0, 1, 1}, []int32{0, 0, 1, 2}, 0.8},
		// A is 3+3, B moves one thing over, 2+4: H(A) = ln 2, H(B) = ln 3 - ⅔ ln 2, H(A,B) = ⅓ ln 3 + ln 6/6 + ½ ln 2.
		{"one moved", []int32{0, 0, 0, 1, 1, 1}, []int32{0, 0, 1, 1, 1, 1},
			2 * (ln2 + ln3 - 2*ln2/3 - (ln3/3 + (ln2+ln3)/6 + ln2/2)) / (ln2 + ln3 - 2*ln2/3)},
		{"both one group", []int32{3, 3}, []int32{1, 1}, 1},
		{"both singletons", []int32{0, 1, 2}, []int32{2, 0, 1}, 1},
		{"one thing", []int32{0}, []int32{5}, 1},
	} {
		nmi := call.Of(NMI(c.a, c.b))(t)
		near(t, c.name+": NMI", nmi, c.nmi, 1e-12)
		swapped, _ := NMI(c.b, c.a)
		near(t, c.name+": NMI with the sides swapped", swapped, nmi, 1e-12)
	}
	for _, b := range map[string][]int32{"lengths": {1}, "empty": nil} {
		call.Refused(t)(NMI(b[:0], b))
	}
}

func TestChance(t *testing.T) {
	a := make([]int32, 300)
	for i := range a {
		a[i] = int32(i % 3)
	}
	same := func(a, b []int32) (share float64, err error) {
		for i := range a {
			if a[i] == b[i] {
				share += 1 / float64(len(a))
			}
		}
		return share, nil
	}
	mean, sd, err := Chance(same, a, a, 100, rng.New(1, "chance"))
	if err != nil {
		t.Fatal(err)
	}
	// Three equal groups of n = 300 in a random order match at n/3 places, with variance n²/(n-1)·(⅓·⅔): a share of ⅓, with
	// standard deviation 0.0273. The mean of 100 draws lies within 4 standard errors, and sd within 4 times its own 7 %.
	if math.Abs(mean-1./3) > 4*sd/10 || math.Abs(sd-0.0273) > 0.0077 {
		t.Errorf("share of equal labels after shuffling: mean %v, sd %v: expected 0.333 and 0.0273", mean, sd)
	}
	call.Refused(t)(Chance(same, a, a, 1, rng.New(1, "chance")))
}
