package encode

import (
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/layers"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// TextsAtOnce is how many texts, or vectors of texts, go through a graph at a time where all are encoded.
const TextsAtOnce = 256

// meanPass encodes texts by the means of their words' vectors: texts go through a graph in chunks.
type meanPass struct {
	e       *Encoder
	threads int

	means []float32 // (B,W): of the texts of the last forward
	chunk []float32 // (TextsAtOnce,W): the graph's input
	Graph
}

// ComposeMean returns the vectors (B,D) of texts, given the means of their words' vectors (B,W) and the weights (D,W).
func ComposeMean(means, weights *G.Node) (*G.Node, error) { return layers.Linear(means, weights, nil) }

func (e *Encoder) newMean(threads int) *meanPass {
	p := &meanPass{e: e, threads: threads, chunk: make([]float32, TextsAtOnce*e.words.Dim)}
	p.Graph = NewGraph(TextsAtOnce, e.dim, func(g *G.ExprGraph) (*G.Node, []*G.Node, error) {
		params := TableNodes(g, tensor.Float32, e.tables)
		out, err := ComposeMean(graphs.FloatNode(g, tensor.Float32, "means", p.chunk, TextsAtOnce, e.words.Dim), params[0])
		return out, params, err
	})
	return p
}

func (p *meanPass) forward(texts [][]int32, out []float32) error {
	if err := CheckTexts(texts, p.e.words); err != nil {
		return err
	}
	w, d := p.e.words.Dim, p.e.dim
	p.means = Grown(p.means, len(texts)*w)
	EachRow(p.threads, len(texts), func(i int) {
		mean := p.means[i*w:][:w]
		clear(mean)
		for _, word := range texts[i] {
			kernel.Axpy(mean, p.e.words.Vector(word), 1/float32(len(texts[i])))
		}
	})
	return InChunks(p.chunk, p.means, w, func(lo, hi int) error {
		x, err := p.Vectors()
		if err == nil {
			copy(out[lo*d:hi*d], x)
		}
		return err
	})
}

func (p *meanPass) backward(grad []float32, dst [][]float32) error {
	d := p.e.dim
	clear(dst[0])
	return InChunks(p.chunk, p.means, p.e.words.Dim, func(lo, hi int) error {
		clear(p.Grad[copy(p.Grad, grad[lo*d:hi*d]):])
		if err := p.Differentiate(); err != nil {
			return err
		}
		kernel.Axpy(dst[0], p.Gradient(0), 1)
		return nil
	})
}

// units returns the words with vectors of length 1; those of zeros are left.
func (w *Words) Units(threads int) *Words {
	u := &Words{Dim: w.Dim, Vectors: make([]float32, len(w.Vectors))}
	par.Blocks(threads, len(w.Vectors)/w.Dim, func(_, i int) {
		x := w.Vector(int32(i))
		if length := math.Sqrt(Squared(x)); length > 0 {
			kernel.Axpy(u.Vector(int32(i)), x, float32(1/length))
		}
	})
	return u
}
