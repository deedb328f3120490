package store

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Kept is the folder of the vectors that runs have left, beside their store: what scores are computed from without training again.
type Kept struct {
	Dir   string
	Limit int64 // bytes of all files together; the oldest go first. 0 keeps nothing new
}

// KeptBeside returns the folder of vectors beside a store, "runs.vectors" of "runs.jsonl", with a limit in bytes.
func KeptBeside(store string, limit int64) *Kept {
	return &Kept{Dir: strings.TrimSuffix(store, filepath.Ext(store)) + ".vectors", Limit: limit}
}

const keptEnding = ".npz"

// file returns the path of the vectors of a run: those of another definition, or of other data, are others.
func (k *Kept) file(key string, r results.Record) string {
	return filepath.Join(k.Dir, k.run(key, r)+keptEnding)
}

// run names the run of a record: its key, its definition and its data.
func (k *Kept) run(key string, r results.Record) string {
	data := r.Dataset.SHA256
	return key + "-" + cmp.Or(r.Definition, "0") + "-" + data[:min(8, len(data))]
}

// Has says whether the vectors of the run of a record are there.
func (k *Kept) Has(key string, r results.Record) bool {
	_, err := os.Stat(k.file(key, r))
	return err == nil
}

// Save keeps the vectors of the run of a record, and takes away as many of the oldest as the limit asks for. It returns an error for a folder that cannot be
// written, and for names that such a file cannot hold.
func (k *Kept) Save(key string, r results.Record, names []string, e graphs.Embedding) error {
	if k.Limit <= 0 {
		return nil
	}
	all := &vectors.Embedding{Names: names, D: e.D, Final: e.Final, Center: e.Center, Run: k.run(key, r)}
	if e.Vectors != nil {
		all.MultiVectors = &vectors.MultiVectors{Names: names, First: e.First, D: e.D, Data: e.Vectors, Share: e.Share}
	}
	if err := errors.Join(k.noLink(), os.MkdirAll(k.Dir, 0o777)); err != nil {
		return fmt.Errorf("experiments: vectors: %w", err)
	}
	if err := atomicfile.Write(k.file(key, r), func(w io.Writer) error { return vectors.WriteNPZ(w, all) }); err != nil {
		return fmt.Errorf("experiments: vectors: %w", err)
	}
	_, _, err := k.Trim(k.Limit)
	return err
}

// Load returns the vectors of the run of a record in the order of some names, which must be those of its vertices. It returns an error where there are none
// (fs.ErrNotExist), for a file that cannot be read or is of another run, and for other names.
func (k *Kept) Load(key string, r results.Record, names []string) (eval.Vectors, error) {
	e, err := vectors.ReadWhole(k.file(key, r), "")
	if err != nil {
		return eval.Vectors{}, err
	}
	if e.Run != k.run(key, r) {
		return eval.Vectors{}, fmt.Errorf("experiments: %s: the vectors are of run %q: expected those of %q", k.file(key, r), e.Run, k.run(key, r))
	}
	if m, err := methods.Find(r.Method); err == nil && !m.MultiVector() {
		e.MultiVectors, e.Contexts = nil, e.MultiVectors
	}
	return Aligned(e, names)
}

// Aligned returns what scores read of an embedding, in the order of some names. It returns an error for names without a vector.
func Aligned(e *vectors.Embedding, names []string) (v eval.Vectors, err error) {
	if e.Final != nil {
		final, err := (&vectors.Vectors{Names: e.Names, N: len(e.Names), D: e.D, Data: e.Final}).Align(names)
		if err != nil {
			return v, err
		}
		v.One = eval.Embedding{N: len(names), D: final.D, Data: final.Data}
	}
	several := func(m *vectors.MultiVectors) (eval.MultiEmbedding, error) {
		m, err := m.Align(names)
		if err != nil {
			return eval.MultiEmbedding{}, err
		}
		return eval.MultiEmbedding{First: m.First, D: m.D, Data: m.Data, Share: m.Share}, nil
	}
	if e.MultiVectors != nil {
		if v.Several, err = several(e.MultiVectors); err != nil {
			return v, err
		}
	}
	if contexts := cmp.Or(e.Contexts, e.MultiVectors); e.Center != nil && contexts != nil {
		target, err := several(contexts)
		if err != nil {
			return v, err
		}
		center, err := (&vectors.Vectors{Names: e.Names, N: len(e.Names), D: e.D, Data: e.Center}).Align(names)
		if err != nil {
			return v, err
		}
		v.Sides = &eval.Sides{Source: eval.Embedding{N: len(names), D: center.D, Data: center.Data}, Target: target}
	}
	return v, nil
}

// noLink returns an error where the folder is a symbolic link, through which files of others could go.
func (k *Kept) noLink() error {
	if fi, err := os.Lstat(k.Dir); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link: expected a folder", k.Dir)
	}
	return nil
}

// saved says whether Save wrote a file, which then holds its own name.
func (k *Kept) saved(e fs.DirEntry) bool {
	run, npz := strings.CutSuffix(e.Name(), keptEnding)
	if !npz || !e.Type().IsRegular() {
		return false
	}
	z, err := zip.OpenReader(filepath.Join(k.Dir, e.Name()))
	if err != nil {
		return false
	}
	defer z.Close()
	return z.Comment == run
}

// Trim takes away the oldest vectors until the rest has at most so many bytes, and returns how many files went and what they had. The folder goes
// with the last. What Save has not written stays. It returns an error for files that cannot be removed, and for a link in place of the folder.
func (k *Kept) Trim(limit int64) (files int, bytes int64, err error) {
	entries, err := os.ReadDir(k.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err := cmp.Or(k.noLink(), err); err != nil {
		return 0, 0, fmt.Errorf("experiments: vectors: %w", err)
	}
	var all []fs.FileInfo
	var sum int64
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && k.saved(e) {
			all, sum = append(all, fi), sum+fi.Size()
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, fi := range all {
		if sum <= limit {
			break
		}
		if err := os.Remove(filepath.Join(k.Dir, fi.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have taken it
			return files, bytes, fmt.Errorf("experiments: vectors: %w", err)
		}
		files, bytes, sum = files+1, bytes+fi.Size(), sum-fi.Size()
	}
	_ = os.Remove(k.Dir) // fails if there is something in it
	return files, bytes, nil
}
