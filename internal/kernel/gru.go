package kernel

// The arithmetic of a gated recurrent unit beside its products, for a row of d = len(state) numbers. gates (4,d) are its reset gate, its update gate,
// the hidden side of its candidate and its candidate. One call does what would be a dozen passes over short rows.

// GRUStep goes from a state to the next, which it adds to sum too. The first three gates are HH times the state before, and all four are what they
// are called after:
//
//	r = σ(in_r + gates_r)    z = σ(in_z + gates_z)    n = tanh(in_n + r∘(gates_n + bias))    next = n + z∘(state-n)
//
// in (3,d), the others (d). next may be state itself. Gates are as accurate as Sigmoid and Tanh.
func GRUStep(gates, in, bias, state, next, sum []float32) {
	d := len(state)
	gruStep(cut(gates, 4*d), cut(in, 3*d), cut(bias, d), state, cut(next, d), cut(sum, d))
}

// GRUSlope takes a GRUStep back. It turns the gates into their gradients before the nonlinearity, that of the hidden side in the third place, and
// carry (d) from the gradient by the next state to that by state which does not go through HH. share·grad (d) is added to carry before.
func GRUSlope(gates, state, carry, grad []float32, share float32) {
	d := len(state)
	gruSlope(cut(gates, 4*d), state, cut(carry, d), cut(grad, d), share)
}

func gruStepGeneric(gates, in, bias, state, next, sum []float32) {
	PlainGRUStep(gates, in, bias, state, next, sum, each(sigmoid1), each(tanh1))
}

// PlainGRUStep is GRUStep.
func PlainGRUStep[T word](gates, in, bias, state, next, sum []T, sigmoid, tanh func(dst, x []T)) {
	d := len(state)
	for i, x := range in[:2*d] {
		gates[i] += x
	}
	sigmoid(gates, gates[:2*d])
	update, hidden, candidate := gates[d:2*d], gates[2*d:3*d], gates[3*d:4*d]
	for i, x := range in[2*d : 3*d] {
		hidden[i] += bias[i]
		candidate[i] = x + T(gates[i]*hidden[i])
	}
	tanh(candidate, candidate)
	for i, h := range state {
		x := candidate[i] + T(update[i]*(h-candidate[i]))
		next[i] = x
		sum[i] += x
	}
}

// PlainGRUSlope is GRUSlope.
func PlainGRUSlope[T word](gates, state, carry, grad []T, share T) {
	d := len(state)
	reset, update, hidden, candidate := gates[:d], gates[d:2*d], gates[2*d:3*d], gates[3*d:4*d]
	carry, grad = carry[:d], grad[:d]
	for i, h := range state {
		r, z, n := reset[i], update[i], candidate[i]
		dh := carry[i] + T(share*grad[i])
		dn := dh * ((1 - z) * (1 - T(n*n)))
		dhidden := dn * r
		reset[i] = dhidden * (1 - r) * hidden[i]
		update[i] = z * (1 - z) * dh * (h - n)
		hidden[i] = dhidden
		candidate[i] = dn
		carry[i] = dh * z
	}
}
