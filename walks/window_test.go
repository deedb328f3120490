package walks

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// pairs is a formula; this counts.
func TestPairsCountsWhatWindowsHold(t *testing.T) {
	for n := range 31 {
		walk := make([]int32, n)
		for size := 1; size <= 8; size++ {
			var want int64
			for i := range walk {
				n := len(fillContexts(make([]int32, 2*size), walk, i, size))
				if got := contextCount(len(walk), i, size); got != n {
					t.Errorf("contextCount(%d, %d, %d) = %d, expected %d", len(walk), i, size, got, n)
				}
				want += int64(n)
			}
			if got := pairs(n, size); got != want {
				t.Errorf("pairs(%d, %d) = %d, expected %d", n, size, got, want)
			}
		}
	}
	if got := pairs(80, 3); got != 468 { // published count for the paper's settings
		t.Errorf("pairs(80, 3) = %d, expected 468", got)
	}
}

func TestFirsts(t *testing.T) {
	full := make([]int32, 2*MaxWindow)
	for i := range full {
		full[i] = int32(i)
	}
	cases := []struct {
		name     string
		contexts []int32
		want     uint64
	}{
		{"none", nil, 0},
		{"one", []int32{7}, 0b1},
		{"all the same", []int32{7, 7, 7}, 0b1},
		{"twice apart", []int32{1, 0, 1, 2, 0, 3}, 0b101011},
		{"the largest window", full, ^uint64(0)},
	}
	for _, c := range cases {
		if got := firsts(c.contexts); got != c.want {
			t.Errorf("%s: %b, expected %b", c.name, got, c.want)
		}
	}
}

func TestPermutationIsABijection(t *testing.T) {
	sizes := []uint64{1<<14 - 1, 1 << 14, 1<<14 + 1, 100003}
	for n := range uint64(1000) {
		sizes = append(sizes, n+1)
	}
	for _, n := range sizes {
		p := newPermutation(n, rng.NewKey(n, "test"))
		seen := make([]bool, n)
		for i := range n {
			j := p.at(i)
			if j >= n || seen[j] {
				t.Fatalf("n = %d: %d goes to %d, which is out of range or taken", n, i, j)
			}
			seen[j] = true
		}
	}
}

// Over sizes whose tables would not fit anywhere, distinct places still go to distinct places below n.
func TestPermutationOfHugeSizes(t *testing.T) {
	for _, n := range []uint64{1<<32 + 7, 1 << 62, 1<<64 - 1} {
		p := newPermutation(n, rng.NewKey(1, "test"))
		seen := map[uint64]bool{}
		for i := range uint64(2000) {
			for _, i := range []uint64{i, n - 1 - i} {
				j := p.at(i)
				if j >= n || seen[j] {
					t.Fatalf("n = %d: %d goes to %d, which is out of range or taken", n, i, j)
				}
				seen[j] = true
			}
		}
	}
}

// With the key varied, a place goes everywhere equally often, and its neighbour any distance further. Both are chi-squares
// over ten cells of 20,000 draws, with nine degrees of freedom, whose 99.99 % quantile is 33.7. (Four rounds do not mix fewer
// than about a hundred places as well as that.)
func TestPermutationMixes(t *testing.T) {
	const n, draws, cells = 1001, 20000, 10
	var place, step [cells]float64
	for seed := range uint64(draws) {
		p := newPermutation(n, rng.NewKey(seed, "test"))
		a, b := p.at(5), p.at(6)
		if a > 0 {
			place[(a-1)/(n/cells)]++ // of 1 to 1000, a hundred to a cell
		}
		step[((b+n-a)%n-1)/(n/cells)]++ // of 1 to 1000, since b is not a
	}
	for name, counts := range map[string][cells]float64{"places": place, "steps": step} {
		var chi float64
		for _, c := range counts {
			chi += (c - draws/cells) * (c - draws/cells) / (draws / cells)
		}
		if chi > 33.7 {
			t.Errorf("%s %v: chi-square %.1f, expected below 33.7", name, counts, chi)
		}
	}
}
