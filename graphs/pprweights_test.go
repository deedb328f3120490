package graphs

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// ppr takes all weights that a network can have: only their shares count, and the least of them beside the
// largest leave finite numbers.
func TestPPRWeights(t *testing.T) {
	net := karate()
	links := net.List()
	of := func(weight func(i int) float64, directed bool) []float32 {
		weights := make([]float32, len(links))
		for i := range weights {
			weights[i] = float32(weight(i))
		}
		o := optionsOf("ppr", values{"dim": 8})
		e := call.Of(ppr(t.Context(), Input{Network: call.Of(network.New(net.Names(), links, weights, directed))(t)}, o, 1))(t)
		return slices.Concat(e.Final, e.Center, e.Vectors)
	}
	for _, directed := range []bool{false, true} {
		usual := of(func(i int) float64 { return float64(1 + i%3) }, directed)
		for _, scale := range []float64{0x1p-120, 0x1p120} {
			if !slices.Equal(of(func(i int) float64 { return scale * float64(1+i%3) }, directed), usual) {
				t.Errorf("directed %v: weights times %v come to other vectors", directed, scale)
			}
		}
		for name, weight := range map[string]func(i int) float64{
			"largest":         func(int) float64 { return math.MaxFloat32 },
			"one large":       func(i int) float64 { return max(1, float64(1-min(i, 1))*math.MaxFloat32) },
			"least, largest":  func(i int) float64 { return []float64{math.SmallestNonzeroFloat32, math.MaxFloat32}[i%2] },
			"of all sizes":    func(i int) float64 { return math.Pow(10, float64(i-len(links)/2)) },
			"least, but some": func(i int) float64 { return []float64{math.MaxFloat32, math.SmallestNonzeroFloat32}[min(i, 1)] },
		} {
			if x := of(weight, directed); slices.ContainsFunc(x, func(x float32) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) }) || slices.Max(x) == 0 {
				t.Errorf("directed %v, %s: %v", directed, name, x[:8])
			}
		}
	}
}
