package eval

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

func TestPartitionMeasures(t *testing.T) {
	ln2, ln3 := math.Log(2), math.Log(3)
	for _, c := range []struct {
		name     string
		a, b     []int32
		nmi, ari float64
	}{
		{"same", []int32{0, 0, 1, 2}, []int32{0, 0, 1, 2}, 1, 1},
		{"renamed", []int32{0, 0, 1, 2}, []int32{-7, -7, 9, 5}, 1, 1},
		{"independent", []int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}, 0, -0.5},
		// ARI: no pair is together in both; E = 2·2/6 = 2/3, the mean is 2: (0-2/3)/(2-2/3) = -½.
		{"one group against halves", []int32{0, 0, 0, 0}, []int32{0, 0, 1, 1}, 0, 0},
		// H(A) = ln 2, H(B) = ½ ln 2 + ½ ln 4 = 1.5 ln 2, I = ln 2: NMI = 2/2.5. Pairs: 2 in A, 1 in B, 1 in both of 6:
		// E = ⅓, ARI = (1-⅓)/(1.5-⅓) = 4/7.
		{"one group split", []int32{0, 0, 1, 1}, []int32{0, 0, 1, 2}, 0.8, 4. / 7},
		// A is 3+3, B moves one thing over, 2+4: H(A) = ln 2, H(B) = ln 3 - ⅔ ln 2, H(A,B) = ⅓ ln 3 + ln 6/6 + ½ ln 2.
		// Pairs: 6 in A, 1+6 in B, 1+3 in both of 15: E = 2.8, ARI = (4-2.8)/(6.5-2.8).
		{"one moved", []int32{0, 0, 0, 1, 1, 1}, []int32{0, 0, 1, 1, 1, 1},
			2 * (ln2 + ln3 - 2*ln2/3 - (ln3/3 + (ln2+ln3)/6 + ln2/2)) / (ln2 + ln3 - 2*ln2/3), 1.2 / 3.7},
		{"both one group", []int32{3, 3}, []int32{1, 1}, 1, 1},
		{"both singletons", []int32{0, 1, 2}, []int32{2, 0, 1}, 1, 1},
		{"one thing", []int32{0}, []int32{5}, 1, 1},
	} {
		nmi, err := NMI(c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name+": NMI", nmi, c.nmi, 1e-12)
		ari, err := ARI(c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name+": ARI", ari, c.ari, 1e-12)
		swapped, _ := NMI(c.b, c.a)
		near(t, c.name+": NMI with the sides swapped", swapped, nmi, 1e-12)
	}
	for name, b := range map[string][]int32{"lengths": {1}, "empty": nil} {
		if _, err := NMI(b[:0], b); err == nil {
			t.Errorf("NMI, %s: no error", name)
		}
		if _, err := ARI(b[:0], b); err == nil {
			t.Errorf("ARI, %s: no error", name)
		}
	}
}

func TestChance(t *testing.T) {
	a := make([]int32, 300)
	for i := range a {
		a[i] = int32(i % 3)
	}
	mean, sd, err := Chance(ARI, a, a, 100, rng.New(1, "chance"))
	if err != nil {
		t.Fatal(err)
	}
	// The expectation is 0 by construction of the index; the mean of 100 draws lies within 4 standard errors of it.
	if math.Abs(mean) > 4*sd/10 || !(sd > 0) {
		t.Errorf("ARI of shuffled labels: mean %v, sd %v: want a mean near 0", mean, sd)
	}
	if _, _, err := Chance(ARI, a, a, 1, rng.New(1, "chance")); err == nil {
		t.Error("one draw: no error")
	}
}
