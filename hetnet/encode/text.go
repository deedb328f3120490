package encode

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/gru"
)

// Encoder turns the text of a paper into a vector. A paper without words has a vector of zeros. The words' vectors are not learnt.
//
//	gru   a gated recurrent unit goes over the vectors of the text's words, and the mean of its states is the paper's vector
//	mean  f = W x, with x that of TextMeans
//
// Source: of gru Zhang et al., WWW 2018 (Camel), section 3.1; the cells are those of gru.Cells. Differs: texts are not padded, so
// that the state ends with the text and the mean is over its own words; the authors' TensorFlow code goes on over zeros up to
// 100 words, their later PyTorch code does as we do. Of mean Iyyer et al., ACL 2015, "Deep unordered composition rivals syntactic
// methods". Differs: one layer, and words that few texts have count more.
type Encoder struct {
	words   *Words
	means   *TextMeans // nil but for mean
	dim     int
	length  int // of a text, at most
	cell    gru.Cell
	threads int

	tables []*engine.Table
	grads  [][]float32 // beside tables
	pass   encoderPass
	out    []float32
	bound  int // texts of the last Forward that Backward has not seen; -1 for none
}

// encoderPass computes the vectors of texts and then the gradients of the weights.
type encoderPass interface {
	forward(texts [][]int32, out []float32) error
	backward(grad []float32, dst [][]float32) error
}

// TextOptions say how texts are encoded.
type TextOptions struct {
	Dim    int    // numbers of a vector, >= 1
	Mean   bool   // not a recurrent unit
	Cell   string // of the unit, as gru.FindCell has it
	Length int    // words of a text that are read, >= 1
	Seed   uint64
}

// NewEncoder returns an encoder with random weights, uniform in ±1/√dim. With the cell reset-before the biases of the gates are 1 and those
// of the candidate 0, as in TensorFlow. It returns an error for words without vectors, and an unknown cell.
func NewEncoder(words *Words, o TextOptions, threads int) (*Encoder, error) {
	if words == nil || words.Dim < 1 || len(words.Vectors)%words.Dim != 0 {
		return nil, errors.New("encode: encoder without vectors of words: expected (V,Dim)")
	}
	e := &Encoder{words: words, dim: o.Dim, length: o.Length, threads: threads, bound: -1}
	dim := o.Dim
	var err error
	if o.Mean {
		e.means = NewTextMeans(words, threads)
		e.tables = []*engine.Table{engine.NewTable("weight_mean", dim, words.Dim)}
	} else {
		if e.cell, err = gru.FindCell(o.Cell); err != nil {
			return nil, fmt.Errorf("encode: %w", err)
		}
		e.tables = []*engine.Table{
			engine.NewTable("weight_ih", 3*dim, words.Dim), engine.NewTable("weight_hh", 3*dim, dim),
			engine.NewTable("bias_ih", 3*dim), engine.NewTable("bias_hh", 3*dim),
		}
	}
	for _, t := range e.tables {
		t.InitUniform(o.Seed, 1/math.Sqrt(float64(dim)))
	}
	if !o.Mean && e.cell == gru.ResetBefore {
		e.tables = e.tables[:3]
		bias := e.tables[2].X
		clear(bias)
		for i := range 2 * dim {
			bias[i] = 1
		}
	}
	for _, t := range e.tables {
		e.grads = append(e.grads, make([]float32, len(t.X)))
	}
	e.pass, err = e.newPass(threads)
	return e, err
}

// newPass returns what computes the vectors outside of a graph.
func (e *Encoder) newPass(threads int) (encoderPass, error) {
	if e.means != nil {
		return &meanPass{e: e, linear: NewLinear(e.tables[0]), threads: threads}, nil
	}
	return e.newGRU(threads)
}

// Parameters returns what is learnt: weight_ih (3D,W), weight_hh (3D,D), bias_ih (3D), and with the cell reset-after bias_hh (3D);
// the rows are those of the reset gate, the update gate and the candidate. Of the encoder mean it is weight_mean (D,W).
func (e *Encoder) Parameters() []*engine.Table { return e.tables }

// Means returns what the encoder mean is a layer over; nil for others.
func (e *Encoder) Means() *TextMeans { return e.means }

// Kept returns what vectors depend on: Parameters and, of mean, the weights of words.
func (e *Encoder) Kept() []*engine.Table {
	if e.means == nil {
		return e.tables
	}
	return append([]*engine.Table{e.means.weights}, e.tables...)
}

// Gradients returns the gradients of the last Backward, beside Parameters; the next one overwrites them.
func (e *Encoder) Gradients() [][]float32 { return e.grads }

// Dim returns D, how many numbers a vector has.
func (e *Encoder) Dim() int { return e.dim }

// Forward returns the vectors (B,D) of texts, given as places in the vocabulary; of a text longer than o.TextLength the rest is
// not read. They are valid until the next Forward. It returns an error for a word that is not there.
func (e *Encoder) Forward(texts [][]int32) ([]float32, error) {
	e.bound = -1
	e.out = Grown(e.out, len(texts)*e.dim)
	if err := e.pass.forward(e.shortened(texts), e.out); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	e.bound = len(texts)
	return e.out, nil
}

// Vectors returns what the encoder mean is a layer over (B,W), of texts that it will read again and again. No other encoder has them.
func (e *Encoder) Vectors(texts [][]int32) []float32 {
	x := make([]float32, len(texts)*e.words.Dim)
	e.means.ofAll(x, e.shortened(texts), e.threads)
	return x
}

// ForwardVectors is Forward of texts whose Vectors are x (B,W).
func (e *Encoder) ForwardVectors(x []float32) ([]float32, error) {
	n := len(x) / e.words.Dim
	e.bound, e.out = n, Grown(e.out, n*e.dim)
	return e.out, e.pass.(*meanPass).linear.Forward(x, e.out)
}

// Backward computes the gradients of a loss by the weights, given its gradient by the vectors of the last Forward, grad (B,D).
// It may be called once after each Forward, and returns an error otherwise, or if grad has another size.
func (e *Encoder) Backward(grad []float32) error {
	if e.bound < 0 {
		return errors.New("encode: encoder: Backward without Forward: expected one before each")
	}
	if len(grad) != e.bound*e.dim {
		return fmt.Errorf("encode: encoder: gradient of %d numbers: expected (%d,%d)", len(grad), e.bound, e.dim)
	}
	e.bound = -1
	if err := e.pass.backward(grad, e.grads); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	return nil
}

// WordsAtOnce is how many words Encode works on at a time, or a few more, which bounds its memory.
const WordsAtOnce = 1 << 15

// Encode returns the vectors (B,D) of texts as Forward does, but leaves Forward's and Backward's state alone. It uses up to
// threads goroutines, whose number does not change the result, and ends early with ctx's error when ctx is cancelled.
func (e *Encoder) Encode(ctx context.Context, texts [][]int32, threads int) ([]float32, error) {
	pass, err := e.newPass(threads)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(texts)*e.dim)
	for lo, hi := 0, 0; lo < len(texts); lo = hi {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for tokens := 0; hi < len(texts) && tokens < WordsAtOnce; hi++ {
			tokens += min(len(texts[hi]), e.length)
		}
		if err := pass.forward(e.shortened(texts[lo:hi]), out[lo*e.dim:hi*e.dim]); err != nil {
			return nil, fmt.Errorf("encode: texts from %d: %w", lo, err)
		}
	}
	return out, nil
}

// CheckTexts returns an error for a word that is not there.
func CheckTexts(texts [][]int32, words *Words) error {
	vocabulary := len(words.Vectors) / words.Dim
	for i, text := range texts {
		for _, w := range text {
			if w < 0 || int(w) >= vocabulary {
				return fmt.Errorf("text %d has word %d: expected 0 to %d", i, w, vocabulary-1)
			}
		}
	}
	return nil
}

// shortened returns texts cut to what is read of them.
func (e *Encoder) shortened(texts [][]int32) [][]int32 {
	short := make([][]int32, len(texts))
	for i, t := range texts {
		short[i] = t[:min(len(t), e.length)]
	}
	return short
}
