package gru

import "github.com/asp2vec/asp2vec/layers/op"

// The four vectors of a token in GRU.gates are, with ResetAfter, and after Backward their gradients before the nonlinearity,
//
//	r    z    W_hn h + b_hn    n
//
// so that the first three multiply HH and the hidden state, and r, z, n the input. With ResetBefore the third is r∘h, which
// stays.

// rows of a step: tokens first to first+n-1 of a block's first n rows.
func (b *textBlock) step(t int) (first, n int) {
	return int(b.starts[t]), int(b.starts[t+1] - b.starts[t])
}

// forward runs all steps of a block and adds its states to their places in out, which it then divides by the lengths where these are means.
func (g *GRU[T]) forward(s *scratch[T], b *textBlock, w Weights[T], out []T) {
	d := g.c.Dim
	steps := len(b.starts) - 1
	for t := range steps {
		first, n := b.step(t)
		gates, states := g.gates[first*4*d:][:n*4*d], g.states[first*d:][:n*d]
		if t == 0 {
			clear(states)
		}
		following, next := 0, []T(nil)
		if t+1 < steps {
			var at int
			at, following = b.step(t + 1)
			next = g.states[at*d:]
		}
		if g.c.Cell == ResetAfter {
			g.gatesAfter(w, first, n, t, gates, states)
		} else {
			g.gatesBefore(first, n, t, gates, states)
		}
		for r := range n {
			to := s.state // of a text that ends here
			if r < following {
				to = next[r*d:]
			}
			sum, _ := g.place(out, b.lo+r, t)
			mix(to[:d], sum, gates[r*4*d:][:4*d], states[r*d:][:d])
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

// gatesAfter computes the gates of step t.
func (g *GRU[T]) gatesAfter(w Weights[T], first, n, t int, gates, states []T) {
	d := g.c.Dim
	for r := range n {
		row := gates[r*4*d:][:4*d]
		copy(row[:2*d], g.input[int(g.texts.word[first+r])*3*d:])
		copy(row[2*d:3*d], w.BiasHH[2*d:])
	}
	if t > 0 {
		g.numeric.Gemm(1, false, false, n, 3*d, d, states, d, g.turned, 3*d, true, gates, 4*d)
	}
	for r := range n {
		row := gates[r*4*d:][:4*d]
		g.numeric.Sigmoid(row, row[:2*d])
		reset, hidden, candidate := row[:d], row[2*d:][:d], row[3*d:][:d]
		for i, x := range g.input[int(g.texts.word[first+r])*3*d+2*d:][:d] {
			candidate[i] = x + reset[i]*hidden[i]
		}
		g.numeric.Tanh(candidate, candidate)
	}
}

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

// backward runs the steps of a block in reverse: it turns the gates into their gradients and adds that of HH to sum.
func (g *GRU[T]) backward(s *scratch[T], b *textBlock, w Weights[T], grad, sum []T) {
	d := g.c.Dim
	carry := s.state // dL/dstate after step t, by way of the later ones
	clear(carry)
	for t := len(b.starts) - 2; t >= 0; t-- {
		first, n := b.step(t)
		gates, states := g.gates[first*4*d:][:n*4*d], g.states[first*d:][:n*d]
		for r := range n {
			from, share := g.place(grad, b.lo+r, t)
			if g.c.Cell == ResetAfter {
				unmixAfter(carry[r*d:][:d], from, share, gates[r*4*d:][:4*d], states[r*d:][:d])
			} else {
				unmixBefore(carry[r*d:][:d], from, share, gates[r*4*d:][:4*d], states[r*d:][:d])
			}
		}
		if g.c.Cell == ResetAfter {
			if t > 0 {
				g.numeric.Gemm(1, false, false, n, d, 3*d, gates, 4*d, w.HH, d, true, carry, d)
			}
			continue
		}
		if t == 0 { // the state before is 0, and r had no effect
			for r := range n {
				clear(gates[r*4*d:][:d])
			}
			continue
		}
		g.numeric.Gemm(1, false, false, n, d, d, gates[3*d:], 4*d, w.HH[2*d*d:], d, false, s.reset, d)
		for r := range n {
			unreset(carry[r*d:][:d], s.reset[r*d:][:d], gates[r*4*d:][:d], states[r*d:][:d])
		}
		g.numeric.Gemm(1, false, false, n, d, 2*d, gates, 4*d, w.HH, d, true, carry, d)
	}
	if len(b.starts) < 3 {
		return
	}
	// States before the first step are 0.
	lo, n := int(b.starts[1]), int(b.starts[len(b.starts)-1]-b.starts[1])
	gates, states := g.gates[lo*4*d:][:n*4*d], g.states[lo*d:][:n*d]
	if g.c.Cell == ResetAfter {
		g.numeric.Gemm(1, true, false, 3*d, d, n, gates, 4*d, states, d, true, sum, d)
		return
	}
	g.numeric.Gemm(1, true, false, 2*d, d, n, gates, 4*d, states, d, true, sum, d)
	g.numeric.Gemm(1, true, false, d, d, n, gates[3*d:], 4*d, gates[2*d:], 4*d, true, sum[2*d*d:], d)
}

// unmixAfter turns the gates of a token into their gradients, and carry from dL/dstate after it to the part of dL/dstate before
// that does not go through HH. grad is dL/d(result), and share the state's weight in it.
func unmixAfter[T op.Float](carry, grad []T, share T, gates, state []T) {
	d := len(state)
	reset, update, hidden, candidate := gates[:d], gates[d:][:d], gates[2*d:][:d], gates[3*d:][:d]
	carry, grad = carry[:d], grad[:d]
	for i, h := range state {
		r, z, n := reset[i], update[i], candidate[i]
		dh := carry[i] + share*grad[i]
		dn := dh * (1 - z) * (1 - n*n)
		dhidden := dn * r
		reset[i] = dhidden * (1 - r) * hidden[i]
		update[i] = dh * (h - n) * z * (1 - z)
		hidden[i] = dhidden
		candidate[i] = dn
		carry[i] = dh * z
	}
}

// unmixBefore is unmixAfter but for the reset gate, which stays.
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
