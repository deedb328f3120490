package hetnet

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/layers"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

const (
	graphSteps = 32 // words of a text that engine graph takes: compiling takes the square of the steps
	graphTexts = 32 // in a graph of composedPass
)

// composedPass is the encoder composed of layers: a graph for each bucket of lengths, 1, 2, 4 words and so on, through which texts go
// in chunks.
type composedPass struct {
	e       *Encoder
	buckets map[int]*bucketGraph // by steps
	texts   [][]int32            // of the last forward
	tokens  []int32
}

type bucketGraph struct {
	*stepInputs
	program *graphs.Program
	value   G.Value   // of the vectors
	grad    []float32 // (graphTexts,D)
}

// stepInputs is the memory of what a composed encoder reads.
type stepInputs struct {
	words *Words
	steps [][]float32 // T of (B,W): the words' vectors
	mean  []float32   // (B,T): weights of the states
}

// compose adds the encoder to a graph: rows texts of at most steps words -> (rows,D).
func (e *Encoder) compose(g *G.ExprGraph, params []*G.Node, rows, steps int) (out *G.Node, in *stepInputs, err error) {
	if rows < 1 {
		return nil, nil, fmt.Errorf("batch of %d texts: want at least 1", rows)
	}
	cell, err := layers.FindGRUCell(e.cell)
	if err != nil {
		return nil, nil, err
	}
	in = &stepInputs{words: e.words, mean: make([]float32, rows*steps)}
	input := func(name string, x []float32, columns int) *G.Node {
		return G.NewMatrix(g, tensor.Float32, G.WithName(name), G.WithShape(rows, columns),
			G.WithValue(tensor.New(tensor.WithShape(rows, columns), tensor.WithBacking(x))))
	}
	var xs []*G.Node
	for t := range steps {
		in.steps = append(in.steps, make([]float32, rows*e.words.Dim))
		xs = append(xs, input(fmt.Sprintf("words %d", t), in.steps[t], e.words.Dim))
	}
	w := layers.GRUWeights{IH: params[0], HH: params[1], BiasIH: params[2]}
	if len(params) > 3 {
		w.BiasHH = params[3]
	}
	states, err := layers.GRU(cell, xs, w)
	if err != nil {
		return nil, nil, err
	}
	out, err = layers.MeanSteps(states, input("mean", in.mean, steps))
	return out, in, err
}

// bind reads texts, at most as many as there are rows; after an error, and where there are fewer, rows are empty.
func (in *stepInputs) bind(texts [][]int32) error {
	clear(in.mean)
	steps, width := len(in.steps), in.words.Dim
	rows := len(in.mean) / steps
	if len(texts) > rows {
		return fmt.Errorf("%d texts: want at most %d", len(texts), rows)
	}
	if err := checkTexts(texts, in.words, steps); err != nil {
		return err
	}
	for t, x := range in.steps {
		clear(x)
		for b, text := range texts {
			if t < len(text) {
				copy(x[b*width:(b+1)*width], in.words.Vectors[int(text[t])*width:])
				in.mean[b*steps+t] = 1 / float32(len(text))
			}
		}
	}
	return nil
}

// checkTexts returns an error for a word that is not there, or more than steps words.
func checkTexts(texts [][]int32, words *Words, steps int) error {
	vocabulary := len(words.Vectors) / words.Dim
	for i, text := range texts {
		if len(text) > steps {
			return fmt.Errorf("text %d has %d words: want at most %d with engine graph; engine fused takes any", i, len(text), steps)
		}
		for _, w := range text {
			if w < 0 || int(w) >= vocabulary {
				return fmt.Errorf("text %d has word %d: want 0 to %d", i, w, vocabulary-1)
			}
		}
	}
	return nil
}

// bucket returns the graph for texts of a length, made when it is first needed.
func (p *composedPass) bucket(length int) (*bucketGraph, error) {
	steps := 1
	for steps < length {
		steps *= 2
	}
	if b := p.buckets[steps]; b != nil {
		return b, nil
	}
	g := G.NewGraph()
	var params []*G.Node
	for _, t := range p.e.tables {
		params = append(params, t.Node(g, tensor.Float32))
	}
	out, in, err := p.e.compose(g, params, graphTexts, steps)
	if err != nil {
		return nil, err
	}
	b := &bucketGraph{stepInputs: in, grad: make([]float32, graphTexts*p.e.dim)}
	G.Read(out, &b.value)
	weights := G.NewMatrix(g, tensor.Float32, G.WithName("gradient"), G.WithShape(graphTexts, p.e.dim),
		G.WithValue(tensor.New(tensor.WithShape(graphTexts, p.e.dim), tensor.WithBacking(b.grad))))
	product, err := G.HadamardProd(out, weights)
	if err != nil {
		return nil, err
	}
	loss, err := op.Total(product)
	if err != nil {
		return nil, err
	}
	if b.program, err = graphs.Compile(loss, params...); err != nil {
		return nil, err
	}
	if p.buckets == nil {
		p.buckets = map[int]*bucketGraph{}
	}
	p.buckets[steps] = b
	return b, nil
}

// each runs the graphs over the texts: before a run set tells the gradient of a text, or is nil, and after it do gets the graph and the
// texts that went through.
func (p *composedPass) each(set func(grad []float32, text int), do func(b *bucketGraph, chunk []int)) error {
	for lo, hi := -1, 1; lo < graphSteps; lo, hi = hi, hi*2 {
		var members []int // of lengths lo+1 to hi
		for i, text := range p.texts {
			if len(text) > lo && len(text) <= hi {
				members = append(members, i)
			}
		}
		for first := 0; first < len(members); first += graphTexts {
			chunk := members[first:min(first+graphTexts, len(members))]
			b, err := p.bucket(hi)
			if err != nil {
				return err
			}
			texts := make([][]int32, len(chunk))
			clear(b.grad)
			for r, i := range chunk {
				texts[r] = p.texts[i]
				if set != nil {
					set(b.grad[r*p.e.dim:][:p.e.dim], i)
				}
			}
			if err := b.bind(texts); err != nil {
				return err
			}
			if _, err := b.program.Run(); err != nil {
				return err
			}
			do(b, chunk)
		}
	}
	return nil
}

func (p *composedPass) forward(texts [][]int32, out []float32) error {
	p.texts, p.tokens = p.texts[:0], p.tokens[:0]
	if err := checkTexts(texts, p.e.words, graphSteps); err != nil {
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
	return p.each(nil, func(b *bucketGraph, chunk []int) {
		x := b.value.Data().([]float32)
		for r, i := range chunk {
			copy(out[i*d:(i+1)*d], x[r*d:])
		}
	})
}

func (p *composedPass) backward(grad []float32, dst [][]float32) error {
	d := p.e.dim
	for _, g := range dst {
		clear(g)
	}
	return p.each(func(g []float32, i int) { copy(g, grad[i*d:]) }, func(b *bucketGraph, _ []int) {
		for i, g := range dst {
			kernel.Axpy(g, b.program.Gradient(i), 1)
		}
	})
}

// composedNode returns the encoder as part of a graph for texts of up to graphSteps words.
func (e *Encoder) composedNode(g *G.ExprGraph, params []*G.Node, batch int) (*G.Node, encoderNode, error) {
	out, in, err := e.compose(g, params, batch, min(e.length, graphSteps))
	if err != nil {
		return nil, nil, err
	}
	return out, in, nil
}
