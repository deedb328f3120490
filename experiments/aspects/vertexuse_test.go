package aspects

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/network"
)

// Of two neighbours, each walk of one step meets one of them: the use by hand is the mean over which.
func TestVertexUse(t *testing.T) {
	net, err := network.New([]string{"a", "b", "c", "alone"}, []network.Link{{From: 0, To: 1}, {From: 0, To: 2}}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	center := eval.Embedding{N: 4, D: 1, Data: []float32{2, 0, 0, 0}}
	aspects := eval.MultiEmbedding{First: []int32{0, 2, 4, 6, 8}, D: 1, Data: []float32{9, 9, 1, 0, 0, 1, 0, 0}} // b has aspect 0, c aspect 1
	all, err := VertexUse(t.Context(), net, []int32{0, 3}, center, aspects, 1, 20000, 2)
	if err != nil {
		t.Fatal(err)
	}
	got := all[0]
	if math.Abs(got[0]-.5) > .01 || math.Abs(got[0]+got[1]-1) > 1e-12 {
		t.Errorf("use %v of two like neighbours", got)
	}
	if all[1] != nil {
		t.Errorf("%v of a vertex without links: want nil", all[1])
	}
	aspects.Data[5] = -1 // c has less of aspect 1 than of 0
	all, _ = VertexUse(t.Context(), net, []int32{2, 0}, center, aspects, 1, 20000, 1)
	p := func(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }
	// b alone and c alone in a quarter of the windows each: logit 2 both. Both of them: ½·2 + ½·2.
	if math.Abs(all[1][0]-p(2)) > .001 {
		t.Errorf("use %v: want %v", all[1], p(2))
	}
}
