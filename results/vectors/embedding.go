package vectors

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/asp2vec/asp2vec/results"
)

// Embedding is all that files keep of an embedding.
type Embedding struct {
	Names        []string        // (N)
	D            int             //
	Final        []float32       // (N,D); nil of a .npy file that holds several vectors for each vertex
	Center       []float32       // (N,D), or nil for a method without
	MultiVectors *MultiVectors   // of the same names in the same order: aspects, facets or personas; nil for a method without
	Contexts     *MultiVectors   // in their place where they are those of vertices as targets of links, as of deepwalk and ppr
	Record       *results.Record // nil where there is none
	Run          string          // whose vectors they are, of a .npz file that says so: its comment
}

// check reports tables that do not fit one another.
func (e *Embedding) check() error {
	const maxName = 1 << 13 // bytes: an id of a network has at most half as many
	for i, name := range e.Names {
		if len(name) > maxName {
			return fmt.Errorf("vectors: name %d, %.20q..., has %d bytes: expected at most %d", i, name, len(name), maxName)
		}
	}
	v := Vectors{Names: e.Names, N: len(e.Names), D: e.D, Data: e.Final}
	if e.Final != nil || e.MultiVectors == nil {
		if err := v.check(); err != nil {
			return err
		}
	}
	if e.Center != nil {
		if v.Data = e.Center; v.check() != nil {
			return fmt.Errorf("vectors: centres: %w", v.check())
		}
	}
	if e.MultiVectors == nil {
		return nil
	}
	if len(e.MultiVectors.Names) != len(e.Names) {
		return fmt.Errorf("vectors: several vectors of %d vertices, and one of %d: expected those of the same", len(e.MultiVectors.Names), len(e.Names))
	}
	return e.MultiVectors.check()
}

// Aspects returns K, where each vertex has K vectors beside its final one, or 0.
func (e *Embedding) Aspects() int {
	if e.MultiVectors == nil {
		return 0
	}
	return even(e.MultiVectors.First)
}

// Most returns the largest number of vectors that a vertex has beside its final one.
func (e *Embedding) Most() int {
	most := 0
	if e.MultiVectors != nil {
		for v := range e.Names {
			most = max(most, int(e.MultiVectors.First[v+1]-e.MultiVectors.First[v]))
		}
	}
	return most
}

// Aspect returns the k-th of the several vectors, from 0, of each vertex that has as many. k is from 0 to Most()-1.
func (e *Embedding) Aspect(k int) *Vectors {
	v := &Vectors{D: e.MultiVectors.D}
	for i, name := range e.Names {
		if r := int(e.MultiVectors.First[i]) + k; r < int(e.MultiVectors.First[i+1]) {
			v.Names = append(v.Names, name)
			v.Data = append(v.Data, e.MultiVectors.Data[r*v.D:(r+1)*v.D]...)
		}
	}
	v.N = len(v.Names)
	return v
}

// The tables of an embedding that can serve as one vector for each vertex.
const (
	TableFinal   = "final"
	TableCenter  = "center"
	TableAspects = "aspects" // end to end: K·D numbers
	TableConcat  = "concat"  // centre and aspects end to end: (K+1)·D numbers
)

// Tables returns the names of the tables that Table knows.
func Tables() []string { return []string{TableFinal, TableCenter, TableAspects, TableConcat} }

// Table returns one vector for each vertex. It returns an error where there is no such table, or not as many aspects for
// each vertex, and for an unknown name.
func (e *Embedding) Table(name string) (*Vectors, error) {
	v := &Vectors{Names: e.Names, N: len(e.Names), D: e.D, Data: e.Final}
	switch name {
	case TableFinal:
		if e.Final == nil {
			return nil, errors.New("vectors: an embedding with several vectors for each vertex, and no final one: expected shape (N,D)")
		}
		return v, nil
	case TableCenter:
		if e.Center == nil {
			return nil, errors.New("vectors: an embedding without centres: expected vectors final")
		}
		v.Data = e.Center
		return v, nil
	case TableAspects:
		k := e.Aspects()
		if e.MultiVectors == nil {
			return nil, errors.New("vectors: an embedding without aspects: expected vectors final")
		}
		if k == 0 || k > math.MaxInt32/e.MultiVectors.D {
			return nil, errors.New("vectors: vertices have not as many vectors as each other: expected vectors final")
		}
		v.D, v.Data = k*e.MultiVectors.D, e.MultiVectors.Data
		return v, nil
	case TableConcat:
		center, err := e.Table(TableCenter)
		if err != nil {
			return nil, err
		}
		aspects, err := e.Table(TableAspects)
		if err != nil {
			return nil, err
		}
		v.D, v.Data = center.D+aspects.D, nil
		for i := range v.N {
			v.Data = append(append(v.Data, center.Data[i*center.D:(i+1)*center.D]...), aspects.Data[i*aspects.D:(i+1)*aspects.D]...)
		}
		return v, nil
	}
	return nil, fmt.Errorf("vectors: vectors %q: expected %s", name, strings.Join(Tables(), ", "))
}
