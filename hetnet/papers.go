package hetnet

import (
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/walks"
)

// papers are the vertices of a table whose vectors an encoder makes of their texts. A step encodes those that its batches
// use, lets the loss see their vectors, and takes the gradients of these back to the encoder's weights.
type papers struct {
	encoder *Encoder
	first   int       // vertex of the first paper
	texts   [][]int32 // of each paper
	threads int

	used  []int32   // vertices of the papers that the step uses, ascending
	batch [][]int32 // their texts
	grad  []float32 // (U,D) dL/d vector
}

func newPapers(b *Bibliography, e *Encoder, first, threads int) *papers {
	p := &papers{encoder: e, first: first, threads: threads}
	for _, i := range b.Train {
		p.texts = append(p.texts, b.Papers[i].Tokens)
	}
	return p
}

// encode returns the vectors (U,D) of the papers that some batches use.
func (p *papers) encode(batches ...*walks.Batch) ([]float32, error) {
	p.used, p.batch = p.used[:0], p.batch[:0]
	for i, text := range p.texts {
		if v := p.first + i; slices.ContainsFunc(batches, func(b *walks.Batch) bool { return uses(b, v) }) {
			p.used = append(p.used, int32(v))
			p.batch = append(p.batch, text)
		}
	}
	return p.encoder.Forward(p.batch)
}

// put writes the vectors of the used papers to their rows of a table.
func (p *papers) put(table *graphs.Table, vectors []float32) {
	d := table.Width()
	for i, v := range p.used {
		copy(table.Row(int(v)), vectors[i*d:][:d])
	}
}

// uses says whether a vertex is in a batch.
func uses(b *walks.Batch, v int) bool {
	i := &b.Index
	return i.Start[v] < i.Start[v+1] || i.CenterStart[v] < i.CenterStart[v+1]
}

// gradient returns dL/d vector (U,D) of the used papers: add adds what the loss says of the i-th of them, vertex v, to g.
func (p *papers) gradient(d int, add func(g []float32, i, v int)) []float32 {
	n := len(p.used)
	p.grad = slices.Grow(p.grad[:0], n*d)[:n*d]
	clear(p.grad)
	eachRow(p.threads, n, func(i int) { add(p.grad[i*d:][:d], i, int(p.used[i])) })
	return p.grad
}

// eachRow calls do for each of n rows, several at a time.
func eachRow(threads, n int, do func(i int)) {
	const block = 64
	par.Blocks(threads, (n+block-1)/block, func(_, b int) {
		for i := b * block; i < min((b+1)*block, n); i++ {
			do(i)
		}
	})
}

// move moves the encoder's weights, whose squares the loss has decay times, and returns that term.
func (p *papers) move(o *graphs.Optimizer, decay float64) (penalty float64) {
	gradients := p.encoder.Gradients()
	for i, t := range p.encoder.Parameters() {
		penalty += o.MoveWhole(t, decay, gradients[i])
	}
	return penalty
}

// decayed adds the gradient of decay times the sum of x's squares to g, and returns that term.
func decayed(g, x []float32, decay float64) (penalty float64) {
	if decay == 0 {
		return 0
	}
	kernel.Axpy(g, x, float32(2*decay))
	return decay * float64(kernel.Dot(x, x))
}
