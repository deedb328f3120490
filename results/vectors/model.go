package vectors

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/asp2vec/asp2vec/results"
)

// The files of a run folder that hold a model of papers and authors.
const (
	AuthorsFile     = "authors.txt" // (A) names, one a line
	WordsFile       = "words.txt"   // (V) words, one a line
	WordVectorsFile = "words.npy"   // (V,w) float32
	ParametersDir   = "parameters"  // a file NAME.npy for each parameter
	parameterEnding = ".npy"
)

// ErrNoModel is wrapped by the error of ReadModel for a folder that holds none.
var ErrNoModel = errors.New("contains no model of papers and authors")

// Model is a trained model of papers and authors, as files keep it: all that it needs to identify the authors of a paper, with the
// record of its run, which has its options.
type Model struct {
	Authors     []string  // (A) distinct, without line ends
	Words       []string  // (V) distinct
	WordDim     int       // w
	WordVectors []float32 // (V,w)
	Parameters  []Array   // with distinct names
}

// Array is a named table of finite numbers, row-major.
type Array struct {
	Name  string // letters, digits, and in between "-", "_", "." and spaces
	Shape []int
	Data  []float32
}

// check reports a model that nothing can be identified with.
func (m *Model) check() error {
	if len(m.Authors) == 0 || len(m.Words) == 0 || len(m.Parameters) == 0 {
		return fmt.Errorf("vectors: model of %d authors, %d words and %d parameters: expected at least one of each", len(m.Authors), len(m.Words), len(m.Parameters))
	}
	for _, a := range append([]Array{{"word vectors", nil, m.WordVectors}}, m.Parameters...) {
		if i := slices.IndexFunc(a.Data, func(x float32) bool { return x-x != 0 }); i >= 0 {
			return fmt.Errorf("vectors: model: number %d of %s is %v: expected finite numbers", i, a.Name, a.Data[i])
		}
	}
	return nil
}

// files returns the names of a model's files, and what fills them.
func (m *Model) files() []runFile {
	files := []runFile{
		{name: AuthorsFile, fill: func(w io.Writer) error { return WriteVertices(w, m.Authors) }},
		{name: WordsFile, fill: func(w io.Writer) error { return WriteVertices(w, m.Words) }},
		arrayFile(WordVectorsFile, false, m.WordVectors, len(m.Words), m.WordDim),
	}
	for _, a := range m.Parameters {
		files = append(files, arrayFile(filepath.Join(ParametersDir, a.Name+parameterEnding), false, a.Data, a.Shape...))
	}
	return files
}

// ReadModel reads the model of papers and authors that a run's folder holds, and the run's record; parameters are in the order
// of their names. It returns an error that wraps ErrNoModel for a folder without, and errors for files that are missing,
// cannot be read, or do not fit one another.
func ReadModel(dir string) (m *Model, record results.Record, err error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, record, fmt.Errorf("vectors: model: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir, ParametersDir)); errors.Is(err, fs.ErrNotExist) {
		return nil, record, fmt.Errorf("vectors: %s %w: expected the folder that train --out wrote for a method on those", dir, ErrNoModel)
	}
	if record, err = results.ReadRecord(dir); err == nil {
		m, err = readModel(dir)
	}
	return m, record, err
}

func readModel(dir string) (m *Model, err error) {
	m = new(Model)
	if m.Authors, err = ReadFile(filepath.Join(dir, AuthorsFile), ReadVertices); err != nil {
		return nil, err
	}
	if m.Words, err = ReadFile(filepath.Join(dir, WordsFile), ReadVertices); err != nil {
		return nil, err
	}
	vectors, err := ReadArray(filepath.Join(dir, WordVectorsFile))
	if err != nil {
		return nil, err
	}
	if len(vectors.Shape) != 2 || vectors.Shape[0] != len(m.Words) {
		return nil, fmt.Errorf("vectors: %s: shape %v for %d words of %s: expected (V,w), a vector for each", filepath.Join(dir, WordVectorsFile), vectors.Shape, len(m.Words), WordsFile)
	}
	m.WordDim, m.WordVectors = vectors.Shape[1], vectors.Data
	entries, err := os.ReadDir(filepath.Join(dir, ParametersDir)) // sorted
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != parameterEnding {
			continue // what file managers leave behind
		}
		a, err := ReadArray(filepath.Join(dir, ParametersDir, e.Name()))
		if err != nil {
			return nil, err
		}
		m.Parameters = append(m.Parameters, a)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%w (%s)", err, dir)
	}
	return m, nil
}
