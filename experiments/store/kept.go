package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// HasVectors says whether vectors of a run are in its folder; "" is that of a packed record.
func HasVectors(dir string) bool {
	if dir == "" {
		return false
	}
	fi, err := os.Lstat(filepath.Join(dir, vectors.PackedFile))
	return err == nil && fi.Mode().IsRegular()
}

// KeepVectors leaves the vectors of a run in its folder: what scores are computed from without training again. It returns an error for a folder that cannot be
// written, and for names that such a file cannot hold.
func KeepVectors(dir string, names []string, e graphs.Embedding) error {
	all := &vectors.Embedding{Names: names, D: e.D, Final: e.Final, Center: e.Center, Run: filepath.Base(dir)}
	if e.Vectors != nil {
		all.MultiVectors = &vectors.MultiVectors{Names: names, First: e.First, D: e.D, Data: e.Vectors, Share: e.Share}
	}
	if err := atomicfile.Write(filepath.Join(dir, vectors.PackedFile), func(w io.Writer) error { return vectors.WriteNPZ(w, all) }); err != nil {
		return fmt.Errorf("experiments: vectors: %w", err)
	}
	return nil
}

// LoadVectors returns the vectors of a run in the order of some names, which must be those of its vertices. r is the record of the run. It returns an error where
// there are none (fs.ErrNotExist), for a file that cannot be read or is of another run, and for other names.
func LoadVectors(dir string, r results.Record, names []string) (eval.Vectors, error) {
	path := filepath.Join(dir, vectors.PackedFile)
	if !HasVectors(dir) {
		return eval.Vectors{}, fmt.Errorf("experiments: no vectors of the run were kept: %w", fs.ErrNotExist)
	}
	e, err := vectors.ReadWhole(path, "")
	if err != nil {
		return eval.Vectors{}, err
	}
	if e.Run != filepath.Base(dir) {
		return eval.Vectors{}, fmt.Errorf("experiments: %s: the vectors are of run %q: expected those of the run in whose folder they lie", path, e.Run)
	}
	if m, err := methods.Find(r.Method); err == nil && !m.MultiVector() {
		e.MultiVectors, e.Contexts = nil, e.MultiVectors
	}
	return Aligned(e, names)
}

// Aligned returns what scores read of an embedding, in the order of some names. It returns an error for names without a vector.
func Aligned(e *vectors.Embedding, names []string) (v eval.Vectors, err error) {
	one := func(data []float32) (eval.Embedding, error) {
		a, err := (&vectors.Vectors{Names: e.Names, N: len(e.Names), D: e.D, Data: data}).Align(names)
		if err != nil {
			return eval.Embedding{}, err
		}
		return eval.Embedding{N: len(names), D: a.D, Data: a.Data}, nil
	}
	several := func(m *vectors.MultiVectors) (eval.MultiEmbedding, error) {
		m, err := m.Align(names)
		if err != nil {
			return eval.MultiEmbedding{}, err
		}
		return eval.MultiEmbedding{First: m.First, D: m.D, Data: m.Data, Share: m.Share}, nil
	}
	if e.Final != nil {
		if v.One, err = one(e.Final); err != nil {
			return v, err
		}
	}
	if e.MultiVectors != nil {
		if v.Several, err = several(e.MultiVectors); err != nil {
			return v, err
		}
	}
	if contexts := cmp.Or(e.Contexts, e.MultiVectors); e.Center != nil && contexts != nil {
		v.Sides = new(eval.Sides)
		if v.Sides.Source, err = one(e.Center); err == nil {
			v.Sides.Target, err = several(contexts)
		}
	}
	return v, err
}

// runFolder is the name of the folder of a run in a store.
var runFolder = regexp.MustCompile("^[0-9a-f]{24}$")

// Trim takes away the oldest vectors of the runs of a store until the rest has at most so many bytes, and returns how many files went and what they had. Records
// stay, and so does whatever KeepVectors has not written. It returns an error for a store that cannot be read, and for files that cannot be removed.
func Trim(store string, limit int64) (files int, bytes int64, err error) {
	entries, err := os.ReadDir(store)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("experiments: vectors: %w", err)
	}
	type file struct {
		fs.FileInfo
		path string
	}
	var all []file
	var sum int64
	for _, e := range entries {
		path := filepath.Join(store, e.Name(), vectors.PackedFile)
		if fi, err := os.Lstat(path); e.IsDir() && runFolder.MatchString(e.Name()) && err == nil && fi.Mode().IsRegular() {
			all, sum = append(all, file{fi, path}), sum+fi.Size()
		}
	}
	slices.SortFunc(all, func(a, b file) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.path, b.path))
	})
	for _, f := range all {
		if sum <= limit {
			break
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have taken it
			return files, bytes, fmt.Errorf("experiments: vectors: %w", err)
		}
		files, bytes, sum = files+1, bytes+f.Size(), sum-f.Size()
		_ = os.Remove(filepath.Dir(f.path)) // fails if there is something else in it
	}
	return files, bytes, nil
}
