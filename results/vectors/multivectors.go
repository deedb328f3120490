package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		return fmt.Errorf("vectors: several vectors: %d names and %d first rows: want N+1 for N > 0 names, from 0", n, len(s.First))
	}
	for v, name := range s.Names {
		if s.First[v] > s.First[v+1] {
			return fmt.Errorf("vectors: several vectors: those of %q begin at row %d and end before row %d: want the end no earlier", name, s.First[v], s.First[v+1])
		}
	}
	rows := int(s.First[n])
	if rows == 0 || s.D <= 0 || len(s.Data)/s.D != rows || len(s.Data)%s.D != 0 {
		return fmt.Errorf("vectors: several vectors: %d numbers for %d vectors of dimension %d: want R*D > 0", len(s.Data), rows, s.D)
	}
	if s.Share != nil && len(s.Share) != rows {
		return fmt.Errorf("vectors: several vectors: %d shares for %d vectors: want one for each", len(s.Share), rows)
	}
	for v, name := range s.Names {
		for r := int(s.First[v]); r < int(s.First[v+1]); r++ {
			for j, x := range s.Data[r*s.D : (r+1)*s.D] {
				if x-x != 0 {
					return fmt.Errorf("vectors: vector %d of %q: dimension %d is %v: want finite numbers", r-int(s.First[v]), name, j, x)
				}
			}
			if s.Share != nil && !(s.Share[r] >= 0 && s.Share[r] <= math.MaxFloat32) {
				return fmt.Errorf("vectors: vector %d of %q: share %v: want a finite number >= 0", r-int(s.First[v]), name, s.Share[r])
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
		return nil, fmt.Errorf("vectors: %d vectors for each of %d vertices: want at least one, and no more than 2^31 in all", k, n)
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

// ReadMultiVectors reads several vectors for each vertex: those of the folder of a run, from aspects.npy or from personas.npy and
// personas.txt, with the shares of share.npy if it is there; those of a .npz file as WriteNPZ writes; or those of a .npy file
// of shape (N,K,D). verticesPath is as for
// ReadEmbedding. The rows of personas.npy may be in any order; those of a vertex keep theirs.
//
// It returns an error for files that are missing or do not fit each other, numbers that are not finite, names that
// vertices.txt does not have, and for other kinds of files, which hold one vector for each vertex.
func ReadMultiVectors(path, verticesPath string) (*MultiVectors, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	array, folder := path, filepath.Dir(path)
	if isNPZ(path) && !fi.IsDir() {
		e, err := ReadWhole(path, verticesPath)
		if err == nil && e.MultiVectors == nil {
			err = fmt.Errorf("vectors: %s contains one vector per vertex: want several", path)
		}
		if err != nil {
			return nil, err
		}
		return e.MultiVectors, nil
	}
	switch {
	case fi.IsDir() && verticesPath != "":
		return nil, fmt.Errorf("vectors: %s contains names: want no file of vertices (%s)", path, verticesPath)
	case fi.IsDir():
		folder = path
		if array, err = arrayOf(path); err != nil {
			return nil, err
		}
	case !strings.EqualFold(filepath.Ext(path), ".npy"):
		return nil, fmt.Errorf("vectors: %s contains one vector per vertex: want the folder of a run, or a .npy file of shape (N,K,D)", path)
	}
	numbers, names, err := readNamed(array, cmp.Or(verticesPath, filepath.Join(folder, VerticesFile)))
	if err != nil {
		return nil, err
	}
	s, shape := MultiVectors{Names: names, Data: numbers.Data}, numbers.Shape
	if fi.IsDir() {
		if err := s.readShare(filepath.Join(path, ShareFile)); err != nil {
			return nil, err
		}
	}
	if fi.IsDir() && filepath.Base(array) == PersonasFile {
		err = s.group(shape, filepath.Join(path, OwnersFile))
	} else {
		err = s.cut(shape)
	}
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, array)
	}
	return &s, nil
}

// arrayOf returns the file of the folder of a run that holds several vectors for each vertex.
func arrayOf(dir string) (string, error) {
	var found []string
	for _, name := range []string{AspectsFile, PersonasFile} {
		if path := filepath.Join(dir, name); exists(path) {
			found = append(found, path)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("vectors: %s holds %d of %s and %s: want one, with several vectors for each vertex", dir, len(found), AspectsFile, PersonasFile)
	}
	return found[0], nil
}

// exists says whether there is something at path, even if it cannot be read.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// readShare reads the shares at path, if there is such a file.
func (s *MultiVectors) readShare(path string) error {
	if !exists(path) {
		return nil
	}
	a, err := ReadArray(path)
	if err == nil && len(a.Shape) != 1 {
		err = fmt.Errorf("vectors: %s: shape %v: want (R), one share for each vector", path, a.Shape)
	}
	s.Share = a.Data
	return err
}

// cut shares the rows of an array (N,K,D) out evenly.
func (s *MultiVectors) cut(shape []int) (err error) {
	if len(shape) != 3 || shape[0] != len(s.Names) {
		return fmt.Errorf("vectors: shape %v with %d names: want (N,K,D), several vectors for each name", shape, len(s.Names))
	}
	s.D = shape[2]
	s.First, err = evenly(shape[0], shape[1])
	return err
}

// group brings the rows of an array (R,D), whose names are the lines of the file at path, into the order of s.Names.
func (s *MultiVectors) group(shape []int, path string) error {
	if len(shape) != 2 || shape[1] == 0 || shape[0] > math.MaxInt32 {
		return fmt.Errorf("vectors: shape %v: want (R,D), one vector for each line of %s", shape, path)
	}
	if s.Share != nil && len(s.Share) != shape[0] {
		return fmt.Errorf("vectors: %d shares for %d vectors: want one for each", len(s.Share), shape[0])
	}
	at := make(map[string]int, len(s.Names))
	for v, n := range s.Names {
		at[n] = v
	}
	owner, err := ReadFile(path, func(r io.Reader, path string) (owner []int, err error) { // of each row
		return owner, scanNames(r, path, func(name string) error {
			v, ok := at[name]
			switch {
			case !ok:
				return fmt.Errorf("name %q is not in %s", name, VerticesFile)
			case len(owner) == shape[0]:
				return fmt.Errorf("one name more than the %d vectors", shape[0])
			}
			owner = append(owner, v)
			return nil
		})
	})
	if err != nil {
		return err
	}
	if len(owner) != shape[0] {
		return fmt.Errorf("vectors: %d names in %s for %d vectors: want one for each", len(owner), path, shape[0])
	}
	s.D = shape[1]
	s.First = make([]int32, len(s.Names)+1)
	for _, v := range owner {
		s.First[v+1]++
	}
	for v := range s.Names {
		s.First[v+1] += s.First[v]
	}
	data, share, next := slices.Clone(s.Data), slices.Clone(s.Share), slices.Clone(s.First)
	for r, v := range owner {
		to := int(next[v])
		next[v]++
		copy(s.Data[to*s.D:(to+1)*s.D], data[r*s.D:])
		if share != nil {
			s.Share[to] = share[r]
		}
	}
	return nil
}
