package aspects

import (
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
)

// learned are four vertices: 0 has a vector for the direction of 1 and one for that of 2; 3 has a single one.
func learned() graphs.Embedding {
	return graphs.Embedding{D: 2, Final: make([]float32, 8), First: []int32{0, 2, 4, 6, 7},
		Center:  []float32{1, 1, 0, 3, 3, .1, 1, 0},
		Vectors: []float32{0, 1, 2, 0, 0, 9, 1, -1, -1, -1, 5, 4, 2, 1}}
}

// A link belongs to the vector that is nearest the centre of the other end, or one of its vectors, or that of its number.
func TestLearned(t *testing.T) {
	for _, c := range []struct {
		method string
		to     []int32 // the vectors of 0 for links to 1 and 2, those of 1 to 0 and 3
		near   string  // what is near the first vector of 0
	}{
		{graphs.MethodAsp2vec, []int32{0, 1, 0, 1}, "[1 2 3]"},
		{graphs.MethodSplitter, []int32{0, 1, 0, 0}, "[1 2 3]"},
		{graphs.MethodPolyDW, []int32{0, 1, 0, 1}, "[1 3 2]"},
	} {
		x := LearnedOf(learned(), graphs.MethodOf(c.method))
		if x.Numbers { // facets are as many for each vertex
			x.First, x.Data = []int32{0, 2, 4, 6, 8}, append(x.Data, 2, -9)
		}
		if got := []int32{x.Number(0, 1), x.Number(0, 2), x.Number(1, 0), x.Number(1, 3)}; fmt.Sprint(got) != fmt.Sprint(c.to) {
			t.Errorf("%s: links are of vectors %v, expected %v", c.method, got, c.to)
		}
		near, err := x.Near(t.Context(), 0, 0, 4, 1)
		var rows []int32
		for _, n := range near {
			rows = append(rows, n.Row)
		}
		if err != nil || fmt.Sprint(rows) != c.near {
			t.Errorf("%s: near are %v, %v; expected %s", c.method, near, err, c.near)
		}
	}
	e := learned()
	e.Vectors, e.First = nil, nil
	if x := LearnedOf(e, graphs.MethodOf(graphs.MethodDeepWalk)); x != nil {
		t.Errorf("%+v of a method with one vector for each vertex: expected none", x)
	}
}
