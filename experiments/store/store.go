package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// Store is what a store of runs held when it was read.
type Store struct {
	Entries  []*Entry          // records: packed ones in the order of their files, and then those of folders, by time
	Problems []results.Problem // what is no record
}

// Entry is a record, and what tells its run apart.
type Entry struct {
	results.Stored
	Key, Group string // of its Job; "" where this version does not know its options
	Run        ID     // that it is of
	Present    bool   // it is of the code that the program has

	Conflict *Conflict // with another record of the run; nil for none

	trainedBy bool // its own score has a say in training, whose definition it is part of
	typed     bool // it is of a network with types
}

// Name names the run of a record: its folder or, of a packed record, its key.
func (e *Entry) Name() string {
	if e.Dir != "" {
		return filepath.Base(e.Dir)
	}
	return e.Key
}

// ReadStore reads all that lies under path: a store or a folder of such, or a packed file. What does not exist is empty. It returns an error for files that are
// there and cannot be read; what is no record is one of Problems.
func ReadStore(path string) (*Store, error) { return read(path, true) }

// ReadOwn is ReadStore of one store, without those in folders under it.
func ReadOwn(path string) (*Store, error) { return read(path, false) }

func read(path string, deep bool) (*Store, error) {
	stored, problems, err := results.ReadStored(path, deep)
	if _, none := os.Lstat(path); err != nil && !errors.Is(none, fs.ErrNotExist) {
		return nil, err
	}
	return &Store{seq.Map(stored, entryOf), problems}, nil
}

// ReadRun reads the folder of a run, and returns its entry; nil where it has no record, or that of a run that was interrupted. It returns an error for files that cannot be read.
func ReadRun(dir string) (*Entry, error) {
	lines, err := results.Part{Path: dir, Folder: true}.Read()
	if err == nil && len(lines.Problems) > 0 {
		err = fmt.Errorf("experiments: store: %w", lines.Problems[0])
	}
	if err != nil || len(lines.Records) == 0 || lines.Records[0].Interrupted {
		return nil, err
	}
	return entryOf(results.Stored{Record: lines.Records[0], Dir: dir}), nil
}

// entryOf works out what the run of a record is.
func entryOf(r results.Stored) *Entry {
	e := &Entry{Stored: r}
	j, err := JobOf(r.Record)
	if err != nil {
		return e
	}
	text := j.text()
	e.Run = ID{run.Hash(text), *j.of}
	e.Key, e.Group, e.typed, e.trainedBy = run.Hash(text), run.Hash(withSeed0(text, j.Options.Seed)), j.Options.Method.Typed, run.ChoosesByScore(j.Options)
	e.Present = run.Present(r.Definition, j.Options)
	return e
}

// Runs returns the runs of the store. Those that are asked for are of the data that a catalog has.
func (s *Store) Runs(data *run.Catalog) *Runs {
	r := runsOf(s.Entries, false)
	r.data, r.Unread = data, len(s.Problems)
	return r
}
