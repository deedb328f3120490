package vectors

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
)

// The files of a run folder.
const (
	EmbeddingFile   = "embedding.vec" // final vectors in word2vec text format
	CenterFile      = "center.npy"    // (N,D) float32
	AspectsFile     = "aspects.npy"   // (N,K,D) float32: those that a model has learned; absent for a method without
	LinkAspectsFile = "aspects.tsv"   // the aspects of the links of vertices, see aspects.Aspects.Write; it comes after the rest
	PersonasFile    = "personas.npy"  // (R,D) float32, in its place where vertices do not have as many vectors as each other
	OwnersFile      = "personas.txt"  // (R) names of the vertices that the rows of personas.npy belong to
	ShareFile       = "share.npy"     // (R) float32: weights of the rows of either; absent for a method without
	VerticesFile    = "vertices.txt"  // (N) names, in the order of the rows
	LearnedDir      = "learned"       // with a file KEY.npy (N,.) or (1,.) float32 of each table that a loss or layer has learned
	PackedFile      = "embedding.npz" // all of these in one file, of the runs of a sweep
)

// ErrExists is wrapped by the error of WriteRun and CheckRun for a folder that is not empty.
var ErrExists = atomicfile.ErrExists

// Run is what a trained model leaves in a folder.
type Run struct {
	Names   []string  // (N)
	D, K    int       // dimension; aspects, 0 for a method without and where First says how many
	Center  []float32 // (N,D), or nil to leave the file out
	Aspects []float32 // (N,K,D), or with First (R,D); nil to leave the file out
	First   []int32   // (N+1): the aspects of vertex v are rows First[v] to First[v+1]-1; nil for K each
	Share   []float32 // (R): weights of the aspects of a vertex, or nil to leave the file out
	Final   []float32 // (N,D)
	Learned []Array   // what entries of registries have learned, in a folder of its own
	Model   *Model    // of papers and authors, or nil to leave its files out
	Record  results.Record
}

// runFile is a file of a run's folder.
type runFile struct {
	name string
	fill func(io.Writer) error
	skip bool
}

// arrayFile is a file of an array.
func arrayFile(name string, skip bool, data []float32, shape ...int) runFile {
	return runFile{name, func(w io.Writer) error { return WriteNPY(w, data, shape...) }, skip}
}

// multiVectors returns the aspects of a run as a table, nil for a run without, and K if each vertex has as many.
func (r Run) multiVectors() (s *MultiVectors, k int, err error) {
	if r.Aspects == nil {
		return nil, 0, nil
	}
	s = &MultiVectors{Names: r.Names, First: r.First, D: r.D, Data: r.Aspects, Share: r.Share}
	if s.First == nil {
		if s.First, err = evenly(len(r.Names), r.K); err != nil {
			return nil, 0, err
		}
	}
	return s, even(s.First), s.check()
}

// WriteRun writes the folder of a run, whole or not at all. A folder that is there and not empty is an error that wraps
// ErrExists, unless force is true, which replaces the folder of an earlier run; a folder that holds anything else is never
// replaced. It returns an error for shapes that do not fit, vectors that are not finite, and names that vertices.txt cannot
// hold (those with a line end).
func WriteRun(dir string, force bool, run Run) error {
	n := len(run.Names)
	multiVectors, k, err := run.multiVectors()
	if err != nil {
		return err
	}
	if err := CheckRun(dir, force); err != nil {
		return err
	}
	record := run.Record
	if record.Schema == 0 {
		record.Schema = results.Schema
	}
	if err := record.Validate(); err != nil {
		return err
	}
	var model []runFile
	for _, a := range run.Learned {
		model = append(model, arrayFile(filepath.Join(LearnedDir, a.Name+parameterEnding), false, a.Data, a.Shape...))
	}
	if run.Model != nil {
		if err := run.Model.check(); err != nil {
			return err
		}
		model = append(model, run.Model.files()...)
	}
	return atomicfile.Dir(dir, force, func(tmp string) error {
		uneven := multiVectors != nil && k == 0
		files := []runFile{
			{EmbeddingFile, func(w io.Writer) error { return WriteVec(w, run.Names, run.Final, run.D) }, false},
			arrayFile(CenterFile, run.Center == nil, run.Center, n, run.D),
			arrayFile(AspectsFile, k == 0, run.Aspects, n, k, run.D),
			arrayFile(PersonasFile, !uneven, run.Aspects, len(run.Aspects)/max(run.D, 1), run.D),
			{OwnersFile, func(w io.Writer) error { return WriteVertices(w, multiVectors.owners()) }, !uneven},
			arrayFile(ShareFile, run.Share == nil, run.Share, len(run.Share)),
			{VerticesFile, func(w io.Writer) error { return WriteVertices(w, run.Names) }, false},
			{results.RecordFile, record.Encode, false},
		}
		for _, f := range append(files, model...) {
			if f.skip {
				continue
			}
			path := filepath.Join(tmp, f.name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
			if err := atomicfile.Write(path, f.fill); err != nil {
				return err
			}
		}
		return nil
	})
}

// CheckRun looks, before a long run, for what would keep WriteRun from writing to dir. It returns an error for a folder that cannot be
// written or has files that are not those of a run and, unless force, for one that is not empty (atomicfile.ErrExists).
func CheckRun(dir string, force bool) error {
	if err := atomicfile.CheckDir(dir, force); err != nil {
		return err
	}
	ours := []string{EmbeddingFile, CenterFile, AspectsFile, LinkAspectsFile, PersonasFile, OwnersFile, ShareFile, VerticesFile, results.RecordFile,
		AuthorsFile, WordsFile, WordVectorsFile}
	return holdsOnly(dir, func(e fs.DirEntry) (bool, error) {
		if !e.IsDir() || e.Name() != ParametersDir && e.Name() != LearnedDir {
			return slices.Contains(ours, e.Name()), nil
		}
		return true, holdsOnly(filepath.Join(dir, e.Name()), func(e fs.DirEntry) (bool, error) {
			return !e.IsDir() && filepath.Ext(e.Name()) == parameterEnding, nil
		})
	})
}

// holdsOnly returns an error if a folder that is there holds what is no file of a run.
func holdsOnly(dir string, ours func(e fs.DirEntry) (bool, error)) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("vectors: %w", err)
	}
	for _, e := range entries {
		known, err := ours(e)
		if err == nil && !known {
			err = fmt.Errorf("vectors: %s contains %s, which is not a file of a run: expected a new folder, or that of an earlier run", dir, e.Name())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadFile reads the file at path by a function that reads what is in it, which errors call by the path. It returns an error where there is
// no such file, and those of read.
func ReadFile[T any](path string, read func(r io.Reader, name string) (T, error)) (result T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return result, fmt.Errorf("vectors: %w", err)
	}
	defer f.Close()
	return read(f, path)
}

// ReadArray reads a .npy file, as ReadNPY does. It returns an error where there is no such file, and those of ReadNPY.
func ReadArray(path string) (Array, error) {
	return ReadFile(path, func(r io.Reader, name string) (a Array, err error) {
		a.Name = strings.TrimSuffix(filepath.Base(name), parameterEnding)
		a.Data, a.Shape, err = ReadNPY(r, name)
		return a, err
	})
}

// WriteVertices writes one name a line. A name with a line end in it is an error.
func WriteVertices(w io.Writer, names []string) error {
	bw := bufio.NewWriter(w)
	for i, n := range names {
		if strings.ContainsAny(n, "\r\n") {
			return fmt.Errorf("vectors: vertex %d: name %q contains a line end, which is not possible in %s", i, n, VerticesFile)
		}
		bw.WriteString(n)
		bw.WriteByte('\n')
	}
	return bw.Flush()
}

// ReadVertices reads one name a line, also compressed; name is what errors call the file. A name given twice is an
// error.
func ReadVertices(r io.Reader, name string) ([]string, error) {
	var names []string
	seen := map[string]int{}
	_, err := EachLine(r, name, func(_ int, line []byte) error {
		v := string(line)
		if first, twice := seen[v]; twice {
			return fmt.Errorf("name %q was given on line %d already", v, first)
		}
		names = append(names, v)
		seen[v] = len(names)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return names, nil
}
