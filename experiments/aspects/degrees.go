package aspects

import (
	"math"

	"github.com/asp2vec/asp2vec/eval"
)

// withoutDegrees returns vectors of length 1 that say nothing of the degrees k (N) of their vertices,
//
//	f_v = unit(F_v - mean F - β (log(1+k_v) - mean log(1+k))),   β by least squares
//
// where f_v is 0 if no more is left of F_v than rounding.
func withoutDegrees(e eval.Embedding, degrees []float64) eval.Embedding {
	n, d := e.N, e.D
	logs := make([]float64, n)
	var mean, square float64
	for v, k := range degrees {
		logs[v] = math.Log1p(k)
		mean += logs[v] / float64(n)
	}
	center, slope := make([]float64, d), make([]float64, d)
	for v := range logs {
		logs[v] -= mean
		square += logs[v] * logs[v]
		for j, x := range e.Row(v) {
			center[j] += float64(x) / float64(n)
			slope[j] += float64(x) * logs[v]
		}
	}
	out := eval.Embedding{N: n, D: d, Data: make([]float32, len(e.Data))}
	for v := range logs {
		var all, left float64
		for j, x := range e.Row(v) {
			y := float64(x) - center[j]
			if square > 0 {
				y -= slope[j] / square * logs[v]
			}
			all += float64(x)*float64(x) + center[j]*center[j]
			left += y * y
			out.Data[v*d+j] = float32(y)
		}
		if left < all*alike*alike {
			clear(out.Row(v))
		}
	}
	out.Data = eval.UnitRows(out)
	return out
}
