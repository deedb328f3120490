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

	"github.com/asp2vec/asp2vec/results"
)

// ReadWhole reads all that there is of an embedding at path: the folder of a run, with its record; a .npz file as WriteNPZ writes; a
// word2vec text file (gzip or not); or a .npy file of shape (N,D) or (N,K,D), whose names
// are the lines of the file verticesPath. That must be "" for the others, which hold their names, and may be "" for a .npy file that
// lies beside a vertices.txt.
//
// It returns an error for files that cannot be read, are damaged or do not fit one another, and for a verticesPath where there are
// names; of a folder, center.npy, the several vectors and record.json may be missing.
func ReadWhole(path, verticesPath string) (e *Embedding, err error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	name := strings.ToLower(filepath.Base(path))
	switch {
	case !fi.IsDir() && strings.HasSuffix(name, ".npy"):
		e, err = readArrayFile(path, cmp.Or(verticesPath, filepath.Join(filepath.Dir(path), VerticesFile)))
	case verticesPath != "":
		return nil, fmt.Errorf("vectors: %s contains names: expected no file of vertices (%s)", path, verticesPath)
	case fi.IsDir():
		e, err = readRun(path)
	case strings.HasSuffix(name, ".npz"):
		e, err = readNPZFile(path)
	case strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".bin"):
		return nil, fmt.Errorf("vectors: %s is a binary file of word2vec: expected text, as gensim writes with binary=False", path)
	default:
		e, err = readTable(path)
	}
	if err != nil {
		return nil, err
	}
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, path)
	}
	return e, nil
}

// readTable reads a file of one vector for each vertex.
func readTable(path string) (*Embedding, error) {
	v, err := ReadFile(path, ReadVec)
	if err != nil {
		return nil, err
	}
	return &Embedding{Names: v.Names, D: v.D, Final: v.Data}, nil
}

// readArrayFile reads an array (N,D) or (N,K,D), and the names of its first places.
func readArrayFile(path, verticesPath string) (*Embedding, error) {
	a, err := ReadArray(path)
	if err != nil {
		return nil, err
	}
	names, err := ReadFile(verticesPath, ReadVertices)
	if err != nil {
		return nil, fmt.Errorf("names for the rows of %s: %w", path, err)
	}
	if len(a.Shape) != 2 && len(a.Shape) != 3 {
		return nil, fmt.Errorf("vectors: %s: shape %v: expected (N,D), one vector for each vertex, or (N,K,D)", path, a.Shape)
	}
	if len(names) != a.Shape[0] {
		return nil, fmt.Errorf("vectors: %d names in %s for %d rows of %s: expected one for each", len(names), verticesPath, a.Shape[0], path)
	}
	if len(a.Shape) == 2 {
		return &Embedding{Names: names, D: a.Shape[1], Final: a.Data}, nil
	}
	s, err := evenVectors(names, a.Data, a.Shape)
	if err != nil {
		return nil, fmt.Errorf("vectors: %s: %w", path, err)
	}
	return &Embedding{Names: names, D: s.D, MultiVectors: s}, nil
}

// evenVectors returns an array (N,K,D) of as many vectors for each name.
func evenVectors(names []string, data []float32, shape []int) (*MultiVectors, error) {
	if len(shape) != 3 || shape[0] != len(names) {
		return nil, fmt.Errorf("shape %v with %d names: expected (N,K,D), several vectors for each name", shape, len(names))
	}
	first, err := evenly(shape[0], shape[1])
	return &MultiVectors{Names: names, First: first, D: shape[2], Data: data}, err
}

// readRun reads the folder of a run.
func readRun(dir string) (e *Embedding, err error) {
	switch {
	case exists(filepath.Join(dir, EmbeddingFile)):
		e, err = readFiles(dir)
	case exists(filepath.Join(dir, PackedFile)):
		e, err = readNPZFile(filepath.Join(dir, PackedFile))
	default:
		return nil, fmt.Errorf("vectors: %s: expected the folder of a trained model, which holds %s", dir, EmbeddingFile)
	}
	if err != nil {
		return nil, err
	}
	record, err := results.ReadRecord(dir)
	switch {
	case err == nil:
		e.Record = &record
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return e, nil
}

// readFiles reads the files of the folder of a run.
func readFiles(dir string) (*Embedding, error) {
	e, err := readTable(filepath.Join(dir, EmbeddingFile))
	if err != nil {
		return nil, err
	}
	var center, aspects, personas, share Array
	for _, a := range []struct {
		file string
		*Array
	}{{CenterFile, &center}, {AspectsFile, &aspects}, {PersonasFile, &personas}, {ShareFile, &share}} {
		if path := filepath.Join(dir, a.file); exists(path) {
			if *a.Array, err = ReadArray(path); err != nil {
				return nil, err
			}
		}
	}
	if center.Shape != nil || aspects.Shape != nil || personas.Shape != nil {
		names, err := ReadFile(filepath.Join(dir, VerticesFile), ReadVertices)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(names, e.Names) {
			return nil, fmt.Errorf("vectors: %s: %s and %s have not the same vertices in one order: expected them as they were written", dir, VerticesFile, EmbeddingFile)
		}
		owners := func() ([]int32, error) { return readOwners(filepath.Join(dir, OwnersFile), e.Names) }
		if err := e.place(center, aspects, personas, share, owners); err != nil {
			return nil, fmt.Errorf("vectors: %s: %w", dir, err)
		}
	}
	return e, nil
}

// place sets the tables beside the final vectors, from the arrays that are there; first reads the first rows of personas.
func (e *Embedding) place(center, aspects, personas, share Array, first func() ([]int32, error)) (err error) {
	n := len(e.Names)
	if center.Shape != nil {
		if !slices.Equal(center.Shape, []int{n, e.D}) {
			return fmt.Errorf("centres of shape %v: expected (%d,%d)", center.Shape, n, e.D)
		}
		e.Center = center.Data
	}
	switch {
	case aspects.Shape != nil && personas.Shape != nil:
		return errors.New("aspects and personas: expected one of them")
	case aspects.Shape != nil:
		if e.MultiVectors, err = evenVectors(e.Names, aspects.Data, aspects.Shape); err != nil {
			return err
		}
	case personas.Shape != nil:
		if len(personas.Shape) != 2 || personas.Shape[0] > math.MaxInt32 {
			return fmt.Errorf("personas of shape %v: expected (R,D), one vector a row", personas.Shape)
		}
		rows, err := first()
		if err != nil {
			return err
		}
		e.MultiVectors = &MultiVectors{Names: e.Names, First: rows, D: personas.Shape[1], Data: personas.Data}
	default:
		return nil
	}
	e.MultiVectors.Share = share.Data
	return nil
}

// readOwners reads whose vectors rows hold, a name a line: those of a vertex together, in the order of names. It returns the first row of each.
func readOwners(path string, names []string) ([]int32, error) {
	first, v := make([]int32, len(names)+1), 0
	rows, err := ReadFile(path, func(r io.Reader, path string) (int, error) {
		return EachLine(r, path, func(row int, line []byte) error {
			for v < len(names) && names[v] != string(line) {
				v++
				first[v] = int32(row - 1)
			}
			if v == len(names) {
				return fmt.Errorf("name %.60q is not in %s, or not in that order", line, VerticesFile)
			}
			return nil
		})
	})
	for v < len(names) {
		v++
		first[v] = int32(rows)
	}
	return first, err
}

// exists says whether there is something at path, even if it cannot be read.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
