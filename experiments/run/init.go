package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// ReadInit reads vectors that a run may begin with: of the folder of a run, or of a file that results.ReadWhole reads. They may be of other
// vertices than the run's: those that have none there begin at random. It returns an error for files that cannot be read or do not fit
// one another.
func ReadInit(path string) (*Parent, error) {
	e, err := vectors.ReadWhole(path, "")
	if err != nil {
		return nil, err
	}
	p := &Parent{Dim: e.D, names: e.Names, vectors: e}
	if e.Record != nil {
		p.Record = *e.Record
	}
	if p.whole(p.Record.Method) {
		p.Aspects = e.Aspects()
	}
	several := e.MultiVectors
	if several == nil {
		several = &vectors.MultiVectors{}
	}
	p.sum = sumOf([]byte(strings.Join(e.Names, "\n")), several.First, e.Final, e.Center, several.Data)
	return p, nil
}

// whole says whether the vectors are all that training of a method moves, and not its final vectors alone.
func (p *Parent) whole(method string) bool {
	e := p.vectors
	return slices.Contains(parents, method) && p.Record.Method == method && e.Center != nil && e.Aspects() > 0 && e.MultiVectors.D == e.D
}

// begin sets what a run on the vertices of some names begins with, and names its parent in the record. Without a parent it does nothing.
// Where vectors are one for each vertex, or of another method or another number of aspects, that one is the centre and all aspects, as after
// a warm-up.
func (p *Parent) begin(in *graphs.Input, names []string, o graphs.Options, r *results.Record) error {
	if p == nil {
		return nil
	}
	e := p.vectors
	if !slices.Contains(parents, o.Method.Name) {
		return fmt.Errorf("experiments: %s cannot start from vectors: expected one of %s", o.Method.Name, strings.Join(parents, ", "))
	}
	if learns := o.Learns(); len(learns) > 0 {
		return fmt.Errorf("experiments: the loss or a layer learns %s, which vectors do not have: expected training from the start", strings.Join(learns, ", "))
	}
	if e.D != o.Dim {
		return fmt.Errorf("experiments: initial vectors of dimension %d, and dim = %d: expected the same", e.D, o.Dim)
	}
	at := seq.Places[string, int](e.Names)
	k, d := o.Aspects, o.Dim
	center, aspects := engine.NewTable("P", len(names), d), engine.NewTable("Q", len(names), k, d)
	begun := make([]bool, len(names))
	known, whole := 0, p.whole(o.Method.Name) && e.Aspects() == k
	for v, name := range names {
		u, ok := at[name]
		if !ok {
			continue
		}
		begun[v], known = true, known+1
		if whole {
			copy(center.Row(v), e.Center[u*d:(u+1)*d])
			copy(aspects.Row(v), e.MultiVectors.Data[u*k*d:(u+1)*k*d])
			continue
		}
		copy(center.Row(v), e.Final[u*d:(u+1)*d])
	}
	if known == 0 {
		return fmt.Errorf("experiments: none of the %d vertices has an initial vector: expected the same ids, such as %q for %q", len(names), names[0], e.Names[0])
	}
	r.Parent = p.named()
	if in.Begin, in.Begun = [][]float32{center.X, aspects.X}, begun; !whole {
		in.Begin = graphs.Beginning(center.X, o)
	}
	return nil
}
