package encode

import (
	"math"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/layers"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// TextsAtOnce is how many texts, or vectors of texts, go through a graph at a time where all are encoded.
const TextsAtOnce = 256

// Linear is a linear layer over given vectors, such as those of TextMeans: f = W x. They go through a graph in chunks.
type Linear struct {
	weights *engine.Table // W (D,W)
	x       []float32     // (B,W): of the last Forward
	chunk   []float32     // (TextsAtOnce,W): the graph's input
	Graph
}

// ComposeMean returns the vectors (B,D) of texts, given those of TextMeans (B,W) and the weights (D,W).
func ComposeMean(means, weights *G.Node) (*G.Node, error) { return layers.Linear(means, weights, nil) }

// NewLinear returns the layer of weights (D,W), which it reads whenever it runs.
func NewLinear(weights *engine.Table) *Linear {
	d, w := weights.Rows, weights.Width()
	l := &Linear{weights: weights, chunk: make([]float32, TextsAtOnce*w)}
	l.Graph = NewGraph(TextsAtOnce, d, func(g *G.ExprGraph) (*G.Node, []*G.Node, error) {
		params := engine.Nodes(g, tensor.Float32, weights)
		out, err := ComposeMean(engine.FloatNode(g, tensor.Float32, "means", l.chunk, TextsAtOnce, w), params[0])
		return out, params, err
	})
	return l
}

// Forward sets out (B,D) to the layer of vectors x (B,W), which Backward reads too.
func (l *Linear) Forward(x, out []float32) error {
	l.x = x
	d := l.weights.Rows
	return InChunks(l.chunk, x, l.weights.Width(), func(lo, hi int) error {
		f, err := l.Vectors()
		if err == nil {
			copy(out[lo*d:hi*d], f)
		}
		return err
	})
}

// Backward adds the gradient by W to dst (D,W), given that by the vectors of the last Forward (B,D).
func (l *Linear) Backward(grad, dst []float32) error {
	d := l.weights.Rows
	return InChunks(l.chunk, l.x, l.weights.Width(), func(lo, hi int) error {
		clear(l.Grad[copy(l.Grad, grad[lo*d:hi*d]):])
		if err := l.Differentiate(); err != nil {
			return err
		}
		kernel.Axpy(dst, l.Gradient(0), 1)
		return nil
	})
}

// meanPass encodes texts by a linear layer over TextMeans.
type meanPass struct {
	e       *Encoder
	linear  *Linear
	threads int
	x       []float32 // (B,W)
}

func (p *meanPass) forward(texts [][]int32, out []float32) error {
	if err := CheckTexts(texts, p.e.words); err != nil {
		return err
	}
	p.x = Grown(p.x, len(texts)*p.e.words.Dim)
	p.e.means.ofAll(p.x, texts, p.threads)
	return p.linear.Forward(p.x, out)
}

func (p *meanPass) backward(grad []float32, dst [][]float32) error {
	clear(dst[0])
	return p.linear.Backward(grad, dst[0])
}

// Units returns the words with vectors of length 1; those of zeros are left.
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
