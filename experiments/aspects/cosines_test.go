package aspects

import (
	"fmt"
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// randomAspects returns K random vectors for each of n vertices.
func randomAspects(n, k, d int) graphs.Embedding {
	e := graphs.Embedding{D: d, Vectors: make([]float32, n*k*d), First: rowsOfEach(n, k)}
	s := rng.New(1, "test")
	for i := range e.Vectors {
		e.Vectors[i] = float32(s.Normal())
	}
	return e
}

func TestAspectCosinesAgainstLoop(t *testing.T) {
	const n, k, d = 700, 4, 5
	e := randomAspects(n, k, d)
	clear(e.Vectors[3*k*d : 3*k*d+d]) // a vertex with a vector without direction is left out
	first := Cosines(e, k, 1)
	for s := range k {
		for o := range k {
			var want float64
			for v := range n {
				x, y := e.Vectors[(v*k+s)*d:][:d], e.Vectors[(v*k+o)*d:][:d]
				if v != 3 {
					want += innerProduct(x, y) / math.Sqrt(innerProduct(x, x)*innerProduct(y, y)) / (n - 1)
				}
			}
			if math.Abs(first[s][o]-want) > 1e-12 {
				t.Errorf("entry (%d,%d) is %v, expected %v", s, o, first[s][o], want)
			}
		}
	}
	for _, threads := range []int{0, 2, 5} {
		if c := Cosines(e, k, threads); fmt.Sprint(c) != fmt.Sprint(first) {
			t.Errorf("%d threads give %v, one %v", threads, c, first)
		}
	}
}

func TestAspectCosinesOfOddInput(t *testing.T) {
	e := randomAspects(1, 2, 1)
	e.Vectors[0], e.Vectors[1] = 2, -3
	if c := Cosines(e, 2, 1); fmt.Sprint(c) != "[[1 -1] [-1 1]]" {
		t.Errorf("%v: expected the cosines 1 and -1 of opposite vectors", c)
	}
	clear(e.Vectors)
	if c := Cosines(e, 2, 1); !math.IsNaN(c[0][1]) {
		t.Errorf("%v: expected NaN where no vector has a direction", c)
	}
}

// rowsOfEach are the first rows of n vertices with k vectors each.
func rowsOfEach(n, k int) []int32 {
	first := make([]int32, n+1)
	for v := range first {
		first[v] = int32(v * k)
	}
	return first
}

func innerProduct(x, y []float32) (sum float64) {
	for i := range x {
		sum += float64(x[i]) * float64(y[i])
	}
	return sum
}
