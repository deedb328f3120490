package aspects

import (
	"cmp"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

const (
	principalRounds = 20 // of the power method: a direction that nearly parts does
	lloydRounds     = 50
)

// parter parts the links of one vertex after another.
type parter struct {
	d     int
	order []int     // (n) the links, some of them last
	told  int       // how many of them there are before the last
	x     []float64 // (n,d) unit vectors of the links, in that order
	of    []int32   // the group of each link that is being parted
	mean  []float64 // (k,d)
	count []float64 // (k)
	norm  []float64 // (k) the squares of the means' lengths
	axis  []float64 // (d) the direction along which a group is parted
	next  []float64 // (d)
}

func (p *parter) row(i int) []float64    { return p.x[i*p.d : (i+1)*p.d] }
func (p *parter) center(g int) []float64 { return p.mean[g*p.d : (g+1)*p.d] }

// load makes the vectors of the links of a vertex to its neighbours; those of which last is true have no say in the groups, and join the nearest.
func (p *parter) load(points eval.Embedding, ego *network.Ego, near []int32, last func(i int) bool) {
	p.d, p.order = points.D, p.order[:0]
	for _, late := range []bool{false, true} {
		for i := range near {
			if last(i) == late {
				p.order = append(p.order, i)
			}
		}
		if !late {
			p.told = len(p.order)
		}
	}
	p.x = slices.Grow(p.x[:0], len(near)*p.d)[:len(near)*p.d]
	clear(p.x)
	for at, i := range p.order {
		row := p.row(at)
		add(row, points.Row(int(near[i])))
		for _, j := range ego.Common(int32(i)) {
			add(row, points.Row(int(near[j])))
		}
		toUnit(row)
	}
}

// begin returns a group of each link (n), of up to three, and whether they are plain to see.
func (p *parter) begin() (of []int32, plain bool) {
	p.of = make([]int32, p.told)
	groups, kept := 1, slices.Clone(p.of)
	p.update(1)
	for k := 2; k <= min(mostAtFirst, p.told-1) && p.divide(k-1) && p.settle(k); k++ {
		groups, kept = k, slices.Clone(p.of)
		plain = plain || p.silhouette(k) > min(leastSilhouette, leastOfMany/math.Sqrt(float64(p.told)))
	}
	p.of = kept
	p.join(groups, p.told)
	of, _ = p.ordered(groups)
	return of, plain
}

// end returns the aspect of each link (n), of its community or the one whose mean is nearest, the aspects' means (k,d), and the community (k) of each;
// aspects of more links come first.
func (p *parter) end(community []int32) (of []int32, means []float32, communities []int32) {
	if len(community) == 0 {
		return nil, nil, nil
	}
	number := numbered(community)
	k := int(slices.Max(number)) + 1
	communities = make([]int32, k)
	p.of = p.of[:0]
	for _, i := range p.order[:p.told] {
		p.of = append(p.of, number[i])
		communities[number[i]] = community[i]
	}
	kept := slices.Clone(p.of)
	if p.join(k, 0); slices.Contains(p.count, 0) {
		p.of = kept
		p.join(k, p.told)
	}
	of, order := p.ordered(k)
	for _, g := range order {
		for _, y := range p.center(int(g)) {
			means = append(means, float32(y))
		}
	}
	return of, means, seq.Map(order, func(g int32) int32 { return communities[g] })
}

// join puts the links from some on into the nearest of the groups.
func (p *parter) join(groups, from int) {
	p.update(groups)
	p.of = p.of[:from]
	for at := from; at < len(p.order); at++ {
		p.of = append(p.of, p.nearest(at, groups, 0))
	}
	p.update(groups)
}

// nearest returns which of k means a link is nearest to; it is in group old, which has it where another is as near.
func (p *parter) nearest(at, k int, old int32) int32 {
	distance := func(g int) float64 { return p.norm[g] - 2*inner(p.center(g), p.row(at)) }
	best, least := old, distance(int(old))
	for g := range k {
		if d := distance(g); d < least {
			best, least = int32(g), d
		}
	}
	return best
}

// update sets the means of k groups.
func (p *parter) update(k int) {
	p.mean, p.count = slices.Grow(p.mean[:0], k*p.d)[:k*p.d], slices.Grow(p.count[:0], k)[:k]
	clear(p.mean)
	clear(p.count)
	for i, g := range p.of {
		p.count[g]++
		for j, y := range p.row(i) {
			p.mean[int(g)*p.d+j] += y
		}
	}
	for i := range p.mean {
		p.mean[i] /= max(1, p.count[i/p.d])
	}
	p.norm = p.norm[:0]
	for g := range k {
		p.norm = append(p.norm, inner(p.center(g), p.center(g)))
	}
}

// spread returns the sum of the squared distances of the links of a group to its mean.
func (p *parter) spread(g int) float64 { return p.count[g] * (1 - p.norm[g]) }

// divide makes one group more than the k there are, of the half of the one with the largest spread that lies ahead along its first principal
// direction. It returns false where all links of each group are alike.
func (p *parter) divide(k int) bool {
	widest, most := 0, 0.
	for g := range k {
		if spread := p.spread(g); spread > most {
			widest, most = g, spread
		}
	}
	if most < alike {
		return false
	}
	p.principal(int32(widest))
	split := false
	middle := inner(p.axis, p.center(widest))
	for i, g := range p.of {
		if int(g) == widest && inner(p.axis, p.row(i)) > middle {
			p.of[i], split = int32(k), true
		}
	}
	return split
}

// principal sets axis to the first principal direction of a group, by the power method from the link farthest from the mean.
func (p *parter) principal(group int32) {
	p.axis, p.next = slices.Grow(p.axis[:0], p.d)[:p.d], slices.Grow(p.next[:0], p.d)[:p.d]
	mean := p.center(int(group))
	far := math.Inf(1)
	for i, g := range p.of {
		if g == group && inner(mean, p.row(i)) < far {
			far = inner(mean, p.row(i))
			copy(p.axis, p.row(i))
		}
	}
	for j, y := range mean {
		p.axis[j] -= y
	}
	for range principalRounds {
		clear(p.next)
		middle := inner(p.axis, mean)
		var sum float64
		for i, g := range p.of {
			if g != group {
				continue
			}
			at := inner(p.axis, p.row(i)) - middle
			sum += at
			for j, y := range p.row(i) {
				p.next[j] += at * y
			}
		}
		for j, y := range mean {
			p.next[j] -= sum * y
		}
		toUnit(p.next)
		p.axis, p.next = p.next, p.axis
	}
}

// settle moves links to the nearest of k means until none moves. It returns false if a group is left without.
func (p *parter) settle(k int) bool {
	for range lloydRounds {
		p.update(k)
		if slices.Contains(p.count, 0) {
			return false
		}
		moved := false
		for at, old := range p.of {
			p.of[at] = p.nearest(at, k, old)
			moved = moved || p.of[at] != old
		}
		if !moved {
			return true
		}
	}
	p.update(k)
	return !slices.Contains(p.count, 0)
}

// silhouette returns the mean over links of (b-a)/max(a,b): a is the mean distance, 1 less the cosine, to the other links of its group, b
// that to those of the nearest other group. A link alone in its group has 0. The means must be those of the groups.
func (p *parter) silhouette(k int) float64 {
	var sum float64
	for i, own := range p.of {
		if p.count[own] < 2 {
			continue
		}
		var a float64
		b := math.Inf(1)
		for g := range k {
			distance := 1 - inner(p.center(g), p.row(i))
			if g == int(own) {
				a = distance * p.count[g] / (p.count[g] - 1) // without the link itself, whose distance is 0
			} else {
				b = min(b, distance)
			}
		}
		if most := max(a, b); most > 0 {
			sum += (b - a) / most
		}
	}
	return sum / float64(len(p.of))
}

// ordered returns the group of each link, as the links were before load, and which group each was: in the order of their numbers of links, of as many
// in that of their first link.
func (p *parter) ordered(k int) (of, order []int32) {
	order, first := seq.Upto(int32(k)), slices.Repeat([]int{len(p.of)}, k)
	for at, g := range p.of {
		first[g] = min(first[g], p.order[at])
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.count[b], p.count[a]), cmp.Compare(first[a], first[b]))
	})
	place := make([]int32, k)
	for i, g := range order {
		place[g] = int32(i)
	}
	of = make([]int32, len(p.of))
	for at, g := range p.of {
		of[p.order[at]] = place[g]
	}
	return of, order
}
