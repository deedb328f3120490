package walks_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Walks on a network of five vertices, frozen: records of runs depend on them.
func TestGoldenNode2Vec(t *testing.T) {
	const file = "testdata/node2vec.golden"
	var b strings.Builder
	for _, directed := range []bool{false, true} {
		for _, weights := range [][]float32{nil, {1, 2, 0.5, 4, 1, 3}} {
			for _, bias := range [][2]float64{{4, 0.25}, {0.25, 4}} {
				fmt.Fprintf(&b, "# directed %v, weights %v, p %v, q %v\n", directed, weights, bias[0], bias[1])
				// A square with a diagonal and a tail; directed, vertex 4 is a sink.
				links := []network.Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 3, To: 0}, {From: 0, To: 2}, {From: 2, To: 4}}
				net := call.Of(network.New([]string{"0", "1", "2", "3", "4"}, links, weights, directed))(t)
				src := call.Of(walks.NewNode2Vec(net, walks.Options{PerVertex: 2, Length: 10, Seed: 1}, bias[0], bias[1]))(t)
				for i := range src.Walks() {
					fmt.Fprintln(&b, strings.Trim(fmt.Sprint(src.Walk(i, nil)), "[]"))
				}
			}
		}
	}
	if *update {
		call.OK(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want := call.Of(os.ReadFile(file))(t)
	if got := b.String(); got != string(want) {
		t.Errorf("walks are\n%s\nwant (%s; -update after a change that is meant)\n%s", got, file, want)
	}
}
