package kernel

import "math"

// The Go implementation of the elementwise functions. They work in float64 and round once at the end: about 0.5 ulp of
// float32, and the oracle of the assembly. Polynomials are truncated Taylor series, whose errors are stated,
// evaluated in pairs: their chains of dependent operations are what takes time.

// exp64 returns e^x for -800 < x < 700 within 1e-11 relatively: x = n ln 2 + r, |r| <= ln(2)/2, and e^r by its series to r^9.
func exp64(x float64) float64 {
	n := math.Floor(x*math.Log2E + 0.5)
	r := x - n*math.Ln2
	r2 := r * r
	r4 := r2 * r2
	p := (1 + r) + r2*(1./2+r*(1./6)) + r4*((1./24+r*(1./120))+r2*(1./720+r*(1./5040))) + r4*r4*(1./40320+r*(1./362880))
	return p * math.Float64frombits(uint64(int64(n)+1023)<<52)
}

func exp1(x float32) float32 {
	if x != x {
		return x
	}
	return float32(exp64(float64(min(max(x, -150), 150))))
}

// atanhSeries returns 2 atanh(s) = log((1+s)/(1-s)) for |s| <= 1/3 within 1e-9 relatively.
func atanhSeries(s float64) float64 {
	z := s * s
	z2 := z * z
	z4 := z2 * z2
	return 2 * s * ((1 + z*(1./3)) + z2*(1./5+z*(1./7)) + z4*((1./9+z*(1./11))+z2*(1./13+z*(1./15))+z4*(1./17)))
}

// log64 returns log x for normal positive x within 1e-9 relatively: x = m 2^e, sqrt(1/2) <= m < sqrt(2).
func log64(x float64) float64 {
	const sqrtHalf = 0x3fe6a09e667f3bcd // bits of sqrt(1/2)
	b := math.Float64bits(x)
	e := (int64(b) - sqrtHalf) >> 52
	m := math.Float64frombits(b - uint64(e)<<52)
	return float64(e)*math.Ln2 + atanhSeries((m-1)/(m+1))
}

func log1(x float32) float32 {
	switch {
	case x != x || x < 0:
		return float32(math.NaN())
	case x == 0:
		return float32(math.Inf(-1))
	case x > math.MaxFloat32:
		return x
	}
	return float32(log64(float64(x))) // a denormal float32 is a normal float64
}

func gumbel1(u float32) float32 {
	switch {
	case !(u >= 0 && u <= 1):
		return float32(math.NaN())
	case u == 0:
		return float32(math.Inf(-1))
	case u == 1:
		return float32(math.Inf(1))
	}
	return float32(-log64(-log64(float64(u))))
}

// softplusSigmoid1 works with t = exp(-|x|), at most 1, so that nothing overflows and log1p(t) keeps its relative accuracy.
func softplusSigmoid1(x float32) (loss, sig float32) {
	if x != x {
		return x, x
	}
	y := float64(x)
	t := exp64(max(-math.Abs(y), -150))
	l, r := atanhSeries(t/(2+t)), 1/(1+t)
	if y >= 0 {
		return float32(y + l), float32(r)
	}
	return float32(l), float32(t * r)
}

func sigmoid1(x float32) float32 {
	_, sig := softplusSigmoid1(x)
	return sig
}

// tanh1 works with t = exp(-2|x|), and where 1-t would cancel with the first terms of the series.
func tanh1(x float32) float32 {
	y := math.Abs(float64(x))
	switch {
	case x != x:
		return x
	case y < 0x1p-6:
		z := y * y
		return float32(float64(x) * (1 - z*(1./3-z*(2./15))))
	}
	t := exp64(max(-2*y, -150))
	return float32(math.Copysign((1-t)/(1+t), float64(x)))
}

// each returns the loop of a function of one number.
func each(f func(float32) float32) func(dst, x []float32) {
	return func(dst, x []float32) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

func softplusSigmoidGeneric(loss, sig, x []float32, sign float32) {
	for i, v := range x {
		loss[i], sig[i] = softplusSigmoid1(sign * v)
	}
}

func softmaxGeneric(x []float32, k int, invTau float32) {
	for ; len(x) >= k; x = x[k:] {
		row := x[:k]
		top := row[0]
		for _, v := range row[1:] {
			top = max(top, v)
		}
		var sum float32
		for j, v := range row {
			row[j] = exp1((v - top) * invTau)
			sum += row[j]
		}
		inv := 1 / sum
		for j := range row {
			row[j] *= inv
		}
	}
}
