package hetnet

import (
	"slices"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/walks"
)

// contents are the vertices of a table whose vectors encoders make of what is known of them, such as papers of their texts. A step
// encodes those that its batches use, lets the loss see their vectors, and takes the gradients of these back to the encoders'
// weights.
type contents struct {
	dim     int
	first   int // of all vertices with contents; what comes before has vectors of its own
	parts   []content
	threads int

	used    []int32   // vertices that the step uses, ascending
	vectors []float32 // (U,D)
	grad    []float32 // (U,D) dL/d vector
}

// content is the vertices of one type.
type content struct {
	encoder  contentEncoder
	first, n int // vertices first to first+n-1
	used     int // of them, by the step
}

// contentEncoder makes vectors of the contents of a type of vertices.
type contentEncoder interface {
	// Of returns the vectors (B,D) of some vertices, places in their type, valid until the next call.
	Of(vertices []int32) ([]float32, error)
	// Backward computes the gradients by the weights, given that by the vectors of the last Of (B,D).
	Backward(grad []float32) error
	Parameters() []*engine.Table
	Gradients() [][]float32 // of the last Backward, beside Parameters
}

// textContent is the encoder of texts with the texts of a type's vertices.
type textContent struct {
	*encode.Encoder
	texts [][]int32
	batch [][]int32

	x    []float32 // (N,W): what the encoder mean is a layer over; nil before vectors, and for others
	rows []float32 // of a batch
}

// vectors returns what the encoder mean is a layer over, of all texts.
func (t *textContent) vectors() []float32 {
	if t.x == nil {
		t.x = t.Vectors(t.texts)
	}
	return t.x
}

func (t *textContent) Of(vertices []int32) ([]float32, error) {
	if means := t.Means(); means != nil {
		t.rows = encode.Gathered(t.rows, t.vectors(), vertices, means.Dim())
		return t.ForwardVectors(t.rows)
	}
	t.batch = t.batch[:0]
	for _, v := range vertices {
		t.batch = append(t.batch, t.texts[v])
	}
	return t.Forward(t.batch)
}

// newContents returns the contents of a layout's vertices, with the encoders of their types.
func newContents(n *typed.Network, l typed.Layout, encoders map[int]contentEncoder, dim, threads int) *contents {
	c := &contents{dim: dim, first: l.FreeVertices(), threads: threads}
	for i, t := range l.Types[l.Free:] {
		at := l.Start[l.Free+i:]
		c.parts = append(c.parts, content{encoder: encoders[t], first: int(at[0]), n: int(at[1] - at[0])})
	}
	return c
}

// encode returns the vectors (U,D) of the vertices with contents that some batches use.
func (c *contents) encode(batches ...*walks.Batch) ([]float32, error) {
	c.used, c.vectors = c.used[:0], c.vectors[:0]
	var places []int32
	for i := range c.parts {
		p := &c.parts[i]
		places = places[:0]
		for k := range p.n {
			if v := p.first + k; slices.ContainsFunc(batches, func(b *walks.Batch) bool { return uses(b, v) }) {
				c.used, places = append(c.used, int32(p.first+k)), append(places, int32(k))
			}
		}
		p.used = len(places)
		vectors, err := p.encoder.Of(places)
		if err != nil {
			return nil, err
		}
		if len(c.parts) == 1 {
			return vectors, nil
		}
		c.vectors = append(c.vectors, vectors...)
	}
	return c.vectors, nil
}

// backward takes the gradient (U,D) of the used vectors back to the encoders.
func (c *contents) backward(grad []float32) error {
	for i := range c.parts {
		p := &c.parts[i]
		n := p.used * c.dim
		if err := p.encoder.Backward(grad[:n]); err != nil {
			return err
		}
		grad = grad[n:]
	}
	for i := range c.parts {
		if made, ok := c.parts[i].encoder.(*madeRows); ok {
			if err := made.join(); err != nil {
				return err
			}
		}
	}
	return nil
}

// put writes the vectors of the used vertices to their rows of a table.
func (c *contents) put(table *engine.Table, vectors []float32) {
	d := table.Width()
	for i, v := range c.used {
		copy(table.Row(int(v)), vectors[i*d:][:d])
	}
}

// uses says whether a vertex is in a batch.
func uses(b *walks.Batch, v int) bool {
	i := &b.Index
	return i.Start[v] < i.Start[v+1] || i.CenterStart[v] < i.CenterStart[v+1]
}

// gradient returns dL/d vector (U,D) of the used vertices: add adds what the loss says of the i-th of them, vertex v, to g.
func (c *contents) gradient(d int, add func(g []float32, i, v int)) []float32 {
	n := len(c.used)
	c.grad = encode.Grown(c.grad, n*d)
	clear(c.grad)
	encode.EachRow(c.threads, n, func(i int) { add(c.grad[i*d:][:d], i, int(c.used[i])) })
	return c.grad
}

// move moves the encoders' weights, whose squares the loss has decay times, and returns that term.
func (c *contents) move(o *engine.Optimizer, decay float64) (penalty float64) {
	for _, p := range c.parts {
		gradients := p.encoder.Gradients()
		for i, t := range p.encoder.Parameters() {
			penalty += o.MoveWhole(t, decay, gradients[i])
		}
	}
	return penalty
}
