package walks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/walks"
)

// Walks on a network of five vertices, frozen: records of runs depend on them.
func TestGoldenNode2Vec(t *testing.T) {
	var b strings.Builder
	for _, directed := range []bool{false, true} {
		for _, weights := range [][]float32{nil, {1, 2, 0.5, 4, 1, 3}} {
			for _, bias := range [][2]float64{{4, 0.25}, {0.25, 4}} {
				fmt.Fprintf(&b, "# directed %v, weights %v, p %v, q %v\n", directed, weights, bias[0], bias[1])
				// A square with a diagonal and a tail; directed, vertex 4 is a sink.
				net := walks.Linked(t, 5, directed, weights, 0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 2, 4)
				src := call.Of(walks.NewNode2Vec(net, walks.Options{PerVertex: 2, Length: 10, Seed: 1}, bias[0], bias[1]))(t)
				for i := range src.Walks() {
					fmt.Fprintln(&b, strings.Trim(fmt.Sprint(src.Walk(i, nil)), "[]"))
				}
			}
		}
	}
	frozen(t, "testdata/node2vec.golden", b.String())
}
