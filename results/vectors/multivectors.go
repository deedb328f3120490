package vectors

import (
	"fmt"
	"math"
)

// MultiVectors is a table of R vectors of D numbers, several for each of N names: aspects, facets or personas. A name may have
// none.
type MultiVectors struct {
	Names []string  // (N)
	First []int32   // (N+1): the vectors of name v are rows First[v] to First[v+1]-1; from 0 to R, never falling
	D     int       //
	Data  []float32 // (R,D), R > 0
	Share []float32 // (R): weights >= 0 of the vectors of a name, or nil
}

// check reports shapes that do not fit, and numbers that a reader would refuse.
func (s *MultiVectors) check() error {
	n := len(s.Names)
	if n == 0 || len(s.First) != n+1 || s.First[0] != 0 {
		return fmt.Errorf("vectors: several vectors: %d names and %d first rows: expected N+1 for N > 0 names, from 0", n, len(s.First))
	}
	for v, name := range s.Names {
		if s.First[v] > s.First[v+1] {
			return fmt.Errorf("vectors: several vectors: those of %q begin at row %d and end before row %d: expected the end no earlier", name, s.First[v], s.First[v+1])
		}
	}
	rows := int(s.First[n])
	if rows == 0 || s.D <= 0 || len(s.Data)/s.D != rows || len(s.Data)%s.D != 0 {
		return fmt.Errorf("vectors: several vectors: %d numbers for %d vectors of dimension %d: expected R*D > 0", len(s.Data), rows, s.D)
	}
	if s.Share != nil && len(s.Share) != rows {
		return fmt.Errorf("vectors: several vectors: %d shares for %d vectors: expected one for each", len(s.Share), rows)
	}
	for v, name := range s.Names {
		for r := int(s.First[v]); r < int(s.First[v+1]); r++ {
			for j, x := range s.Data[r*s.D : (r+1)*s.D] {
				if x-x != 0 {
					return fmt.Errorf("vectors: vector %d of %q: dimension %d is %v: expected finite numbers", r-int(s.First[v]), name, j, x)
				}
			}
			if s.Share != nil && !(s.Share[r] >= 0 && s.Share[r] <= math.MaxFloat32) {
				return fmt.Errorf("vectors: vector %d of %q: share %v: expected a finite number >= 0", r-int(s.First[v]), name, s.Share[r])
			}
		}
	}
	return nil
}

// Align returns the vectors of names, in their order, as the vertices of a split want them; those of other names are left out.
// It fails when a name is not in the table.
func (s *MultiVectors) Align(names []string) (*MultiVectors, error) {
	rows, err := rowsOf(s.Names, names)
	if err != nil {
		return nil, err
	}
	out := &MultiVectors{Names: names, First: make([]int32, 1, len(names)+1), D: s.D}
	for _, v := range rows {
		lo, hi := int(s.First[v]), int(s.First[v+1])
		out.Data = append(out.Data, s.Data[lo*s.D:hi*s.D]...)
		if s.Share != nil {
			out.Share = append(out.Share, s.Share[lo:hi]...)
		}
		out.First = append(out.First, out.First[len(out.First)-1]+int32(hi-lo))
	}
	return out, nil
}

// evenly returns the first rows of n names with k vectors each.
func evenly(n, k int) ([]int32, error) {
	if k <= 0 || n > math.MaxInt32/k {
		return nil, fmt.Errorf("vectors: %d vectors for each of %d vertices: expected at least one, and no more than 2^31 in all", k, n)
	}
	first := make([]int32, n+1)
	for v := range first {
		first[v] = int32(v * k)
	}
	return first, nil
}

// even returns how many vectors each name has, 0 if not all have as many.
func even(first []int32) int {
	k := 0
	for v := range len(first) - 1 {
		n := int(first[v+1] - first[v])
		if v > 0 && n != k {
			return 0
		}
		k = n
	}
	return k
}

// owners returns the name of each row.
func (s *MultiVectors) owners() []string {
	out := make([]string, 0, s.First[len(s.Names)])
	for v, name := range s.Names {
		for range s.First[v+1] - s.First[v] {
			out = append(out, name)
		}
	}
	return out
}
