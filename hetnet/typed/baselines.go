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

// ranked is the matrix R of 0 and 1 that says which sources training links join with which targets, by rows and by columns, and
// 1/√ of their numbers of links; 0 where there are none.
type ranked struct {
	ofSource, ofTarget     [][]int32
	sourceRoot, targetRoot []float64
}

func (t *Task) ranked(n *Network) (r ranked) {
	source, target := t.Ends(n)
	r.ofSource, r.ofTarget = make([][]int32, n.Vertices(source)), make([][]int32, n.Vertices(target))
	t.EachRanked(n, func(u, i int32) {
		r.ofSource[u], r.ofTarget[i] = append(r.ofSource[u], i), append(r.ofTarget[i], u)
	})
	r.sourceRoot, r.targetRoot = roots(r.ofSource), roots(r.ofTarget)
	return r
}

func roots(lists [][]int32) []float64 {
	root := make([]float64, len(lists))
	for i, list := range lists {
		if len(list) > 0 {
			root[i] = 1 / math.Sqrt(float64(len(list)))
		}
	}
	return root
}

// Neighbours returns a scorer by item-based nearest neighbours: a target's score is the sum, over the targets that training links join
// the source with, of a cosine of their sets of sources in which a source of |N(v)| targets counts 1/|N(v)|.
//
//	score(u, i) = Σ_{j known to u} Σ_{v known to i and j} 1/|N(v)| / √(|N(i)| |N(j)|) = (R R̃ᵀR̃)_ui, R̃ = D_U^-½ R D_I^-½
//
// Source: the linear filter of Shen et al., CIKM 2021, section 4; with the 1/|N(v)| left out, Sarwar, Karypis, Konstan, Riedl, WWW 2001,
// with all neighbours and unweighted links.
func (t *Task) Neighbours(n *Network) Scorer { return t.ranked(n).neighbours }

func (r ranked) neighbours(u int32, dst []float32) error {
	sums := make([]float64, len(dst))
	for _, j := range r.ofSource[u] {
		for _, v := range r.ofTarget[j] {
			x := r.targetRoot[j] * r.sourceRoot[v] * r.sourceRoot[v]
			for _, i := range r.ofSource[v] {
				sums[i] += x
			}
		}
	}
	for i, x := range sums {
		dst[i] = float32(x * r.targetRoot[i])
	}
	return nil
}
