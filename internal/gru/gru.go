// Package gru is the gated recurrent unit as one op with a gradient of its own.
//
// Both users of a unit run it, the encoder of texts (Means) and layers.GRU (States), so that an edit here trains everywhere. A cell is
// two functions, a step and its gradient: kernel.GRUStep and kernel.GRUSlope of ResetAfter, which are also in assembly, and those of
// grusteps.go of ResetBefore. Whoever edits one edits its gradient with it: TestGradients compares the two by finite differences in float64, as `asp2vec check` does, and TestComposed compares values and
// gradients with cells that are composed of ops. Those are a test's, and train nothing.
package gru

import (
	"fmt"
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/layers/op"
)

// Cell is a variant of the unit. With x and h the input and the state, W, U, b and c the parts of IH, HH, BiasIH and BiasHH, and σ
// the logistic function, both have
//
//	h' = (1-z)∘n + z∘h
type Cell int

const (
	// ResetAfter applies the reset gate to the product with the state.
	//
	//	r = σ(W_r x + b_r + U_r h + c_r)    z = σ(W_z x + b_z + U_z h + c_z)
	//	n = tanh(W_n x + b_n + r∘(U_n h + c_n))
	//
	// Source: PyTorch, nn.GRU. Differs: none known.
	ResetAfter Cell = iota
	// ResetBefore applies the reset gate to the state before the product.
	//
	//	r = σ(W_r x + U_r h + b_r)    z = σ(W_z x + U_z h + b_z)
	//	n = tanh(W_n x + U_n (r∘h) + b_n)
	//
	// Source: Cho et al., EMNLP 2014, arXiv:1406.1078, Eqs. (5) to (8); TensorFlow 1, GRUCell. Differs: TensorFlow's products with x
	// and h are one, whose matrix is transposed.
	ResetBefore
)

// Cells are the variants by name.
var Cells = map[string]Cell{"reset-after": ResetAfter, "reset-before": ResetBefore}

// FindCell returns the cell of that name; the error for an unknown name lists the known ones.
func FindCell(name string) (Cell, error) {
	cell, known := Cells[name]
	if !known {
		return cell, unknown.Name{What: "gru: cell", Name: name, Known: slices.Sorted(maps.Keys(Cells))}
	}
	return cell, nil
}

// Weights are the parameters of a unit, or their gradients: IH (3D,W), HH (3D,D), BiasIH and BiasHH (3D), with the rows of the reset
// gate, the update gate and the candidate in this order. ResetBefore has no BiasHH.
type Weights[T op.Float] struct{ IH, HH, BiasIH, BiasHH []T }

// WeightsOf returns three or four slices, in this order, as Weights.
func WeightsOf[T op.Float](x [][]T) Weights[T] {
	w := Weights[T]{IH: x[0], HH: x[1], BiasIH: x[2]}
	if len(x) > 3 {
		w.BiasHH = x[3]
	}
	return w
}

// Config fixes the shape of a unit.
type Config[T op.Float] struct {
	Cell       Cell
	Words      []T // (V,Width): vectors of words
	Width, Dim int // W and D
	Threads    int
	States     bool // the result is every state, not their mean
}

// GRU goes over the vectors of the words of B texts, of up to S words, from a state of zeros. Its result is the mean of the states of
// each text (B,D), zeros for an empty one; or, with Config.States, the state after each word (S,B,D), zeros after the end.
//
// Texts are sorted by length, so that no step is wasted. What depends on the word alone, the input side of the gates, is
// computed once for each distinct word of the batch, and its gradient likewise once for the sum over the word's tokens. So is what
// depends on the first word of a text alone: the state after it and its product with HH. The recurrence goes over blocks of texts
// in parallel. Sums over blocks and tokens have a fixed order: the same bits whatever the number of threads. It is not safe for
// use by several goroutines; it uses Config.Threads of them itself.
type GRU[T op.Float] struct {
	c       Config[T]
	numeric op.Numeric[T]
	texts   texts

	turned  []T // (D,3D): HH transposed, which steps multiply with as it lies; with ResetBefore (D,2D) and (D,D)
	vectors []T // (U,W): of the distinct words
	input   []T // (U,3D): the input side of their gates, with biases
	gates   []T // (tokens,4D): see grusteps.go; Backward turns them into their gradients
	states  []T // (tokens,D): the state before each token
	begun   []T // (R,D): the state after each first token
	product []T // (R,3D): HH times begun, and then its gradient; of ResetAfter
	work    []scratch[T]

	hidden []T // (groups,3D,D): gradients of HH by group of blocks
	carry  []T // (rows,D): dL/dstate, by way of later steps
	roots  []T // (R,D): dL/d begun
	byWord []T // (U,4D): gradients of the gates by word
	sums   []T // (64,4D): of byWord over blocks of words
}

const (
	blockTexts = 48 // in a block: a multiple of the rows of a product's tile, few enough that a block's tokens stay in cache
	gruGroups  = 32 // of blocks, at most: each has a gradient of HH of its own
	wordBlocks = 64 // of words, at most
	rootBlock  = 64 // first tokens in a block
	ahead      = 2  // tokens, by which their gates are asked for
)

// scratch is a worker's memory.
type scratch[T op.Float] struct {
	state []T // (D)
	reset []T // (blockTexts,D)
	_     par.Pad
}

// New returns an encoder for a configuration. It returns an error for a width or dimension below 1, words that are no multiple
// of the width, or an unknown cell.
func New[T op.Float](c Config[T]) (*GRU[T], error) {
	if c.Width < 1 || c.Dim < 1 {
		return nil, fmt.Errorf("gru: unit of %d numbers over words of %d: expected at least 1 of each", c.Dim, c.Width)
	}
	if len(c.Words)%c.Width != 0 {
		return nil, fmt.Errorf("gru: unit over %d numbers of words of %d: expected a multiple", len(c.Words), c.Width)
	}
	if c.Cell != ResetAfter && c.Cell != ResetBefore {
		return nil, fmt.Errorf("gru: unit with cell %d: expected ResetAfter or ResetBefore", c.Cell)
	}
	g := &GRU[T]{c: c, numeric: op.NumericOf[T](), work: make([]scratch[T], max(c.Threads, 1))}
	for i := range g.work {
		g.work[i].state = make([]T, c.Dim)
		g.work[i].reset = make([]T, blockTexts*c.Dim)
	}
	return g, nil
}

// Bind sets the texts that the next passes are over: numbers of words, of any length. They are read now and not kept. After an
// error, for a word that is not there, no text is bound.
func (g *GRU[T]) Bind(texts [][]int32) error {
	return g.texts.arrange(texts, len(g.c.Words)/g.c.Width, blockTexts)
}

// Forward sets out to the result.
func (g *GRU[T]) Forward(w Weights[T], out []T) {
	g.enter(w)
	g.turn(w.HH)
	n, d := len(g.texts.word), g.c.Dim
	g.gates, g.states = grown(g.gates, n*4*d), grown(g.states, n*d)
	clear(out[:g.size()])
	g.begin(w)
	par.Blocks(g.c.Threads, len(g.texts.blocks), func(worker, block int) {
		g.forward(&g.work[worker], &g.texts.blocks[block], w, out)
	})
}

// size returns how many numbers the result has.
func (g *GRU[T]) size() int {
	if g.c.States {
		return g.texts.longest * g.texts.count * g.c.Dim
	}
	return g.texts.count * g.c.Dim
}

// place returns the part (D) of a result, or of its gradient, that the state after step t of a row goes into, and the state's weight in
// it.
func (g *GRU[T]) place(x []T, row, t int) ([]T, T) {
	text, share := int(g.texts.order[row]), T(1)
	if g.c.States {
		text += t * g.texts.count
	} else {
		share /= T(g.texts.length[row])
	}
	return x[text*g.c.Dim:][:g.c.Dim], share
}

// enter computes the input side of the gates of each distinct word. The biases of the hidden side go with it where they are
// added alike.
func (g *GRU[T]) enter(w Weights[T]) {
	u, width, d := len(g.texts.words), g.c.Width, g.c.Dim
	g.vectors, g.input = grown(g.vectors, u*width), grown(g.input, u*3*d)
	const words = 64
	par.Blocks(g.c.Threads, (u+words-1)/words, func(_, block int) {
		for i := block * words; i < min((block+1)*words, u); i++ {
			copy(g.vectors[i*width:][:width], g.c.Words[int(g.texts.words[i])*width:])
			row := g.input[i*3*d:][:3*d]
			copy(row, w.BiasIH)
			if g.c.Cell == ResetAfter {
				g.numeric.Axpy(row, w.BiasHH[:2*d], 1)
			}
		}
	})
	g.numeric.Gemm(g.c.Threads, false, true, u, 3*d, width, g.vectors, width, w.IH, width, true, g.input, 3*d)
}

// turn transposes HH, so that no step has to.
func (g *GRU[T]) turn(hh []T) {
	d := g.c.Dim
	g.turned = grown(g.turned, 3*d*d)
	parts := [][2]int{{0, 3 * d}}
	if g.c.Cell == ResetBefore {
		parts = [][2]int{{0, 2 * d}, {2 * d, 3 * d}}
	}
	for _, p := range parts {
		to, columns := g.turned[p[0]*d:], p[1]-p[0]
		for i := range columns {
			for j, x := range hh[(p[0]+i)*d:][:d] {
				to[j*columns+i] = x
			}
		}
	}
}

// Backward sets dst to the gradients of a loss, given its gradient by the result of the last Forward, grad, and the same weights. It uses up what Forward left: once for each Forward.
func (g *GRU[T]) Backward(w Weights[T], grad []T, dst Weights[T]) {
	d := g.c.Dim
	blocks := len(g.texts.blocks)
	groups := min(blocks, gruGroups)
	size := 3 * d * d
	g.hidden, g.carry = grown(g.hidden, groups*size), grown(g.carry, len(g.texts.order)*d)
	par.Blocks(g.c.Threads, groups, func(worker, group int) {
		sum := g.hidden[group*size:][:size]
		clear(sum)
		for b := group; b < blocks; b += groups {
			g.backward(&g.work[worker], &g.texts.blocks[b], w, grad, sum)
		}
	})
	clear(dst.HH[:size])
	for group := range groups {
		g.numeric.Axpy(dst.HH, g.hidden[group*size:][:size], 1)
	}
	g.end(w, grad, dst.HH)
	g.leave(dst)
}

// leave adds up the gradients of the gates by word, and multiplies them with the words.
func (g *GRU[T]) leave(dst Weights[T]) {
	u, width, d := len(g.texts.words), g.c.Width, g.c.Dim
	blocks := min(u, wordBlocks)
	g.byWord, g.sums = grown(g.byWord, u*4*d), grown(g.sums, blocks*4*d)
	par.Blocks(g.c.Threads, blocks, func(_, block int) {
		total := g.sums[block*4*d:][:4*d]
		clear(total)
		for i := block; i < u; i += blocks { // frequent words come first: deal them out
			sum := g.byWord[i*4*d:][:4*d]
			clear(sum)
			uses := g.texts.tokens.of(i)
			for k, token := range uses {
				if k+ahead < len(uses) {
					memory.Prefetch(g.gates[int(uses[k+ahead])*4*d:][:4*d])
				}
				g.numeric.Axpy(sum, g.gates[int(token)*4*d:][:4*d], 1)
			}
			g.numeric.Axpy(total, sum, 1)
		}
	})
	clear(dst.BiasIH[:3*d])
	if g.c.Cell == ResetAfter {
		clear(dst.BiasHH[:3*d])
	}
	for block := range blocks {
		total := g.sums[block*4*d:][:4*d]
		g.numeric.Axpy(dst.BiasIH, total[:2*d], 1)
		g.numeric.Axpy(dst.BiasIH[2*d:], total[3*d:], 1)
		if g.c.Cell == ResetAfter {
			g.numeric.Axpy(dst.BiasHH, total[:3*d], 1)
		}
	}
	if u == 0 {
		clear(dst.IH[:3*d*width])
		return
	}
	g.numeric.Gemm(g.c.Threads, true, false, 2*d, width, u, g.byWord, 4*d, g.vectors, width, false, dst.IH, width)
	g.numeric.Gemm(g.c.Threads, true, false, d, width, u, g.byWord[3*d:], 4*d, g.vectors, width, false, dst.IH[2*d*width:], width)
}

// words calls do with the gradient (W) of each word that the texts have, which Backward has not: it is wanted where words are learnt.
func (g *GRU[T]) words(w Weights[T], do func(word int, gradient []T)) {
	u, width, d := len(g.texts.words), g.c.Width, g.c.Dim
	if u == 0 {
		return
	}
	g.numeric.Gemm(g.c.Threads, false, false, u, width, 2*d, g.byWord, 4*d, w.IH, width, false, g.vectors, width) // which are used up
	g.numeric.Gemm(g.c.Threads, false, false, u, width, d, g.byWord[3*d:], 4*d, w.IH[2*d*width:], width, true, g.vectors, width)
	for i, word := range g.texts.words {
		do(int(word), g.vectors[i*width:][:width])
	}
}

// grown returns n words, in the memory of s if it fits, else in some with room for a batch that is larger by a little.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return memory.Zeros[T](n + n/16)[:n]
	}
	return s[:n]
}
