package layout

import (
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
)

// attraction returns how strongly points pull one another, of all pairs together 1: for each point a normal distribution over its
// neighbours, as wide as makes its perplexity what is asked for, and the mean of both ends'.
func attraction(near [][]eval.Neighbor, perplexity float64) links {
	n := len(near)
	sides := make([][]link, n)
	for i, list := range near {
		for j, w := range spreadOver(list, perplexity) {
			to := int(list[j].Row)
			half := w / (2 * float64(n))
			sides[i] = append(sides[i], link{list[j].Row, half})
			sides[to] = append(sides[to], link{int32(i), half})
		}
	}
	out := links{first: make([]int, 1, n+1)}
	for _, s := range sides {
		slices.SortStableFunc(s, func(a, b link) int { return int(a.to) - int(b.to) })
		for k, l := range s {
			if k > 0 && s[k-1].to == l.to {
				out.weight[len(out.weight)-1] += l.weight
				continue
			}
			out.to, out.weight = append(out.to, l.to), append(out.weight, l.weight)
		}
		out.first = append(out.first, len(out.to))
	}
	return out
}

type link struct {
	to     int32
	weight float64
}

// spreadOver returns the probabilities of neighbours, in proportion to exp(-b·distance²) for the b at which their perplexity is as
// given, by bisection.
func spreadOver(near []eval.Neighbor, perplexity float64) []float64 {
	p := make([]float64, len(near))
	want := math.Log(perplexity)
	b, lo, hi := 1., 0., math.Inf(1)
	for range 100 {
		var sum, mean float64
		for j, x := range near {
			d := 2 - 2*x.Cosine - (2 - 2*near[0].Cosine) // from the nearest, for the numbers' sake
			p[j] = math.Exp(-b * d)
			sum += p[j]
			mean += d * p[j]
		}
		entropy := math.Log(sum) + b*mean/sum
		for j := range p {
			p[j] /= sum
		}
		switch {
		case math.Abs(entropy-want) < 1e-5:
			return p
		case entropy > want:
			lo = b
		default:
			hi = b
		}
		if math.IsInf(hi, 1) {
			b *= 2
		} else {
			b = (lo + hi) / 2
		}
	}
	return p // neighbours that are all as near have one perplexity, whatever b
}
