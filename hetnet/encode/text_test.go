package encode

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
)

// testWords returns the vectors of v words.
func testWords(v, dim int) *Words {
	s := rng.New(1, "words")
	w := &Words{Dim: dim, Vectors: make([]float32, v*dim)}
	for i := range w.Vectors {
		w.Vectors[i] = float32(s.Normal())
	}
	return w
}

// testTexts returns n texts of up to longest words.
func testTexts(n, longest, v int) [][]int32 {
	s := rng.New(1, "texts", uint64(n), uint64(longest))
	texts := make([][]int32, n)
	for i := range texts {
		for range s.Intn(longest + 1) {
			texts[i] = append(texts[i], int32(s.Intn(v)))
		}
	}
	return texts
}

// The cells of a recurrent unit, and no such unit.
const (
	resetAfter  = "reset-after"
	resetBefore = "reset-before"
	mean        = "mean"
)

// textOptions are those of texts of up to 100 words.
func textOptions(dim int, cell string) TextOptions {
	return TextOptions{Dim: dim, Mean: cell == mean, Cell: cell, Length: 100, Seed: 1}
}

// testEncoder returns an encoder with a cell, or mean.
func testEncoder(t *testing.T, words *Words, dim int, cell string, threads int) *Encoder {
	t.Helper()
	return call.Of(NewEncoder(words, textOptions(dim, cell), threads))(t)
}

// pass returns the vectors of texts and the gradients of Σ grad∘vectors, as float64.
func pass(t *testing.T, e *Encoder, texts [][]int32, grad []float32) (out []float64, grads [][]float64) {
	t.Helper()
	x := call.Of(e.Forward(texts))(t)
	out = wide(x)
	call.OK(t, e.Backward(grad))
	for _, g := range e.Gradients() {
		grads = append(grads, wide(g))
	}
	return out, grads
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

var encoders = []string{resetAfter, resetBefore, mean}

// TestEncoderIsDeterministic: any number of threads, the order of earlier batches, and another run give the same bits.
func TestEncoderIsDeterministic(t *testing.T) {
	words := testWords(300, 20)
	texts, other := testTexts(700, 20, 300), testTexts(100, 40, 300)
	const d = 13
	grad := testWords(len(texts), d).Vectors
	for _, cell := range encoders {
		var want []float64
		var wantGrads [][]float64
		for _, threads := range []int{1, 2, 5, 1} {
			e := testEncoder(t, words, d, cell, threads)
			for range 2 {
				got, grads := pass(t, e, texts, grad)
				if want == nil {
					want, wantGrads = got, grads
				}
				if !slices.Equal(got, want) || !slices.EqualFunc(grads, wantGrads, slices.Equal) {
					t.Fatalf("%s: %d threads: other bits", cell, threads)
				}
				pass(t, e, other, grad[:len(other)*d])
			}
			encoded := call.Of(e.Encode(context.Background(), texts, 3))(t)
			if !slices.Equal(wide(encoded), want) {
				t.Errorf("%s: Encode: other bits than Forward's", cell)
			}
		}
	}
}

// TestEncodeInChunks: more words than Encode takes at a time.
func TestEncodeInChunks(t *testing.T) {
	for _, cell := range []string{resetAfter, mean} {
		e := testEncoder(t, testWords(10, 2), 3, cell, 2)
		texts := testTexts(8000, 10, 10)
		got := call.Of(e.Encode(context.Background(), texts, 2))(t)
		want := call.Of(e.Forward(texts))(t)
		if err := gradcheck.Compare("vectors", wide(got), wide(want), 1e-6); err != nil {
			t.Error(err)
		}
	}
}

// TestMeanEncoder: what the formula gives, and the gradient of the weights by differences. A word without a vector adds nothing.
func TestMeanEncoder(t *testing.T) {
	words := &Words{Dim: 2, Vectors: []float32{3, 4, 0, 2, 0, 0}}
	e := testEncoder(t, words, 3, mean, 1)
	if len(e.Parameters()) != 1 {
		t.Fatalf("%d parameters: expected one", len(e.Parameters()))
	}
	w := e.Parameters()[0]
	copy(w.X, []float32{1, 2, 3, 4, 5, 6})
	copy(e.Means().weights.X, []float32{1, 2, 5})
	texts := [][]int32{{0}, {0, 1}, nil, {1, 2, 0, 1, 1}}
	// Of the vectors (.6,.8), (0,1) and (0,0): .6 of one and .8 + 2 of the other, and with the second word three times .8 + 2 (1 + log 3).
	most := .8 + 2*(1+math.Log(3))
	means := [][2]float64{{.6, .8}, {.6 / math.Hypot(.6, 2.8), 2.8 / math.Hypot(.6, 2.8)}, {}, {.6 / math.Hypot(.6, most), most / math.Hypot(.6, most)}}
	grad := []float32{1, -1, 2, .5, 3, 0, 7, 7, 7, -2, 1, .25}
	out, grads := pass(t, e, texts, grad)
	var want []float64
	dw := make([]float64, 6)
	for i, x := range means {
		for d := range 3 {
			want = append(want, float64(w.X[2*d])*x[0]+float64(w.X[2*d+1])*x[1])
			dw[2*d] += float64(grad[3*i+d]) * x[0]
			dw[2*d+1] += float64(grad[3*i+d]) * x[1]
		}
	}
	if err := gradcheck.Compare("vectors", out, want, 1e-6); err != nil {
		t.Error(err)
	}
	if err := gradcheck.Compare("gradient", grads[0], dw, 1e-6); err != nil {
		t.Error(err)
	}
	if words.Vectors[0] != 3 {
		t.Error("the caller's vectors have changed")
	}
	many := testTexts(2*TextsAtOnce+5, 6, 3) // chunks
	got := call.Of(e.Forward(many))(t)
	for i, text := range many {
		if len(text) == 1 && text[0] == 0 && math.Abs(float64(got[3*i])-2.2) > 1e-5 {
			t.Errorf("text %d is %v: expected 2.2 first", i, got[3*i])
		}
	}
}

// TestEncoderCutsTexts: words beyond the text length are not read.
func TestEncoderCutsTexts(t *testing.T) {
	o := textOptions(4, resetAfter)
	o.Length = 3
	e := call.Of(NewEncoder(testWords(10, 5), o, 1))(t)
	out := call.Of(e.Forward([][]int32{{1, 2, 3, 4, 5}, {1, 2, 3}}))(t)
	if !slices.Equal(out[:4], out[4:]) {
		t.Errorf("a text of five words %v, its first three %v", out[:4], out[4:])
	}
	encoded, err := e.Encode(context.Background(), [][]int32{{1, 2, 3, 4, 5}}, 1)
	if err != nil || !slices.Equal(encoded, out[:4]) {
		t.Errorf("encoded %v, %v: expected as Forward", encoded, err)
	}
}

// TestEncoderStart: weights lie within 1/√d, and with the TensorFlow cell gates are open at first.
func TestEncoderStart(t *testing.T) {
	after, before := testEncoder(t, testWords(3, 7), 25, resetAfter, 1), testEncoder(t, testWords(3, 7), 25, resetBefore, 1)
	var shapes []string
	for _, table := range after.Parameters() {
		shapes = append(shapes, fmt.Sprint(table.Name, table.Shape()))
		if lo, hi := slices.Min(table.X), slices.Max(table.X); lo < -.2 || hi > .2 || hi-lo < .3 {
			t.Errorf("%s is from %v to %v, expected most of ±.2", table.Name, lo, hi)
		}
	}
	if want := []string{"weight_ih(75, 7)", "weight_hh(75, 25)", "bias_ih(75)", "bias_hh(75)"}; !slices.Equal(shapes, want) {
		t.Errorf("parameters %v, expected %v", shapes, want)
	}
	if bias := before.Parameters()[2].X; len(before.Parameters()) != 3 || slices.Min(bias[:50]) != 1 || slices.Max(bias[50:]) != 0 {
		t.Errorf("%d parameters, biases %v: expected 3, and 1 for gates alone", len(before.Parameters()), bias)
	}
}
