package kernel

// Exp writes e^x elementwise; dst is at least as long as x and may be x itself.
//
// Error at most 1.05 ulp against the exact value, denormal results included (1.042 over all 2^32 inputs). Above
// ln(MaxFloat32) the result is +Inf, below about -103.97 it is 0; NaN gives NaN.
func Exp(dst, x []float32) { exp(cut(dst, len(x)), x) }

// Log writes the natural logarithm of x elementwise; dst is at least as long as x and may be x itself.
//
// Error at most 1 ulp (0.866 over all 2^32 inputs). Denormal x are exact inputs; 0 (of either sign) gives -Inf, +Inf gives
// +Inf, a negative x or NaN gives NaN.
func Log(dst, x []float32) { log(cut(dst, len(x)), x) }

// Gumbel turns uniform draws into Gumbel(0,1) draws, dst[i] = -log(-log(u[i])), 0 < u[i] < 1; dst is at least as long as u
// and may be u itself. The absolute error is at most 1.25 * 2^-23 * max(1, |dst|). u = 0 gives -Inf and u = 1 gives +Inf.
func Gumbel(dst, u []float32) { gumbel(cut(dst, len(u)), u) }

// SoftplusSigmoid writes the logistic loss of sign*x in nats, and its derivative by sign*x:
//
//	loss[i] = log(1 + exp(sign*x[i]))     sig[i] = 1 / (1 + exp(-sign*x[i]))
//
// sign is +1 or -1: -log σ(u) of an observed pair is sign = -1, its derivative by u is -sig; -log σ(-v) of a negative is
// sign = +1. loss and sig are at least as long as x; either may be x itself. Both are accurate to 3 ulp for all x, also
// where they are denormal (2.59 over 116 million inputs of all magnitudes); below about -103.97 both are 0; +Inf and -Inf
// give the limits; NaN gives NaN.
func SoftplusSigmoid(loss, sig, x []float32, sign float32) {
	softplusSigmoid(cut(loss, len(x)), cut(sig, len(x)), x, sign)
}

// Sigmoid writes 1/(1+e^-x) elementwise; dst is at least as long as x and may be x itself. It is accurate to 3 ulp for all x, as
// SoftplusSigmoid's is; below about -103.97 it is 0, and NaN gives NaN.
func Sigmoid(dst, x []float32) { sigmoid(cut(dst, len(x)), x) }

// Tanh writes the hyperbolic tangent of x elementwise; dst is at least as long as x and may be x itself. It is accurate to 2 ulp
// for all x, denormals included (1.50 over 42 million inputs of all magnitudes), odd to the last bit, and 1 above about 9.01; NaN
// gives NaN.
func Tanh(dst, x []float32) { tanh(cut(dst, len(x)), x) }

// Softmax replaces each row of x (n,k) by softmax(invTau * row), invTau = 1/τ > 0. The row's maximum is subtracted first, so
// that finite rows never overflow; each row sums to 1 within rounding. A probability below e^-87 may be 0. A row that holds
// NaN or +Inf becomes NaN.
func Softmax(x []float32, n, k int, invTau float32) {
	checkShape(k, 1)
	softmax(cut(x, n*k), k, invTau)
}
