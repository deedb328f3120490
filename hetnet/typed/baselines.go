package typed

import "math"

// Popularity returns a scorer by the number of training links of each target, whatever the source: what a model must exceed to have
// learnt anything of sources.
func (t *Task) Popularity(n *Network) Scorer {
	_, target := t.Ends(n)
	count := make([]float32, n.Vertices(target))
	t.EachRanked(n, func(_, target int32) { count[target]++ })
	return func(_ int32, dst []float32) error {
		copy(dst, count)
		return nil
	}
}

// Neighbours returns a scorer by item-based nearest neighbours: a target's score is the sum, over the targets that training links join
// the source with, of the cosine of their sets of sources.
//
//	score(u, i) = Σ_{j known to u} |N(i) ∩ N(j)| / √(|N(i)| |N(j)|)
//
// Source: Sarwar, Karypis, Konstan, Riedl, WWW 2001, with all neighbours and unweighted links.
func (t *Task) Neighbours(n *Network) Scorer {
	source, target := t.Ends(n)
	ofSource, ofTarget := make([][]int32, n.Vertices(source)), make([][]int32, n.Vertices(target))
	t.EachRanked(n, func(v, i int32) {
		ofSource[v], ofTarget[i] = append(ofSource[v], i), append(ofTarget[i], v)
	})
	norm := make([]float64, len(ofTarget)) // 1/√|N|
	for i, list := range ofTarget {
		if len(list) > 0 {
			norm[i] = 1 / math.Sqrt(float64(len(list)))
		}
	}
	return func(u int32, dst []float32) error {
		sums := make([]float64, len(dst))
		for _, j := range ofSource[u] {
			for _, v := range ofTarget[j] {
				for _, i := range ofSource[v] {
					if i != j {
						sums[i] += norm[i] * norm[j]
					}
				}
			}
		}
		for i, x := range sums {
			dst[i] = float32(x)
		}
		return nil
	}
}
