package eval

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/mat"
)

// pairFeatures tells what vectors and the training network say of a pair of vertices, in numbers that no
// rotation of the vectors changes.
type pairFeatures struct {
	names    []string
	directed bool
	sides    []side
	products []sidePair
	spreads  []*spreadProduct
	network  [][]float64 // of each vertex: logarithms of what the network says of it
}

// A side is one or several vectors for each vertex: those of sources, of targets, or the final ones.
type side struct {
	name    string
	rows    MultiEmbedding
	several bool      // a vertex may have other than one
	lengths []float64 // of each vector
	length  []float64 // logarithm of the length of a vertex's vectors together
	mean    Embedding // of a vertex's vectors
	root    *mat.Dense
}

// sidePair is two sides whose vectors are multiplied.
type sidePair struct{ from, to int }

// One vector for each vertex as several.
func single(e Embedding) MultiEmbedding {
	first := make([]int32, e.N+1)
	for v := range first {
		first[v] = int32(v)
	}
	return MultiEmbedding{First: first, D: e.D, Data: e.Data}
}

// newPairFeatures returns the features of pairs by all vectors that there are, which may be none, and by the
// training links of a split.
func newPairFeatures(ctx context.Context, v Vectors, s *network.Split, threads int) (*pairFeatures, error) {
	p := &pairFeatures{directed: s.Directed}
	n := len(s.Names)
	add := func(name string, m MultiEmbedding) error {
		if m.N() != n {
			return errors.New("eval: score fitted: vectors of other vertices than those of the split: expected the same")
		}
		all := side{name: name, rows: m, several: several(m), length: make([]float64, n)}
		square, err := squares(ctx, m.rows(), threads)
		if err != nil {
			return err
		}
		all.lengths = make([]float64, len(square))
		for v := range n {
			sum := 0.
			for r := m.First[v]; r < m.First[v+1]; r++ {
				all.lengths[r] = math.Sqrt(square[r])
				sum += square[r]
			}
			all.length[v] = math.Log(math.Sqrt(sum) + shortest)
		}
		if all.mean = m.rows(); all.several {
			all.mean = m.means()
		}
		all.root, err = rootMoments(ctx, all.mean)
		p.sides = append(p.sides, all)
		return err
	}
	var err error
	if v.One.N > 0 {
		err = add("final", single(v.One))
	}
	switch {
	case v.Sides != nil:
		err = errors.Join(err, add("source", single(v.Sides.Source)), add("target", v.Sides.Target))
	case v.Several.First != nil:
		err = errors.Join(err, add("vector", v.Several))
	}
	if err != nil {
		return nil, err
	}
	p.name()
	for _, pair := range p.products {
		if a, b := p.sides[pair.from].name, p.sides[pair.to].name; a == b && a != "final" && a != "vector" {
			continue // what two sources have in common is no link
		}
		x, err := spreadOf(ctx, p.sides, pair, threads)
		if err != nil {
			return nil, err
		}
		p.spreads = append(p.spreads, x)
		for _, word := range []string{"inner product", "cosine"} {
			p.names = append(p.names, word+" by spread, "+p.sides[pair.from].name+" and "+p.sides[pair.to].name)
		}
	}
	p.network = networkFeatures(s)
	return p, ctx.Err()
}

// shortest is added to lengths, so that zero vectors have a logarithm.
const shortest = 1e-6

// name lists the features.
func (p *pairFeatures) name() {
	for i, a := range p.sides {
		for j, b := range p.sides {
			if (a.name == "final") != (b.name == "final") || !p.directed && i > j {
				continue // the final vectors are made of the others; without directions both orders are one
			}
			p.products = append(p.products, sidePair{i, j})
			words := []string{"inner product", "cosine"}
			if a.several || b.several {
				words = []string{"largest inner product", "log-sum-exp of inner products", "mean inner product", "largest cosine", "mean cosine"}
			}
			for _, word := range words {
				p.names = append(p.names, word+", "+a.name+" and "+b.name)
			}
		}
	}
	ends := func(name string) {
		if p.directed {
			p.names = append(p.names, name+" of the source", name+" of the target")
		} else {
			p.names = append(p.names, name+", sum", name+", difference")
		}
	}
	for _, s := range p.sides {
		ends("length of " + s.name)
	}
	for _, name := range networkNames(p.directed) {
		ends(name)
	}
}

// several reports whether a vertex has other than one vector.
func several(m MultiEmbedding) bool {
	for v := range m.N() {
		if m.First[v+1]-m.First[v] != 1 {
			return true
		}
	}
	return false
}

func networkNames(directed bool) []string {
	if directed {
		return []string{"links out", "links in", "PageRank", "degree of neighbours"}
	}
	return []string{"degree", "PageRank", "degree of neighbours"}
}

// fill sets dst to the features of a pair. buf is room of a goroutine's own.
func (p *pairFeatures) fill(dst []float64, l network.Link, buf *[]float64) {
	l = one(l, p.directed) // so that both directions round alike
	u, v := int(l.From), int(l.To)
	at := 0
	put := func(x float64) {
		dst[at] = x
		at++
	}
	for _, pair := range p.products {
		a, b := &p.sides[pair.from], &p.sides[pair.to]
		if !a.several && !b.several {
			x, c := between(a, b, u, v, buf)
			if !p.directed && pair.from != pair.to {
				y, d := between(a, b, v, u, buf)
				x, c = (x+y)/2, (c+d)/2
			}
			put(x)
			put(c)
			continue
		}
		f := manyBetween(a, b, u, v, buf)
		if !p.directed && pair.from != pair.to {
			g := manyBetween(a, b, v, u, buf)
			for i := range f {
				f[i] = (f[i] + g[i]) / 2
			}
		}
		for _, x := range f {
			put(x)
		}
	}
	ends := func(x []float64) {
		if p.directed {
			put(x[u])
			put(x[v])
		} else {
			put(x[u] + x[v])
			put(math.Abs(x[u] - x[v]))
		}
	}
	for i := range p.sides {
		ends(p.sides[i].length)
	}
	for _, x := range p.network {
		ends(x)
	}
	for _, s := range p.spreads {
		x, c := s.between(u, v, buf)
		if !p.directed && s.from != s.to {
			y, d := s.between(v, u, buf)
			x, c = (x+y)/2, (c+d)/2
		}
		put(x)
		put(c)
	}
}

// between returns the inner product and the cosine of a vertex's vector on one side and another's on the
// other.
func between(a, b *side, u, v int, buf *[]float64) (product, cos float64) {
	i, j := int(a.rows.First[u]), int(b.rows.First[v])
	x := wide(a.rows.rows(), i, buf)
	product = dot(x, b.rows.rows().Row(j))
	if length := a.lengths[i] * b.lengths[j]; length > 0 {
		cos = product / length
	}
	return product, cos
}

// manyBetween returns the largest inner product, the logarithm of the sum of their exponentials, their mean,
// the largest cosine and the mean cosine over all pairs of vectors of two vertices; zeros where one has none.
func manyBetween(a, b *side, u, v int, buf *[]float64) (f [5]float64) {
	n := 0.
	most, sum, cosMost := math.Inf(-1), 0., math.Inf(-1)
	rows := b.rows.rows()
	for i := int(a.rows.First[u]); i < int(a.rows.First[u+1]); i++ {
		x := wide(a.rows.rows(), i, buf)
		for j := int(b.rows.First[v]); j < int(b.rows.First[v+1]); j++ {
			y, c := dot(x, rows.Row(j)), 0.
			if length := a.lengths[i] * b.lengths[j]; length > 0 {
				c = y / length
			}
			if y > most {
				most, sum = y, sum*math.Exp(most-y)+1
			} else {
				sum += math.Exp(y - most)
			}
			n++
			f[2] += y
			f[4] += c
			cosMost = max(cosMost, c)
		}
	}
	if n == 0 {
		return f
	}
	return [5]float64{most, most + math.Log(sum), f[2] / n, cosMost, f[4] / n}
}

// wide returns a row as float64, in the room of buf.
func wide(e Embedding, row int, buf *[]float64) []float64 {
	if cap(*buf) < e.D {
		*buf = make([]float64, e.D)
	}
	x := (*buf)[:e.D]
	widen(x, e.Row(row))
	return x
}

const (
	rankSteps = 20   // of PageRank
	rankStay  = 0.85 // the probability that a walk goes on
)

// networkFeatures returns logarithms of what a training network says of each vertex: of its degree, or of the
// links out of and into it, of PageRank over its mean, and of the mean degree of its neighbours.
func networkFeatures(s *network.Split) [][]float64 {
	n := len(s.Names)
	t := newTopology(n, s.Train, s.Directed)
	column := func(of func(v int32) float64) []float64 {
		x := make([]float64, n)
		for v := range x {
			x[v] = of(int32(v))
		}
		return x
	}
	rank, next := slices.Repeat([]float64{1}, n), make([]float64, n)
	for range rankSteps {
		for v := range next {
			next[v] = 1 - rankStay
		}
		for u := range int32(n) {
			targets := t.near(u)
			if t.directed {
				targets = t.sides[outSide][u]
			}
			for _, v := range targets {
				next[v] += rankStay * rank[u] / float64(len(targets))
			}
		}
		rank, next = next, rank
	}
	around := func(v int32) float64 {
		sum := 0.
		for _, w := range t.near(v) {
			sum += t.degree[w]
		}
		return math.Log1p(sum / max(1, t.degree[v]))
	}
	degrees := [][]float64{column(func(v int32) float64 { return math.Log1p(t.degree[v]) })}
	if s.Directed {
		degrees = [][]float64{column(func(v int32) float64 { return math.Log1p(t.out(v)) }), column(func(v int32) float64 { return math.Log1p(t.in(v)) })}
	}
	return append(degrees, column(func(v int32) float64 { return math.Log(rank[v] + 1e-9) }), column(around))
}
