package eval

import "fmt"

// MultiEmbedding is a view of R vectors of D numbers that belong to N vertices, several to each: facets, personas or aspects.
//
// A vertex may have none, as one whose facets were never drawn. Such a vertex has similarity 0 to all others, as has one with
// zero vectors only.
type MultiEmbedding struct {
	First []int32   // (N+1): the vectors of vertex v are rows First[v] to First[v+1]-1; from 0 to R, never falling
	D     int       // dimension, > 0
	Data  []float32 // (R,D), row-major, R > 0
	Share []float32 // (R): weights >= 0 of the vectors of a vertex, such as p(k|v), or nil; need not add up to 1
}

// N returns the number of vertices.
func (s MultiEmbedding) N() int { return len(s.First) - 1 }

// Validate returns an error for shapes that do not fit (First must have N+1 >= 2 numbers, from 0 and never falling), for the first
// component that is NaN or infinite, and for shares that are not one finite number >= 0 a vector.
func (s MultiEmbedding) Validate() error {
	if len(s.First) < 2 || s.First[0] != 0 {
		return fmt.Errorf("eval: several vectors: First of %d numbers: expected N+1 for N > 0 vertices, the first 0", len(s.First))
	}
	for v := range s.N() {
		if s.First[v] > s.First[v+1] {
			return fmt.Errorf("eval: several vectors: those of vertex %d begin at row %d and end before row %d: expected the end no earlier", v, s.First[v], s.First[v+1])
		}
	}
	e := s.rows()
	if err := e.Validate(); err != nil {
		return err
	}
	if s.Share != nil && len(s.Share) != e.N {
		return fmt.Errorf("eval: several vectors: %d shares for %d vectors: expected one for each", len(s.Share), e.N)
	}
	for r, x := range s.Share {
		if !(x >= 0) || !finite32(x) {
			return fmt.Errorf("eval: several vectors: share of vector %d is %v: expected a finite number >= 0", r, x)
		}
	}
	return nil
}

// rows is the table of all vectors.
func (s MultiEmbedding) rows() Embedding {
	return Embedding{N: int(s.First[s.N()]), D: s.D, Data: s.Data}
}

// means returns the mean of each vertex's vectors (N,D); zeros where it has none.
func (s MultiEmbedding) means() Embedding {
	rows, out := s.rows(), Embedding{N: s.N(), D: s.D, Data: make([]float32, s.N()*s.D)}
	sum := make([]float64, s.D)
	for v := range s.N() {
		clear(sum)
		for r := s.First[v]; r < s.First[v+1]; r++ {
			axpy(sum, 1/float64(s.First[v+1]-s.First[v]), rows.Row(int(r)))
		}
		for j, x := range sum {
			out.Data[v*s.D+j] = float32(x)
		}
	}
	return out
}
