package store

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

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
	results.Record
	Dir        string // the folder of the run; "" of a packed record
	Key, Group string // of its Job; "" where this version does not know its options
	Present    bool   // it is of the code that the program has

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
	parts, err := results.Parts(path, deep)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s := new(Store)
	var folders []*Entry
	var scores []results.Scored // of packed files, whose records may be in others
	for _, p := range parts {
		lines, err := p.Read()
		if err != nil {
			return nil, err
		}
		entries := seq.Map(lines.Records, entryOf)
		if p.Folder {
			for _, e := range entries {
				e.Dir = p.Path
			}
			folders = append(folders, entries...)
		} else {
			s.Entries = append(s.Entries, entries...)
		}
		scores, s.Problems = append(scores, lines.Scores...), append(s.Problems, lines.Problems...)
	}
	slices.SortStableFunc(folders, func(a, b *Entry) int { return results.ByTime(a.Record, b.Record) })
	s.Entries = append(s.Entries, folders...)
	if len(scores) == 0 {
		return s, nil
	}
	at := map[string]*Entry{}
	for _, e := range s.Entries {
		at[e.ID()] = e
	}
	for _, score := range scores {
		if e := at[score.Of]; e != nil {
			e.AddScore(score)
		}
	}
	return s, nil
}

// ReadRun reads the folder of a run, and returns its entry; nil where it has no record, or that of a run that was interrupted. It returns an error for files that cannot be read.
func ReadRun(dir string) (*Entry, error) {
	lines, err := results.Part{Path: dir, Folder: true}.Read()
	if err != nil || len(lines.Records) == 0 || lines.Records[0].Interrupted {
		return nil, err
	}
	e := entryOf(lines.Records[0])
	e.Dir = dir
	return e, nil
}

// entryOf works out what the run of a record is.
func entryOf(r results.Record) *Entry {
	e := &Entry{Record: r}
	j, err := JobOf(r)
	if err != nil {
		return e
	}
	text := j.text()
	e.Key, e.Group, e.typed, e.trainedBy = run.Hash(text), run.Hash(withSeed0(text, j.Options.Seed)), j.Options.Method.Typed, run.ChoosesByScore(j.Options)
	e.Present = run.Present(r.Definition, j.Options)
	return e
}

// Runs returns what the records of the store are of.
func (s *Store) Runs() *Runs { return runsOf(s.Entries, false) }

// RunsThat returns Runs of the records that pass.
func (s *Store) RunsThat(pass func(*Entry) bool) *Runs {
	return runsOf(seq.Filter(s.Entries, pass), false)
}
