package fused

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Cell is a variant of the gated recurrent unit; see layers.Cells, whose formulae these are.
type Cell int

// The reset gate is applied after the product with the hidden state, or before.
const (
	ResetAfter Cell = iota
	ResetBefore
)

// GRUWeights are the parameters of a GRU, or their gradients: IH (3D,W), HH (3D,D), BiasIH and BiasHH (3D), with the rows of
// the reset gate, the update gate and the candidate in this order. ResetBefore has no BiasHH.
type GRUWeights struct{ IH, HH, BiasIH, BiasHH []float32 }

// GRUConfig fixes the shape of a GRU.
type GRUConfig struct {
	Cell       Cell
	Words      []float32 // (V,Width): vectors of words, which are not learnt
	Width, Dim int       // W and D
	Threads    int
}

// GRU encodes texts: a gated recurrent unit goes over the vectors of their words, from a state of zeros, and the mean of its
// states is the vector of the text. An empty text has a vector of zeros.
//
// Texts are sorted by length, so that no step is wasted. What depends on the word alone, the input side of the gates, is
// computed once for each distinct word of the batch, and its gradient likewise once for the sum over the word's tokens. The
// recurrence goes over blocks of texts in parallel. Sums over blocks and tokens have a fixed order: the same bits whatever
// the number of threads. It is not safe for use by several goroutines; it uses GRUConfig.Threads of them itself.
type GRU struct {
	c     GRUConfig
	texts texts

	turned  []float32 // (D,3D): HH transposed, which steps multiply with as it lies; with ResetBefore (D,2D) and (D,D)
	vectors []float32 // (U,W): of the distinct words
	input   []float32 // (U,3D): the input side of their gates, with biases
	gates   []float32 // (tokens,4D): see grusteps.go; Backward turns them into their gradients
	states  []float32 // (tokens,D): the state before each token
	work    []gruScratch

	hidden []float32 // (groups,3D,D): gradients of HH by group of blocks
	byWord []float32 // (U,4D): gradients of the gates by word
	sums   []float32 // (64,4D): of byWord over blocks of words
}

const (
	blockTexts = 64 // in a block: enough for a step to be a matrix product, few enough that its state stays in cache
	gruGroups  = 32 // of blocks, at most: each has a gradient of HH of its own
	wordBlocks = 64 // of words, at most
	ahead      = 2  // tokens, by which their gates are asked for
)

// gruScratch is a worker's memory: rows (blockTexts,D).
type gruScratch struct {
	state, reset []float32
	_            par.Pad
}

// NewGRU returns an encoder for a configuration. It returns an error for a width or dimension below 1, words that are no multiple
// of the width, or an unknown cell.
func NewGRU(c GRUConfig) (*GRU, error) {
	if c.Width < 1 || c.Dim < 1 {
		return nil, fmt.Errorf("fused: GRU of %d numbers over words of %d: want at least 1 of each", c.Dim, c.Width)
	}
	if len(c.Words)%c.Width != 0 {
		return nil, fmt.Errorf("fused: GRU over %d numbers of words of %d: want a multiple", len(c.Words), c.Width)
	}
	if c.Cell != ResetAfter && c.Cell != ResetBefore {
		return nil, fmt.Errorf("fused: GRU with cell %d: want ResetAfter or ResetBefore", c.Cell)
	}
	g := &GRU{c: c, work: make([]gruScratch, max(c.Threads, 1))}
	for i := range g.work {
		g.work[i].state = make([]float32, blockTexts*c.Dim)
		g.work[i].reset = make([]float32, blockTexts*c.Dim)
	}
	return g, nil
}

// Bind sets the texts that the next passes are over: numbers of words, of any length. They are read now and not kept. After an
// error, for a word that is not there, no text is bound.
func (g *GRU) Bind(texts [][]int32) error {
	return g.texts.arrange(texts, len(g.c.Words)/g.c.Width, blockTexts)
}

// Forward sets out (B,D) to the texts' vectors.
func (g *GRU) Forward(w GRUWeights, out []float32) {
	g.enter(w)
	g.turn(w.HH)
	n, d := len(g.texts.word), g.c.Dim
	g.gates, g.states = grown(g.gates, n*4*d), grown(g.states, n*d)
	clear(out[:g.texts.count*d])
	par.Blocks(g.c.Threads, len(g.texts.blocks), func(worker, block int) {
		g.forward(&g.work[worker], &g.texts.blocks[block], w, out)
	})
}

// enter computes the input side of the gates of each distinct word. The biases of the hidden side go with it where they are
// added alike.
func (g *GRU) enter(w GRUWeights) {
	u, width, d := len(g.texts.words), g.c.Width, g.c.Dim
	g.vectors, g.input = grown(g.vectors, u*width), grown(g.input, u*3*d)
	const words = 64
	par.Blocks(g.c.Threads, (u+words-1)/words, func(_, block int) {
		for i := block * words; i < min((block+1)*words, u); i++ {
			copy(g.vectors[i*width:][:width], g.c.Words[int(g.texts.words[i])*width:])
			row := g.input[i*3*d:][:3*d]
			copy(row, w.BiasIH)
			if g.c.Cell == ResetAfter {
				kernel.Axpy(row, w.BiasHH[:2*d], 1)
			}
		}
	})
	kernel.Gemm(g.c.Threads, false, true, u, 3*d, width, g.vectors, width, w.IH, width, true, g.input, 3*d)
}

// turn transposes HH, so that no step has to.
func (g *GRU) turn(hh []float32) {
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

// Backward sets dst to the gradients of a loss, given its gradient by the vectors of the last Forward, grad (B,D), and the same
// weights. It uses up what Forward left: once for each Forward.
func (g *GRU) Backward(w GRUWeights, grad []float32, dst GRUWeights) {
	d := g.c.Dim
	blocks := len(g.texts.blocks)
	groups := min(blocks, gruGroups)
	size := 3 * d * d
	g.hidden = grown(g.hidden, groups*size)
	par.Blocks(g.c.Threads, groups, func(worker, group int) {
		sum := g.hidden[group*size:][:size]
		clear(sum)
		for b := group; b < blocks; b += groups {
			g.backward(&g.work[worker], &g.texts.blocks[b], w, grad, sum)
		}
	})
	clear(dst.HH[:size])
	for group := range groups {
		kernel.Axpy(dst.HH, g.hidden[group*size:][:size], 1)
	}
	g.leave(dst)
}

// leave adds up the gradients of the gates by word, and multiplies them with the words.
func (g *GRU) leave(dst GRUWeights) {
	u, width, d := len(g.texts.words), g.c.Width, g.c.Dim
	blocks := min(u, wordBlocks)
	g.byWord, g.sums = grown(g.byWord, u*4*d), grown(g.sums, blocks*4*d)
	par.Blocks(g.c.Threads, blocks, func(_, block int) {
		total := g.sums[block*4*d:][:4*d]
		clear(total)
		for i := block; i < u; i += blocks { // frequent words come first: deal them out
			sum := g.byWord[i*4*d:][:4*d]
			clear(sum)
			uses := g.texts.uses[g.texts.first[i]:g.texts.first[i+1]]
			for k, token := range uses {
				if k+ahead < len(uses) {
					memory.Prefetch(g.gates[int(uses[k+ahead])*4*d:][:4*d])
				}
				kernel.Axpy(sum, g.gates[int(token)*4*d:][:4*d], 1)
			}
			kernel.Axpy(total, sum, 1)
		}
	})
	clear(dst.BiasIH[:3*d])
	if g.c.Cell == ResetAfter {
		clear(dst.BiasHH[:3*d])
	}
	for block := range blocks {
		total := g.sums[block*4*d:][:4*d]
		kernel.Axpy(dst.BiasIH, total[:2*d], 1)
		kernel.Axpy(dst.BiasIH[2*d:], total[3*d:], 1)
		if g.c.Cell == ResetAfter {
			kernel.Axpy(dst.BiasHH, total[:3*d], 1)
		}
	}
	if u == 0 {
		clear(dst.IH[:3*d*width])
		return
	}
	kernel.Gemm(g.c.Threads, true, false, 2*d, width, u, g.byWord, 4*d, g.vectors, width, false, dst.IH, width)
	kernel.Gemm(g.c.Threads, true, false, d, width, u, g.byWord[3*d:], 4*d, g.vectors, width, false, dst.IH[2*d*width:], width)
}
