package kernel

import "math"

// An AdamStep holds the scalars of one step of Adam, computed once in float64 and rounded, as PyTorch does.
type AdamStep struct {
	Rate         float32 // lr / (1 - beta1^t)
	InvSqrtBias2 float32 // 1 / sqrt(1 - beta2^t)
	Beta1, Beta2 float32
	Rest1, Rest2 float32 // 1 - beta1, 1 - beta2
	Eps          float32
}

// NewAdamStep returns the scalars of step t = 1, 2, ...; lr > 0, 0 <= beta1, beta2 < 1, eps > 0.
func NewAdamStep(lr, beta1, beta2, eps float64, t int) AdamStep {
	return AdamStep{
		Rate:         float32(lr / (1 - math.Pow(beta1, float64(t)))),
		InvSqrtBias2: float32(1 / math.Sqrt(1-math.Pow(beta2, float64(t)))),
		Beta1:        float32(beta1), Beta2: float32(beta2),
		Rest1: float32(1 - beta1), Rest2: float32(1 - beta2),
		Eps: float32(eps),
	}
}

// tinyMoment is the magnitude under which Adam stores a moment as zero. The moments of a row that gets no gradient fall
// geometrically and would reach denormals, on which processors are a hundred times slower. A first moment this
// small moves a parameter by less than 1e-27, a second moment's root is 1e-9 of eps = 1e-8: both below float32 rounding.
const tinyMoment = 0x1p-110

// Adam applies one step of Adam (Kingma and Ba, ICLR 2015, in PyTorch's form) in place, with gradient g:
//
//	m = β1 m + (1-β1) g;  v = β2 v + (1-β2) g²;  p -= lr/(1-β1^t) * m / (sqrt(v)/sqrt(1-β2^t) + ε)
//
// p (n); m, v and g have at least p's length. The dense form of the published code moves a row by its momentum also when no
// pair of the batch touched it: g is then zero. Moments below 2^-110 become 0.
func Adam(p, m, v, g []float32, step *AdamStep) {
	n := len(p)
	adam(p, cut(m, n), cut(v, n), cut(g, n), *step)
}

// SGD applies one step of gradient descent in place: p -= lr * g. g has at least p's length.
func SGD(p, g []float32, lr float32) { axpy(p, cut(g, len(p)), -lr) }

func adamGeneric(p, m, v, grad []float32, s AdamStep) {
	m, v, grad = m[:len(p)], v[:len(p)], grad[:len(p)]
	for i, x := range p {
		g := grad[i]
		mi := float32(s.Beta1*m[i]) + float32(s.Rest1*g)
		vi := float32(s.Beta2*v[i]) + float32(float32(s.Rest2*g)*g)
		if -tinyMoment < mi && mi < tinyMoment {
			mi = 0
		}
		if vi < tinyMoment {
			vi = 0
		}
		m[i], v[i] = mi, vi
		root := float32(math.Sqrt(float64(vi)))
		p[i] = x - float32(s.Rate*(mi/(float32(root*s.InvSqrtBias2)+s.Eps)))
	}
}
