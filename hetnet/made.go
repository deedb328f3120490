package hetnet

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/seq"
	"gonum.org/v1/gonum/mat"
)

// made are authors who have no vectors of their own: an author is what the encoder mean makes of their papers together,
//
//	f(a) = W x_a,   x_a = the unit vector of Σ_q x_q   over a's papers q
//
// and, beside a paper that they wrote, of their other papers: so nothing is learnt of authors that holds only for papers that are known. W is
// the encoder's, and x_q the vector of encode.TextMeans of a paper's text; by f(q) = W x_q, f(a) is along the sum of the papers' own.
//
// Source: ours. Classes as means of their examples are those of prototypical networks (Snell et al., NIPS 2017).
type made struct {
	b     *typed.Authorship
	text  *textContent // of papers
	dim   int          // W
	sums  []float32    // (A,W): of authors
	whole *madeRows    // x_a (A,W)
}

// newMade returns the authors of a network's papers. It sets the encoder's weights to the principal axes of papers, by which they are told apart as well as
// by so many numbers they can be.
func newMade(b *typed.Authorship, text *textContent, threads int) (*made, error) {
	x, w, n := text.vectors(), text.Means().Dim(), len(b.PapersOf)
	m := &made{b: b, text: text, dim: w, sums: make([]float32, n*w), whole: newMadeRows(make([]float32, n*w), text.Encoder)}
	encode.EachRow(threads, n, func(a int) {
		for _, p := range b.PapersOf[a] {
			kernel.Axpy(m.sums[a*w:][:w], x[int(p)*w:][:w], 1)
		}
		m.without(m.whole.x[a*w:][:w], int32(a), nil)
	})
	if len(x) == 0 { // of a model that is loaded
		return m, nil
	}
	return m, principalAxes(text.Parameters()[0], x)
}

// conclude sets a table (A,D) to the vectors of authors by the encoder as it is; nil for none are made.
func (m *made) conclude(authors *engine.Table) error {
	if m == nil {
		return nil
	}
	x, err := m.whole.Of(seq.Upto(int32(authors.Rows)))
	copy(authors.X, x)
	return err
}

// without sets dst (W) to x_a of an author without some of their papers; zeros where there are no others.
func (m *made) without(dst []float32, a int32, papers []int32) {
	if len(papers) >= len(m.b.PapersOf[a]) {
		clear(dst)
		return
	}
	copy(dst, m.sums[int(a)*m.dim:][:m.dim])
	for _, p := range papers {
		kernel.Axpy(dst, m.text.vectors()[int(p)*m.dim:][:m.dim], -1)
	}
	encode.ToUnit(dst)
}

// wrote adds to list those of some papers that an author wrote, each once.
func (m *made) wrote(list []int32, a int32, papers []int32) []int32 {
	for _, p := range papers {
		if slices.Contains(m.b.AuthorsOf[p], a) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// madeRows are the vectors of made authors in a step: rows (N,W) that W, the encoder's, makes vectors of.
type madeRows struct {
	x       []float32
	encoder *encode.Encoder
	linear  *encode.Linear

	chosen []float32 // (B,W)
	out    []float32
	grad   []float32
}

func newMadeRows(x []float32, e *encode.Encoder) *madeRows {
	return &madeRows{x: x, encoder: e, linear: encode.NewLinear(e.Parameters()[0])}
}

// Of implements contentEncoder.
func (r *madeRows) Of(rows []int32) ([]float32, error) {
	w, d := r.encoder.Means().Dim(), r.encoder.Dim()
	r.chosen = encode.Gathered(r.chosen, r.x, rows, w)
	r.out = encode.Grown(r.out, len(rows)*d)
	return r.out, r.linear.Forward(r.chosen, r.out)
}

// Backward keeps the gradient until the encoder has that of papers, which it is added to by join.
func (r *madeRows) Backward(grad []float32) error {
	r.grad = grad
	return nil
}

func (r *madeRows) join() error { return r.linear.Backward(r.grad, r.encoder.Gradients()[0]) }

func (r *madeRows) Parameters() []*engine.Table { return nil } // they are the encoder's
func (r *madeRows) Gradients() [][]float32      { return nil }

// axisTexts is how many texts principal axes are of, at most.
const axisTexts = 1 << 16

// principalAxes sets the rows of a matrix (D,W) to the axes along which vectors x (B,W) extend most, from the origin, the longest first; each points
// to where its largest number is positive. Of many vectors, it takes some that are evenly spaced.
func principalAxes(matrix *engine.Table, x []float32) error {
	w := matrix.Width()
	n := len(x) / w
	every := (n + axisTexts - 1) / axisTexts
	products := mat.NewSymDense(w, nil)
	row := make([]float64, w)
	for i := 0; i < n; i += every {
		for j := range row {
			row[j] = float64(x[i*w+j])
		}
		products.SymRankOne(products, 1, mat.NewVecDense(w, row))
	}
	var axes [][]float64
	if extent := mat.Trace(products); extent-extent == 0 { // finite
		axes, _ = eval.Axes(products)
	}
	if axes == nil {
		return fmt.Errorf("hetnet: the principal axes of %d texts cannot be computed: expected word vectors of finite numbers", n)
	}
	for d := range min(matrix.Rows, w) {
		for j, x := range axes[d] {
			matrix.Row(d)[j] = float32(x)
		}
	}
	return nil
}
