package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/walks"
)

// weighted is a term of the loss times a positive weight.
type weighted struct {
	graphs.PairTerm
	weight float32
}

func (w weighted) Forward(b *walks.Batch) (float64, error) {
	loss, err := w.PairTerm.Forward(b)
	return float64(w.weight) * loss, err
}

func (w weighted) CenterRow(g []float32, v int) { w.row(g, v, w.PairTerm.CenterRow) }
func (w weighted) AspectRow(g []float32, v int) { w.row(g, v, w.PairTerm.AspectRow) }

// row adds weight times what add adds to g, in g's own memory: what is there is divided by the weight meanwhile.
func (w weighted) row(g []float32, v int, add func(g []float32, v int)) {
	scale(g, 1/w.weight)
	add(g, v)
	scale(g, w.weight)
}

func scale(g []float32, by float32) {
	for i := range g {
		g[i] *= by
	}
}
