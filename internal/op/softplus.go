package op

import (
	"math"

	G "gorgonia.org/gorgonia"
)

// Softplus returns log(1+exp(x)) = -log σ(-x) of each element as max(x,0) + log1p(exp(-|x|)), which is finite and exact
// to the rounding of the type for every finite x. The gradient is σ(x).
func Softplus(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Softplus", Shape: x.Shape().Clone(), Diff: []bool{true}, Sets: []bool{true},
		F32: softplus[float32](newTables().softplus), F64: softplus[float64](softplusExact),
	}, x)
}

// softplus is the kernel of a function that returns log(1+exp(x)) and σ(x); the second is kept for the backward pass
// because both share the exponential.
func softplus[T Float](f func(x float64) (value, slope float64)) Kernel[T] {
	var slopes []T
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			if slopes == nil {
				slopes = make([]T, len(out))
			}
			s := slopes[:len(out)]
			for i, x := range in[0].F[:len(out)] {
				v, d := f(float64(x))
				out[i], s[i] = T(v), T(d)
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			d, s := din[0][:len(gout)], slopes[:len(gout)]
			for i, g := range gout {
				d[i] = g * s[i]
			}
			return nil
		},
	}
}

func softplusExact(x float64) (value, slope float64) {
	e := math.Exp(-math.Abs(x))
	return max(x, 0) + math.Log1p(e), logistic(x, e)
}

// logistic returns σ(x), given e = exp(-|x|).
func logistic(x, e float64) float64 {
	s := 1 / (1 + e)
	if x < 0 {
		s *= e
	}
	return s
}

// tables are for exponentials and logarithms that need be exact only to float32. A skip-gram step evaluates a softplus for
// each score, and with package math these are a third of its time.
type tables struct {
	pow     [32]float64  // 2^(-i/32)
	inverse [128]float64 // 1/(1+i/64), i <= 64
	log     [128]float64 // log(1+i/64)
}

func newTables() *tables {
	t := new(tables)
	for i := range t.pow {
		t.pow[i] = math.Exp2(-float64(i) / 32)
	}
	for i := range t.log {
		t.inverse[i] = 64 / (64 + float64(i))
		t.log[i] = math.Log1p(float64(i) / 64)
	}
	return t
}

// softplus returns log(1+exp(x)) and σ(x) with a relative error below 1e-10, where they are above 1e-300.
func (t *tables) softplus(x float64) (value, slope float64) {
	a := math.Abs(x)
	if !(a < 600) { // exp(-600) is far below float32, and the tables end; NaN goes here too
		return softplusExact(x)
	}
	// exp(-a) = 2^(-n/32)·exp(-r), |r| <= log(2)/64.
	n := int(a*(32/math.Ln2) + 0.5)
	r := a - float64(n)*(math.Ln2/32)
	e := t.pow[n&31] * math.Float64frombits(uint64(1023-n>>5)<<52) * (1 - r + r*r*(1./2-r*(1./6)+r*r*(1./24)))
	// log(1+e) = log(1+i/64) + log(1+z), |z| <= 1/128.
	i := int(e*64 + 0.5)
	z := (e - float64(i)*(1./64)) * t.inverse[i&127]
	z2 := z * z
	value = max(x, 0) + t.log[i&127] + (z - z2*(1./2) + z2*z*(1./3-z*(1./4)+z2*(1./5)))
	return value, logistic(x, e)
}
