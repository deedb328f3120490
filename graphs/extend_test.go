package graphs

import (
	"math"
	"testing"
)

// One negative in 2·window+1 is a new vertex, where they are fewer than that of all; the others keep their weights.
func TestNoiseAround(t *testing.T) {
	o := Default()
	o.Window = 2
	for _, c := range []struct {
		vertices, from int
		want           float64 // share of the new ones
	}{{100, 96, 1. / 5}, {100, 50, 1. / 2}} {
		noise := noiseAround(nil, c.vertices, c.from, o)
		var later, sum float64
		for v, w := range noise {
			sum += w
			if v >= c.from {
				later += w
			} else if w != 1 {
				t.Errorf("weight %v of old vertex %d", w, v)
			}
		}
		if got := later / sum; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d of %d vertices are new: %v of the negatives, expected %v", c.vertices-c.from, c.vertices, got, c.want)
		}
	}
}
