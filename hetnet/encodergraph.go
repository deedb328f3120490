package hetnet

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
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

// bucketGraph is the graph of texts of up to so many words.
type bucketGraph struct {
	*stepInputs
	vectorGraph
}

// stepInputs is the memory of what a composed encoder reads of B texts of up to T words.
type stepInputs struct {
	words *Words
	steps [][]float32 // T of (B,W): the words' vectors
	mean  []float32   // (B,T): weights of the states
}

func newStepInputs(words *Words, texts, steps int) *stepInputs {
	in := &stepInputs{words: words, mean: make([]float32, texts*steps)}
	for range steps {
		in.steps = append(in.steps, make([]float32, texts*words.Dim))
	}
	return in
}

// nodes adds the inputs to a graph: T of (B,W), and (B,T).
func (in *stepInputs) nodes(g *G.ExprGraph, dt tensor.Dtype) (words []*G.Node, mean *G.Node) {
	texts := len(in.mean) / len(in.steps)
	for t, x := range in.steps {
		words = append(words, graphs.FloatNode(g, dt, fmt.Sprint("words ", t), x, texts, in.words.Dim))
	}
	return words, graphs.FloatNode(g, dt, "mean", in.mean, texts, len(in.steps))
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

// bucket returns the graph of texts of up to so many words, made when it is first needed.
func (e *Encoder) bucket(steps int) *bucketGraph {
	if b := e.buckets[steps]; b != nil {
		return b
	}
	in := newStepInputs(e.words, graphTexts, steps)
	b := &bucketGraph{in, newVectorGraph(graphTexts, e.dim, func(g *G.ExprGraph) (*G.Node, []*G.Node, error) {
		params := tableNodes(g, tensor.Float32, e.tables)
		words, mean := in.nodes(g, tensor.Float32)
		out, err := composeEncoder(e.cell, words, mean, params)
		return out, params, err
	})}
	e.buckets[steps] = b
	return b
}

// tableNodes adds tables to a graph.
func tableNodes(g *G.ExprGraph, dt tensor.Dtype, tables []*graphs.Table) (nodes []*G.Node) {
	for _, t := range tables {
		nodes = append(nodes, t.Node(g, dt))
	}
	return nodes
}

// each binds the texts to graphs, chunk by chunk, and calls do with the graph and the places of the chunk's texts.
func (p *composedPass) each(do func(b *bucketGraph, chunk []int) error) error {
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
			b := p.e.bucket(min(hi, p.e.length))
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
	return p.each(func(b *bucketGraph, chunk []int) error {
		x, err := b.vectors()
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
	return p.each(func(b *bucketGraph, chunk []int) error {
		clear(b.grad)
		for r, i := range chunk {
			copy(b.grad[r*d:(r+1)*d], grad[i*d:])
		}
		if err := b.gradients(); err != nil {
			return err
		}
		for i, g := range dst {
			kernel.Axpy(g, b.program.Gradient(i), 1)
		}
		return nil
	})
}
