package hetnet

import (
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// triple is a paper, an author of its own or near it, and another author.
type triple struct{ paper, own, other int32 }

// places gives the papers or authors of a batch places of their own, so that a graph looks them up among few.
type places struct {
	place []int32 // of each of them all, or -1
	met   []int32 // in the order of their places
}

func newPlaces(n int) *places { return &places{place: slices.Repeat([]int32{-1}, n)} }

// of returns the place of v in the batch.
func (p *places) of(v int32) int {
	if p.place[v] < 0 {
		p.place[v] = int32(len(p.met))
		p.met = append(p.met, v)
	}
	return int(p.place[v])
}

// another returns a place that is of no vertex.
func (p *places) another() int {
	p.met = append(p.met, -1)
	return len(p.met) - 1
}

// reset forgets the batch.
func (p *places) reset() {
	for _, v := range p.met {
		if v >= 0 {
			p.place[v] = -1
		}
	}
	p.met = p.met[:0]
}

// gather copies the rows of a table that are in the batch to the beginning of another.
func (p *places) gather(to, from *engine.Table) {
	for i, v := range p.met {
		copy(to.Row(i), from.Row(int(v)))
	}
}

// gradient returns what Optimizer.MoveDecayed asks for: the gradient of each row from that of the rows in the batch.
func (p *places) gradient(width int, grad []float32) func(v int) []float32 {
	return func(v int) []float32 {
		if i := int(p.place[v]); i >= 0 {
			return grad[i*width:][:width]
		}
		return nil
	}
}

// directPairs are the training papers, each with its authors.
type directPairs struct {
	b     *typed.Authorship
	pairs []triple // without other authors
	seed  uint64
}

// newDirectPairs returns those of authors with so many papers. It returns an error if some paper has every author, so that there is none to tell its own from.
func newDirectPairs(b *typed.Authorship, least int, seed uint64) (*directPairs, error) {
	d := &directPairs{b: b, seed: seed}
	all := len(b.PapersOf)
	for p, authors := range b.AuthorsOf {
		if len(authors) >= all {
			return nil, fmt.Errorf("hetnet: paper %q has all %d authors: expected others to rank them among", b.Names[b.Paper][p], all)
		}
		for _, a := range authors {
			if len(b.PapersOf[a]) >= least {
				d.pairs = append(d.pairs, triple{paper: int32(p), own: a})
			}
		}
	}
	if len(d.pairs) == 0 && len(b.AuthorsOf) > 0 { // a model that is loaded needs no papers
		return nil, fmt.Errorf("hetnet: bibliography %q has no training paper with an author who has %d: expected at least one", b.Name, least)
	}
	return d, nil
}

// epoch returns a triple for each pair in random order, with another author drawn uniformly.
func (d *directPairs) epoch(number int) []triple {
	s := rng.New(d.seed, "direct", uint64(number))
	list := make([]triple, len(d.pairs))
	for i, j := range s.Perm(len(list)) {
		t := d.pairs[j]
		t.other = d.other(s, t.paper)
		list[i] = t
	}
	return list
}

// other draws an author that is not one of the paper's.
func (d *directPairs) other(s *rng.Stream, paper int32) int32 {
	own := d.b.AuthorsOf[paper]
	for {
		if a := int32(s.Intn(len(d.b.PapersOf))); !slices.Contains(own, a) {
			return a
		}
	}
}

// indirectPairs are papers with authors that walks have near them and that are not their own, as often as walks have them.
type indirectPairs struct {
	direct  *directPairs
	authors [][]int32 // near each paper, in increasing order
	count   int       // of all of them
}

// newIndirectPairs walks along each of the meta-paths that o names, and takes the authors up to o.Window before and after
// each paper. It returns an error if a meta-path does not do, or ctx's.
func newIndirectPairs(ctx context.Context, d *directPairs, o graphs.Options, threads int) (*indirectPairs, error) {
	p := &indirectPairs{direct: d, authors: make([][]int32, len(d.b.AuthorsOf))}
	author, paper := d.b.Author, d.b.Paper
	paths, err := metaPaths(d.b.Network, o, author)
	if err != nil {
		return nil, fmt.Errorf("%w; or leave it out of meta-paths = %q", err, Own(o).MetaPaths)
	}
	layout := paths[0].Layout()
	if !slices.Contains(layout.Types, paper) {
		return nil, fmt.Errorf("hetnet: meta-paths %s pass no %s, whose texts are read: expected one that does", Own(o).MetaPaths, d.b.Types[paper].Name)
	}
	for _, m := range paths {
		stored, err := walks.Store(ctx, m, threads)
		if err != nil {
			return nil, err
		}
		for w := range stored.Walks() {
			p.near(stored.Walk(w, nil), layout.First(paper), layout.First(author), o.Window)
		}
	}
	for _, near := range p.authors {
		slices.Sort(near)
	}
	return p, ctx.Err()
}

// near adds, for each paper of a walk, each author in its window that is not its own. Papers are vertices from
// first on, authors from firstAuthor on.
func (p *indirectPairs) near(walk []int32, first, firstAuthor int32, window int) {
	authors, papers := int32(len(p.direct.b.PapersOf)), int32(len(p.direct.b.AuthorsOf))
	for i, v := range walk {
		if v < first || v >= first+papers {
			continue
		}
		own := p.direct.b.AuthorsOf[v-first]
		for _, a := range walk[max(0, i-window):min(len(walk), i+window+1)] {
			if a -= firstAuthor; a >= 0 && a < authors && !slices.Contains(own, a) {
				p.authors[v-first] = append(p.authors[v-first], a)
				p.count++
			}
		}
	}
}

// epoch returns about as many triples as there are direct pairs, in random order: each pair with the probability
// direct/indirect + 0.003. The other author is one that is neither the paper's own nor near it.
func (p *indirectPairs) epoch(number int) []triple {
	s := rng.New(p.direct.seed, "indirect", uint64(number))
	keep := float64(len(p.direct.pairs))/float64(max(p.count, 1)) + 0.003
	var list []triple
	for paper, near := range p.authors {
		for _, a := range near {
			if s.Float64() < keep {
				list = append(list, triple{int32(paper), a, p.other(s, int32(paper), near)})
			}
		}
	}
	shuffled := make([]triple, len(list))
	for i, j := range s.Perm(len(list)) {
		shuffled[i] = list[j]
	}
	return shuffled
}

// other draws an author that is neither the paper's own nor near it. Where nearly all are near, one that is not its own.
func (p *indirectPairs) other(s *rng.Stream, paper int32, near []int32) int32 {
	const draws = 100
	for range draws {
		a := p.direct.other(s, paper)
		if _, found := slices.BinarySearch(near, a); !found {
			return a
		}
	}
	return p.direct.other(s, paper)
}
