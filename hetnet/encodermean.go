package hetnet

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

	means   []float32 // (B,W): of the texts of the last forward
	chunk   []float32 // (TextsAtOnce,W): the graphs' input
	value   *graphs.Evaluator
	program *graphs.Program // of the gradient; nil before the first backward
	grad    []float32       // (TextsAtOnce,D): dL/d vectors
}

// composeMean returns the vectors (B,D) of texts, given the means of their words' vectors (B,W) and the weights (D,W).
func composeMean(means, weights *G.Node) (*G.Node, error) { return layers.Linear(means, weights, nil) }

func (e *Encoder) newMean(threads int) (*meanPass, error) {
	p := &meanPass{
		e: e, threads: threads, chunk: make([]float32, TextsAtOnce*e.words.Dim), grad: make([]float32, TextsAtOnce*e.dim),
	}
	out, _, err := p.build()
	if err == nil {
		p.value, err = graphs.NewEvaluator(out)
	}
	return p, err
}

func (p *meanPass) build() (out *G.Node, params []*G.Node, err error) {
	g := G.NewGraph()
	weights := p.e.tables[0].Node(g, tensor.Float32)
	out, err = composeMean(floatNode(g, "means", p.chunk, TextsAtOnce, p.e.words.Dim), weights)
	return out, []*G.Node{weights}, err
}

// each puts the means into the graphs' input, chunk by chunk, and calls do with the places of the chunk's texts.
func (p *meanPass) each(do func(lo, hi int) error) error {
	w := p.e.words.Dim
	for lo := 0; lo < len(p.means)/w; lo += TextsAtOnce {
		hi := min(lo+TextsAtOnce, len(p.means)/w)
		clear(p.chunk[copy(p.chunk, p.means[lo*w:hi*w]):])
		if err := do(lo, hi); err != nil {
			return err
		}
	}
	return nil
}

func (p *meanPass) forward(texts [][]int32, out []float32) error {
	if err := checkTexts(texts, p.e.words); err != nil {
		return err
	}
	w, d := p.e.words.Dim, p.e.dim
	if cap(p.means) < len(texts)*w {
		p.means = make([]float32, len(texts)*w)
	}
	p.means = p.means[:len(texts)*w]
	eachRow(p.threads, len(texts), func(i int) {
		mean := p.means[i*w:][:w]
		clear(mean)
		for _, word := range texts[i] {
			kernel.Axpy(mean, p.e.words.vector(word), 1/float32(len(texts[i])))
		}
	})
	return p.each(func(lo, hi int) error {
		x, err := p.value.Run()
		if err == nil {
			copy(out[lo*d:hi*d], x)
		}
		return err
	})
}

func (p *meanPass) backward(grad []float32, dst [][]float32) error {
	if p.program == nil {
		out, params, err := p.build()
		if err != nil {
			return err
		}
		if p.program, err = compileProduct(out, floatNode(out.Graph(), "gradient", p.grad, TextsAtOnce, p.e.dim), params); err != nil {
			return err
		}
	}
	d := p.e.dim
	clear(dst[0])
	return p.each(func(lo, hi int) error {
		clear(p.grad[copy(p.grad, grad[lo*d:hi*d]):])
		if _, err := p.program.Run(); err != nil {
			return err
		}
		kernel.Axpy(dst[0], p.program.Gradient(0), 1)
		return nil
	})
}

// units returns the words with vectors of length 1; those of zeros are left.
func (w *Words) units(threads int) *Words {
	u := &Words{Dim: w.Dim, Vectors: make([]float32, len(w.Vectors))}
	par.Blocks(threads, len(w.Vectors)/w.Dim, func(_, i int) {
		x := w.vector(int32(i))
		if length := math.Sqrt(squared(x)); length > 0 {
			kernel.Axpy(u.vector(int32(i)), x, float32(1/length))
		}
	})
	return u
}
