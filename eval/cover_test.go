package eval

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

func TestOverlappingNMI(t *testing.T) {
	h := func(p float64) float64 {
		if p == 0 {
			return 0
		}
		return -p * math.Log(p)
	}
	for _, c := range []struct {
		name string
		x, y [][]int32
		n    int
		want float64
	}{
		{"same", [][]int32{{0, 1, 2}, {2, 3}}, [][]int32{{0, 1, 2}, {2, 3}}, 6, 1},
		{"other order", [][]int32{{0, 1, 2}, {2, 3}}, [][]int32{{3, 2}, {1, 0, 2}}, 6, 1},
		// A half against a half that shares half of it: a = b = c = d, so nothing is known.
		{"independent", [][]int32{{0, 1}}, [][]int32{{0, 2}}, 4, 0},
		// The complement tells all about a group, yet must not count as one: a = d = 0 fails the condition.
		{"complement", [][]int32{{0, 1}}, [][]int32{{2, 3}}, 4, 0},
		// One group of 2 of 8 against one of 4 that holds it: a = 4, b = 2, c = 0, d = 2. h(a)+h(d) >= h(b) holds.
		// I = H(X) + H(Y) - H(X,Y) for both directions, over the larger entropy, that of Y.
		{"subset", [][]int32{{0, 1}}, [][]int32{{0, 1, 2, 3}}, 8,
			(h(2./8) + h(6./8) + 2*h(4./8) - (h(4./8) + 2*h(2./8))) / (2 * h(4./8))},
		// A second group in y that x lacks: x is known entirely, of y's two equal entropies one is known, so
		// NMI = ½ (H + H) / 2H with H the entropy of a group of 2 of 8; the new group shares nothing, and its a = 4,
		// b = c = 2, d = 0 fail the condition: h(a) = ½ ln 2 < 2 h(2/8) = ln 2.
		{"one group more", [][]int32{{0, 1}}, [][]int32{{0, 1}, {4, 5}}, 8, 0.5},
		{"no information", [][]int32{{0, 1}}, [][]int32{{1, 0}, {}}, 2, 1},
		{"information on one side", [][]int32{{0, 1}}, [][]int32{{0}}, 2, 0},
	} {
		got, err := OverlappingNMI(c.x, c.y, c.n)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name, got, c.want, 1e-12)
		back, _ := OverlappingNMI(c.y, c.x, c.n)
		near(t, c.name+", sides swapped", back, got, 1e-12)
	}
}

func TestOverlappingNMIOfRandomCovers(t *testing.T) {
	const n = 3000
	r := rng.New(1, "covers")
	draw := func() [][]int32 {
		cover := make([][]int32, 5)
		for v := range int32(n) {
			for i := range cover {
				if r.Intn(4) == 0 {
					cover[i] = append(cover[i], v)
				}
			}
		}
		return cover
	}
	x, y := draw(), draw()
	got, err := OverlappingNMI(x, y, n)
	if err != nil {
		t.Fatal(err)
	}
	// About 1/n nats of chance information for each group, of an entropy of 0.56: well below a hundredth.
	if got > 0.01 {
		t.Errorf("independent covers: %v, want near 0", got)
	}
	part := slices.Clone(x)
	part[0] = y[0] // one of five groups replaced
	if got, err = OverlappingNMI(x, part, n); err != nil || math.Abs(got-0.8) > 0.01 {
		t.Errorf("four of five groups in common: %v, %v; want about 0.8", got, err)
	}
}

func TestOverlappingNMIErrors(t *testing.T) {
	good := [][]int32{{0, 1}}
	for name, c := range map[string]struct {
		x, y [][]int32
		n    int
		want string
	}{
		"no groups":    {good, nil, 3, "cover 2: 0 groups"},
		"no vertices":  {good, good, 0, "of 0 vertices"},
		"out of range": {[][]int32{{0, 3}}, good, 3, "cover 1: group 0 holds vertex 3"},
		"negative":     {good, [][]int32{{0}, {-1}}, 3, "cover 2: group 1 holds vertex -1"},
		"twice":        {[][]int32{{1, 1}}, good, 3, "vertex 1 twice"},
	} {
		if _, err := OverlappingNMI(c.x, c.y, c.n); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v: want one with %q", name, err, c.want)
		}
	}
}

func TestGroups(t *testing.T) {
	got := Groups([]int32{2, 0, -1, 2})
	if len(got) != 2 || !slices.Equal(got[0], []int32{1}) || !slices.Equal(got[1], []int32{0, 3}) {
		t.Errorf("got %v, want [[1] [0 3]]", got)
	}
}
