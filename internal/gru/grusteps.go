package gru

import (
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/layers/op"
)

// The four vectors of a token in GRU.gates are, with ResetAfter, and after Backward their gradients before the nonlinearity,
//
//	r    z    W_hn h + b_hn    n
//
// so that the first three multiply HH and the hidden state, and r, z, n the input. With ResetBefore the third is r∘h, which
// stays.

// begin computes the states after the first tokens, and what HH makes of them where it is the same for all texts.
func (g *GRU[T]) begin(w Weights[T]) {
	d, roots := g.c.Dim, g.texts.roots
	g.begun = grown(g.begun, roots*d)
	par.Blocks(g.c.Threads, (roots+rootBlock-1)/rootBlock, func(worker, block int) {
		lo, hi := block*rootBlock, min((block+1)*rootBlock, roots)
		gates, states := g.gates[lo*4*d:hi*4*d], g.states[lo*d:hi*d]
		clear(gates)
		clear(states)
		clear(g.begun[lo*d : hi*d])
		if g.c.Cell == ResetBefore {
			g.gatesBefore(lo, hi-lo, 0, gates, states)
		}
		for k := lo; k < hi; k++ {
			g.advance(w, k, g.work[worker].state, g.begun[k*d:][:d])
		}
	})
	if g.c.Cell == ResetAfter {
		g.product = grown(g.product, roots*3*d)
		g.numeric.Gemm(g.c.Threads, false, false, roots, 3*d, d, g.begun, d, g.turned, 3*d, false, g.product, 3*d)
	}
}

// advance sets next to the state after a token, and adds it to sum.
func (g *GRU[T]) advance(w Weights[T], token int, next, sum []T) {
	d := g.c.Dim
	gates, state := g.gates[token*4*d:][:4*d], g.states[token*d:][:d]
	if g.c.Cell == ResetBefore {
		mix(next[:d], sum, gates, state)
		return
	}
	g.numeric.GRUStep(gates, g.input[int(g.texts.word[token])*3*d:][:3*d], w.BiasHH[2*d:], state, next, sum)
}

// forward runs the steps of a block after the first and adds its states to their places in out, which it then divides by the lengths where
// these are means.
func (g *GRU[T]) forward(s *scratch[T], b *textBlock, w Weights[T], out []T) {
	d := g.c.Dim
	for r := b.lo; r < b.hi; r++ {
		to, _ := g.place(out, r, 0)
		copy(to, g.begun[int(g.texts.root[r])*d:])
	}
	for t := 1; t < len(b.starts); t++ {
		first, n := b.step(t)
		gates, states := g.gates[first*4*d:][:n*4*d], g.states[first*d:][:n*d]
		following, next := 0, []T(nil)
		if t+1 < len(b.starts) {
			var at int
			at, following = b.step(t + 1)
			next = g.states[at*d:]
		}
		for r := 0; t == 1 && r < n; r++ {
			root := int(g.texts.root[b.lo+r])
			copy(states[r*d:][:d], g.begun[root*d:])
			if g.c.Cell == ResetAfter {
				copy(gates[r*4*d:][:3*d], g.product[root*3*d:])
			}
		}
		if g.c.Cell == ResetBefore {
			g.gatesBefore(first, n, t, gates, states)
		} else if t > 1 {
			g.numeric.Gemm(1, false, false, n, 3*d, d, states, d, g.turned, 3*d, false, gates, 4*d)
		}
		for r := range n {
			to := s.state // of a text that ends here
			if r < following {
				to = next[r*d:]
			}
			sum, _ := g.place(out, b.lo+r, t)
			g.advance(w, first+r, to, sum)
		}
	}
	for r := b.lo; r < b.hi && !g.c.States; r++ {
		row := out[int(g.texts.order[r])*d:][:d]
		length := T(g.texts.length[r])
		for i := range row {
			row[i] /= length
		}
	}
}

// gatesBefore computes the gates of step t.
func (g *GRU[T]) gatesBefore(first, n, t int, gates, states []T) {
	d := g.c.Dim
	for r := range n {
		row, in := gates[r*4*d:][:4*d], g.input[int(g.texts.word[first+r])*3*d:][:3*d]
		copy(row, in[:2*d])
		copy(row[3*d:], in[2*d:])
	}
	if t > 0 {
		g.numeric.Gemm(1, false, false, n, 2*d, d, states, d, g.turned, 2*d, true, gates, 4*d)
	}
	for r := range n {
		row := gates[r*4*d:][:4*d]
		g.numeric.Sigmoid(row, row[:2*d])
		reset, product := row[:d], row[2*d:][:d]
		for i, h := range states[r*d:][:d] {
			product[i] = reset[i] * h
		}
	}
	if t > 0 {
		g.numeric.Gemm(1, false, false, n, d, d, gates[2*d:], 4*d, g.turned[2*d*d:], d, true, gates[3*d:], 4*d)
	}
	for r := range n {
		candidate := gates[r*4*d+3*d:][:d]
		g.numeric.Tanh(candidate, candidate)
	}
}

// mix sets next to the state after a token, z∘h + (1-z)∘n, and adds it to sum.
func mix[T op.Float](next, sum, gates, state []T) {
	d := len(state)
	update, candidate := gates[d:][:d], gates[3*d:][:d]
	next, sum = next[:d], sum[:d]
	for i, h := range state {
		x := candidate[i] + update[i]*(h-candidate[i])
		next[i] = x
		sum[i] += x
	}
}

// backward runs the steps of a block after the first in reverse: it turns the gates into their gradients and adds that of HH to sum. In
// carry it leaves what they say of the states after the first tokens, but for what went through g.product.
func (g *GRU[T]) backward(s *scratch[T], b *textBlock, w Weights[T], grad, sum []T) {
	d := g.c.Dim
	carry := g.carry[b.lo*d : b.hi*d] // dL/dstate after step t, by way of the later ones
	clear(carry)
	for t := len(b.starts) - 1; t >= 1; t-- {
		first, n := b.step(t)
		gates, states := g.gates[first*4*d:][:n*4*d], g.states[first*d:][:n*d]
		for r := range n {
			from, share := g.place(grad, b.lo+r, t)
			g.retreat(first+r, carry[r*d:][:d], from, share)
		}
		if g.c.Cell == ResetAfter {
			if t > 1 {
				g.numeric.Gemm(1, false, false, n, d, 3*d, gates, 4*d, w.HH, d, true, carry, d)
			}
			continue
		}
		g.numeric.Gemm(1, false, false, n, d, d, gates[3*d:], 4*d, w.HH[2*d*d:], d, false, s.reset, d)
		for r := range n {
			unreset(carry[r*d:][:d], s.reset[r*d:][:d], gates[r*4*d:][:d], states[r*d:][:d])
		}
		g.numeric.Gemm(1, false, false, n, d, 2*d, gates, 4*d, w.HH, d, true, carry, d)
	}
	from := 0 // the step that follows the first words
	if g.c.Cell == ResetAfter {
		from = 1 // as g.product has that
	}
	if len(b.starts) < from+2 {
		return
	}
	lo, n := int(b.starts[from]), int(b.starts[len(b.starts)-1]-b.starts[from])
	gates, states := g.gates[lo*4*d:][:n*4*d], g.states[lo*d:][:n*d]
	if g.c.Cell == ResetAfter {
		g.numeric.Gemm(1, true, false, 3*d, d, n, gates, 4*d, states, d, true, sum, d)
		return
	}
	g.numeric.Gemm(1, true, false, 2*d, d, n, gates, 4*d, states, d, true, sum, d)
	g.numeric.Gemm(1, true, false, d, d, n, gates[3*d:], 4*d, gates[2*d:], 4*d, true, sum[2*d*d:], d)
}

// end takes the first tokens back, and adds to hidden, the gradient of HH, what comes of g.product.
func (g *GRU[T]) end(w Weights[T], grad, hidden []T) {
	d, roots := g.c.Dim, g.texts.roots
	g.roots = grown(g.roots, roots*d)
	blocks := (roots + rootBlock - 1) / rootBlock
	par.Blocks(g.c.Threads, blocks, func(_, block int) {
		for k := block * rootBlock; k < min((block+1)*rootBlock, roots); k++ {
			g.gather(k, grad)
		}
	})
	if g.c.Cell == ResetAfter && roots > 0 {
		g.numeric.Gemm(g.c.Threads, false, false, roots, d, 3*d, g.product, 3*d, w.HH, d, true, g.roots, d)
		g.numeric.Gemm(g.c.Threads, true, false, 3*d, d, roots, g.product, 3*d, g.begun, d, true, hidden, d)
	}
	par.Blocks(g.c.Threads, blocks, func(_, block int) {
		for k := block * rootBlock; k < min((block+1)*rootBlock, roots); k++ {
			g.retreat(k, g.roots[k*d:][:d], g.begun[k*d:][:d], 0)
			if g.c.Cell == ResetBefore {
				clear(g.gates[k*4*d:][:d]) // the state before is 0, and r had no effect
			}
		}
	})
}

// gather adds up the gradients by what the rows of a first token share.
func (g *GRU[T]) gather(root int, grad []T) {
	d := g.c.Dim
	sum, product := g.roots[root*d:][:d], []T(nil)
	clear(sum)
	if g.c.Cell == ResetAfter {
		product = g.product[root*3*d:][:3*d]
		clear(product)
	}
	for _, row := range g.texts.rows.of(root) {
		from, share := g.place(grad, int(row), 0)
		g.numeric.Axpy(sum, from, share)
		g.numeric.Axpy(sum, g.carry[int(row)*d:][:d], 1)
		if g.c.Cell == ResetAfter && g.texts.length[row] > 1 {
			b := &g.texts.blocks[row/blockTexts]
			g.numeric.Axpy(product, g.gates[(int(b.starts[0])+int(row)-b.lo)*4*d:][:3*d], 1)
		}
	}
}

// retreat turns the gates of a token into their gradients, as GRUSlope has it.
func (g *GRU[T]) retreat(token int, carry, grad []T, share T) {
	d := g.c.Dim
	gates, state := g.gates[token*4*d:][:4*d], g.states[token*d:][:d]
	if g.c.Cell == ResetBefore {
		unmixBefore(carry, grad, share, gates, state)
	} else {
		g.numeric.GRUSlope(gates, state, carry, grad, share)
	}
}

// unmixBefore is kernel.GRUSlope but for the reset gate, which stays.
func unmixBefore[T op.Float](carry, grad []T, share T, gates, state []T) {
	d := len(state)
	update, candidate := gates[d:][:d], gates[3*d:][:d]
	carry, grad = carry[:d], grad[:d]
	for i, h := range state {
		z, n := update[i], candidate[i]
		dh := carry[i] + share*grad[i]
		candidate[i] = dh * (1 - z) * (1 - n*n)
		update[i] = dh * (h - n) * z * (1 - z)
		carry[i] = dh * z
	}
}

// unreset turns the reset gate into its gradient, given that by r∘h, and adds to carry what goes through it.
func unreset[T op.Float](carry, product, reset, state []T) {
	carry, product, reset = carry[:len(state)], product[:len(state)], reset[:len(state)]
	for i, h := range state {
		r := reset[i]
		carry[i] += product[i] * r
		reset[i] = product[i] * h * r * (1 - r)
	}
}
