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

	"github.com/asp2vec/asp2vec/internal/seq"
)

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
	at := seq.Places[string, int](s.Names)
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
