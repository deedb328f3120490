package eval

import (
	"fmt"
	"math"
	"slices"
)

// OverlappingNMI returns how far two covers of n vertices agree, in [0,1]: 1 for the same groups in any order, near 0 for
// independent ones. A cover is a list of groups of vertices 0..n-1; a vertex may be in several groups of it, or in none.
//
// A group is a yes or no for each vertex. With h(c) = -(c/n) log(c/n), and for groups X and Y the numbers a of vertices in
// neither, b in Y only, c in X only and d in both,
//
//	H(X|Y) = h(a)+h(b)+h(c)+h(d) - h(b+d) - h(a+c)   if h(a)+h(d) >= h(b)+h(c),  else H(X) = h(c+d) + h(a+b)
//	H(𝒳|𝒴) = Σ_X min_Y H(X|Y),  H(𝒳) = Σ_X H(X)
//	NMI    = ½ (H(𝒳) - H(𝒳|𝒴) + H(𝒴) - H(𝒴|𝒳)) / max(H(𝒳), H(𝒴))
//
// The condition keeps a group from being explained by nearly its complement. Covers without any information, all of whose
// groups hold all vertices or none, give 1 when both are such. It returns an error for n < 1, a cover without groups, a vertex
// out of range or twice in one group. Time is that of counting common members, plus the product of the numbers of groups.
//
// Source: McDaid, Greene and Hurley, "Normalized mutual information to evaluate overlapping community finding algorithms",
// arXiv:1110.2515 (2011), NMI_max, whose conditional entropies are those of Lancichinetti, Fortunato and Kertész, New Journal
// of Physics 11 (2009) 033015, without normalising each group by itself.
func OverlappingNMI(x, y [][]int32, n int) (float64, error) {
	for i, cover := range [][][]int32{x, y} {
		if err := checkCover(cover, n); err != nil {
			return 0, fmt.Errorf("eval: OverlappingNMI: cover %d: %w", i+1, err)
		}
	}
	common := intersections(x, y, n)
	m := float64(n)
	h := func(c int) float64 {
		if c == 0 {
			return 0
		}
		return -float64(c) / m * math.Log(float64(c)/m)
	}
	bestX, bestY := make([]float64, len(x)), make([]float64, len(y)) // min_Y H(X|Y), min_X H(Y|X)
	var hx, hy float64
	for i, g := range x {
		bestX[i] = h(len(g)) + h(n-len(g))
		hx += bestX[i]
	}
	for j, g := range y {
		bestY[j] = h(len(g)) + h(n-len(g))
		hy += bestY[j]
	}
	for i, gx := range x {
		for j, gy := range y {
			d := common[i*len(y)+j]
			b, c := len(gy)-d, len(gx)-d
			a := n - b - c - d
			if h(a)+h(d) < h(b)+h(c) {
				continue // H(X) and H(Y), where the minima start
			}
			joint := h(a) + h(b) + h(c) + h(d)
			bestX[i] = min(bestX[i], max(0, joint-h(b+d)-h(a+c)))
			bestY[j] = min(bestY[j], max(0, joint-h(c+d)-h(a+b)))
		}
	}
	if hx == 0 && hy == 0 {
		return 1, nil
	}
	info := hx + hy
	for _, v := range bestX {
		info -= v
	}
	for _, v := range bestY {
		info -= v
	}
	return min(1, max(0, info/2/max(hx, hy))), nil
}

func checkCover(cover [][]int32, n int) error {
	if n < 1 || len(cover) == 0 {
		return fmt.Errorf("%d groups of %d vertices: want at least one of each", len(cover), n)
	}
	last := make([]int, n) // the group in which a vertex was seen last, from 1
	for i, g := range cover {
		for _, v := range g {
			if v < 0 || int(v) >= n {
				return fmt.Errorf("group %d holds vertex %d: want 0 to %d", i, v, n-1)
			}
			if last[v] == i+1 {
				return fmt.Errorf("group %d holds vertex %d twice", i, v)
			}
			last[v] = i + 1
		}
	}
	return nil
}

// intersections counts the vertices that group i of x and group j of y share, at i*len(y)+j.
func intersections(x, y [][]int32, n int) []int {
	in := make([][]int32, n) // the groups of y that hold a vertex
	for j, g := range y {
		for _, v := range g {
			in[v] = append(in[v], int32(j))
		}
	}
	common := make([]int, len(x)*len(y))
	for i, g := range x {
		for _, v := range g {
			for _, j := range in[v] {
				common[i*len(y)+int(j)]++
			}
		}
	}
	return common
}

// Groups turns labels into a cover: the vertices of each label, labels in ascending order. Negative labels mean no group.
func Groups(labels []int32) [][]int32 {
	at := map[int32][]int32{}
	var order []int32
	for v, l := range labels {
		if l < 0 {
			continue
		}
		if _, ok := at[l]; !ok {
			order = append(order, l)
		}
		at[l] = append(at[l], int32(v))
	}
	slices.Sort(order)
	out := make([][]int32, 0, len(order))
	for _, l := range order {
		out = append(out, at[l])
	}
	return out
}
