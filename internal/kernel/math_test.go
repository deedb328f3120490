package kernel

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

// stride thins out the float32 bit patterns that TestErrorBounds tries; 1 tries all (minutes). The default is prime, so that the
// patterns fall on all residues of the mantissa.
var stride = flag.Uint64("stride", 8009, "distance of the bit patterns tried by TestErrorBounds")

// ulps returns the distance of got from want in units of float32's spacing at want.
func ulps(got float32, want float64) float64 {
	if math.IsNaN(want) || math.IsNaN(float64(got)) {
		if math.IsNaN(want) && math.IsNaN(float64(got)) {
			return 0
		}
		return math.Inf(1)
	}
	if float64(float32(want)) == float64(got) {
		return math.Abs(float64(got)-want) / max(spacing(want), 0x1p-149) * finite(want)
	}
	return math.Abs(float64(got)-want) / spacing(want)
}

// finite is 0 where want rounds to an infinite float32, and 1 elsewhere.
func finite(want float64) float64 {
	if math.IsInf(float64(float32(want)), 0) {
		return 0
	}
	return 1
}

func spacing(x float64) float64 {
	_, e := math.Frexp(min(math.Abs(x), math.MaxFloat32))
	return math.Ldexp(1, max(e-24, -149))
}

// softplus64 and sigmoid64 are the references; both are relatively accurate for all x.
func softplus64(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func sigmoid64(x float64) float64 {
	t := math.Exp(-math.Abs(x))
	if x < 0 {
		return t / (1 + t)
	}
	return 1 / (1 + t)
}

// A function is an elementwise kernel, its reference and its error bound in ulps.
type function struct {
	name string
	do   func(dst, x []float32)
	ref  func(x float64) float64
	ulps float64
}

var functions = []function{
	{"Exp", Exp, math.Exp, 1.05},
	{"Log", Log, math.Log, 1},
	{"Softplus", func(dst, x []float32) { SoftplusSigmoid(dst, make([]float32, len(x)), x, 1) }, softplus64, 3},
	{"Sigmoid", func(dst, x []float32) { SoftplusSigmoid(make([]float32, len(x)), dst, x, 1) }, sigmoid64, 3},
	{"Sigmoid alone", Sigmoid, sigmoid64, 3},
	{"Tanh", Tanh, math.Tanh, 2},
	{"Softplus of -x", func(dst, x []float32) { SoftplusSigmoid(dst, make([]float32, len(x)), x, -1) },
		func(x float64) float64 { return softplus64(-x) }, 3},
}

// TestErrorBounds tries bit patterns of float32 (all sorts: NaN, infinities, denormals) and holds the documented bounds.
func TestErrorBounds(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		for _, f := range functions {
			t.Run(f.name, func(t *testing.T) {
				worst, at := 0.0, float32(0)
				x, y := make([]float32, 0, 4096), make([]float32, 4096)
				flush := func() {
					f.do(y, x)
					for i, v := range x {
						if e := ulps(y[i], f.ref(float64(v))); e > worst {
							worst, at = e, v
						}
					}
					x = x[:0]
				}
				for b := uint64(0); b < 1<<32; b += *stride {
					if x = append(x, math.Float32frombits(uint32(b))); len(x) == cap(x) {
						flush()
					}
				}
				flush()
				t.Logf("at most %.3f ulp, at %g", worst, at)
				if worst > f.ulps {
					t.Errorf("%.3f ulp at %g (%#x): expected at most %g", worst, at, math.Float32bits(at), f.ulps)
				}
			})
		}
	})
}

// TestGumbel tries uniform draws as float32 has them near 0 and near 1, where the two logarithms are steepest.
func TestGumbel(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		var u []float32
		for i := 1; i < 1<<24; i += 97 {
			u = append(u, float32(i)*0x1p-24)
		}
		for e := -149; e < 0; e++ {
			u = append(u, float32(math.Ldexp(1, e)))
		}
		y := make([]float32, len(u))
		Gumbel(y, u)
		worst := 0.0
		for i, v := range u {
			want := -math.Log(-math.Log(float64(v)))
			worst = max(worst, math.Abs(float64(y[i])-want)/max(1, math.Abs(want)))
		}
		t.Logf("at most %.3g * 2^-23", worst*0x1p23)
		if !(worst <= 1.25*0x1p-23) {
			t.Errorf("error %.3g, expected at most 1.25 * 2^-23", worst)
		}
	})
}

// TestSpecialValues holds all functions against their references where these are special, at the end of a tail and of a whole vector with one.
func TestSpecialValues(t *testing.T) {
	inf, nan, negZero := float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
	gumbel := function{"Gumbel", Gumbel, func(u float64) float64 { return -math.Log(-math.Log(u)) }, 3}
	for _, f := range append([]function{gumbel}, functions...) {
		eachVariant(t, func(t *testing.T) {
			for _, v := range []float32{0, negZero, inf, -inf, nan, 1, -1, 2, 88.73, math.MaxFloat32, -104, 9.1, 1e4, -1e4, -1e30, 1e-45, -1e-45} {
				for n := 1; n <= 17; n += 8 {
					x, y := make([]float32, n), make([]float32, n)
					x[n-1] = v
					if f.do(y, x); ulps(y[n-1], f.ref(float64(v))) > f.ulps {
						t.Errorf("%s(%g) = %g, expected %g", f.name, v, y[n-1], f.ref(float64(v)))
					}
				}
			}
		})
	}
}

// testElementwise checks all elementwise kernels for one length, with slices from a: results must not depend on the length,
// so that whole vectors and tails agree, and calls in place must give the same.
func testElementwise(t *testing.T, a arena, r *rand.Rand, n int) {
	t.Helper()
	same := func(what string, i int, got, want float32) {
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Fatalf("%s: n = %d: [%d] = %g, expected %g as alone", what, n, i, got, want)
		}
	}
	for name, f := range map[string]func(dst, x []float32){"Exp": Exp, "Log": Log, "Gumbel": Gumbel, "Sigmoid": Sigmoid,
		"Tanh": Tanh} {
		x, dst := a.floats(n), a.floats(n)
		for i := range x {
			x[i] = r.Float32()
		}
		f(dst, x)
		for i := range x {
			var alone [1]float32
			f(alone[:], x[i:i+1])
			same(name, i, dst[i], alone[0])
		}
		f(x, x)
		for i := range x {
			same(name+" in place", i, x[i], dst[i])
		}
	}
	x, loss, sig := fill(r, a.floats(n)), a.floats(n), a.floats(n)
	SoftplusSigmoid(loss, sig, x, -1)
	for i := range x {
		var l, s [1]float32
		SoftplusSigmoid(l[:], s[:], x[i:i+1], -1)
		same("SoftplusSigmoid", i, loss[i], l[0])
		same("SoftplusSigmoid", i, sig[i], s[0])
	}
	SoftplusSigmoid(x, sig, x, -1)
	for i := range x {
		same("SoftplusSigmoid in place", i, x[i], loss[i])
	}
	k := 1 + n%12
	z := fill(r, a.floats(n*k))
	want := softmax64(z, k, 2)
	Softmax(z, n, k, 2)
	within(t, "Softmax", z, want, want, 8*eps*float64(k))
	testOptimizers(t, a, r, n)
	testGRU(t, a, r, n)
	a.check(t)
}

// softmax64 returns the softmax of scale times each row of k.
func softmax64(x []float32, k int, scale float64) []float64 {
	var all []float64
	for ; len(x) >= k; x = x[k:] {
		sum := 0.0
		for _, v := range x[:k] {
			sum += math.Exp(scale * float64(v))
		}
		for _, v := range x[:k] {
			all = append(all, math.Exp(scale*float64(v))/sum)
		}
	}
	return all
}

func TestElementwise(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		r, a := newRand(4), &fenced{}
		for n := range 70 {
			testElementwise(t, a, r, n)
		}
	})
}

func TestSoftmaxStable(t *testing.T) {
	nan := float32(math.NaN())
	eachVariant(t, func(t *testing.T) {
		for k := 2; k <= 12; k++ {
			x := make([]float32, 3*k) // a row of huge values, one of hugely different ones, one with a NaN
			for j := range k {
				x[j], x[k+j], x[2*k+j] = 1e30, -1e30, 1
			}
			x[k], x[3*k-1] = 1e30, nan
			Softmax(x, 3, k, 2)
			for j := range k {
				only := float32(0)
				if j == 0 {
					only = 1
				}
				if e := math.Abs(float64(x[j]) - 1/float64(k)); e > 1e-7 || x[k+j] != only || x[2*k+j] == x[2*k+j] {
					t.Fatalf("k = %d, column %d: %g, %g, %g: expected 1/k, %g, NaN", k, j, x[j], x[k+j], x[2*k+j], only)
				}
			}
		}
	})
}
