package hetnet

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/layers"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// graphTexts is how many texts go through a graph of composedPass at a time.
const graphTexts = 32

// composedPass is the encoder composed of layers: a graph for each bucket of lengths, 1, 2, 4 words and so on, through which texts go
// in chunks. Its graphs keep nothing from one run to the next, so that all passes of an encoder share them.
type composedPass struct {
	e      *Encoder
	texts  [][]int32 // of the last forward
	tokens []int32
}

type bucketKey struct {
	steps  int
	learnt bool // with the gradients of the weights
}

type bucketGraph struct {
	*stepInputs
	value   *graphs.Evaluator // of the vectors; nil for a graph of the gradients
	program *graphs.Program
	grad    []float32 // (graphTexts,D) dL/d vectors
}

// stepInputs is the memory of what a composed encoder reads.
type stepInputs struct {
	words *Words
	steps [][]float32 // T of (B,W): the words' vectors
	mean  []float32   // (B,T): weights of the states
}

// composeEncoder returns the vectors (B,D) of texts, given the vectors of their words, T of (B,W), the weights of their states (B,T),
// and the encoder's parameters: the definition of what all engines compute.
func composeEncoder(cell string, words []*G.Node, mean *G.Node, params []*G.Node) (*G.Node, error) {
	unit, err := layers.FindGRUCell(cell)
	if err != nil {
		return nil, err
	}
	w := layers.GRUWeights{IH: params[0], HH: params[1], BiasIH: params[2]}
	if len(params) > 3 {
		w.BiasHH = params[3]
	}
	states, err := layers.GRU(unit, words, w)
	if err != nil {
		return nil, err
	}
	return layers.MeanSteps(states, mean)
}

// bind reads texts, at most as many as there are rows; where there are fewer, rows are empty.
func (in *stepInputs) bind(texts [][]int32) {
	clear(in.mean)
	steps, width := len(in.steps), in.words.Dim
	for t, x := range in.steps {
		clear(x)
		for b, text := range texts {
			if t < len(text) {
				copy(x[b*width:(b+1)*width], in.words.Vectors[int(text[t])*width:])
				in.mean[b*steps+t] = 1 / float32(len(text))
			}
		}
	}
}

// checkTexts returns an error for a word that is not there.
func checkTexts(texts [][]int32, words *Words) error {
	vocabulary := len(words.Vectors) / words.Dim
	for i, text := range texts {
		for _, w := range text {
			if w < 0 || int(w) >= vocabulary {
				return fmt.Errorf("text %d has word %d: want 0 to %d", i, w, vocabulary-1)
			}
		}
	}
	return nil
}

// bucket returns a graph, made when it is first needed.
func (e *Encoder) bucket(key bucketKey) (*bucketGraph, error) {
	if b := e.buckets[key]; b != nil {
		return b, nil
	}
	g := G.NewGraph()
	var params, words []*G.Node
	for _, t := range e.tables {
		params = append(params, t.Node(g, tensor.Float32))
	}
	b := &bucketGraph{stepInputs: &stepInputs{words: e.words, mean: make([]float32, graphTexts*key.steps)}}
	for t := range key.steps {
		b.steps = append(b.steps, make([]float32, graphTexts*e.words.Dim))
		words = append(words, floatNode(g, fmt.Sprintf("words %d", t), b.steps[t], graphTexts, e.words.Dim))
	}
	out, err := composeEncoder(e.cell, words, floatNode(g, "mean", b.mean, graphTexts, key.steps), params)
	if err != nil {
		return nil, err
	}
	if !key.learnt {
		b.value, err = graphs.NewEvaluator(out)
	} else {
		b.grad = make([]float32, graphTexts*e.dim)
		b.program, err = compileProduct(out, floatNode(g, "gradient", b.grad, graphTexts, e.dim), params)
	}
	if err != nil {
		return nil, err
	}
	e.buckets[key] = b
	return b, nil
}

// compileProduct compiles the sum of x∘y, whose gradients by params are those of a loss with dL/dx = y.
func compileProduct(x, y *G.Node, params []*G.Node) (*graphs.Program, error) {
	product, err := G.HadamardProd(x, y)
	if err != nil {
		return nil, err
	}
	loss, err := op.Total(product)
	if err != nil {
		return nil, err
	}
	return graphs.Compile(loss, params...)
}

// each binds the texts to graphs, chunk by chunk, and calls do with the graph and the places of the chunk's texts.
func (p *composedPass) each(learnt bool, do func(b *bucketGraph, chunk []int) error) error {
	longest := 0
	for _, text := range p.texts {
		longest = max(longest, len(text))
	}
	for lo, hi := -1, 1; lo < longest; lo, hi = hi, hi*2 {
		var members []int // of lengths lo+1 to hi
		for i, text := range p.texts {
			if len(text) > lo && len(text) <= hi {
				members = append(members, i)
			}
		}
		for chunk := range slices.Chunk(members, graphTexts) {
			b, err := p.e.bucket(bucketKey{min(hi, p.e.length), learnt})
			if err != nil {
				return err
			}
			texts := make([][]int32, len(chunk))
			for r, i := range chunk {
				texts[r] = p.texts[i]
			}
			b.bind(texts)
			if err := do(b, chunk); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *composedPass) forward(texts [][]int32, out []float32) error {
	p.texts, p.tokens = p.texts[:0], p.tokens[:0]
	if err := checkTexts(texts, p.e.words); err != nil {
		return err
	}
	for _, text := range texts {
		p.tokens = append(p.tokens, text...)
	}
	at := 0
	for _, text := range texts {
		p.texts = append(p.texts, p.tokens[at:at+len(text)])
		at += len(text)
	}
	d := p.e.dim
	return p.each(false, func(b *bucketGraph, chunk []int) error {
		x, err := b.value.Run()
		for r, i := range chunk {
			if err == nil {
				copy(out[i*d:(i+1)*d], x[r*d:])
			}
		}
		return err
	})
}

func (p *composedPass) backward(grad []float32, dst [][]float32) error {
	d := p.e.dim
	for _, g := range dst {
		clear(g)
	}
	return p.each(true, func(b *bucketGraph, chunk []int) error {
		clear(b.grad)
		for r, i := range chunk {
			copy(b.grad[r*d:(r+1)*d], grad[i*d:])
		}
		if _, err := b.program.Run(); err != nil {
			return err
		}
		for i, g := range dst {
			kernel.Axpy(g, b.program.Gradient(i), 1)
		}
		return nil
	})
}
