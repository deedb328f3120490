package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// Store is what a store of records held when it was last read. It may be used by several goroutines.
type Store struct {
	path string

	mu    sync.Mutex
	names []string // of its files
	files map[string]*file
}

// file is what was read of a file.
type file struct {
	results.Reader
	entries  []*Entry
	scores   []results.Scored // whose records have not been found
	problems []results.Problem
}

// Entry is a record, and what tells its run apart.
type Entry struct {
	results.Record
	Key, Group string // of its Job; "" where this version does not know its options
	Present    bool   // it is of the definition of its method that the program has

	trainedBy bool // its own score has a say in training, whose definition it is part of
	typed     bool // it is of a network with types
}

// Older says whether a record is of another definition of its method than the program has.
func (e *Entry) Older() bool { return e.Key != "" && !e.Present }

// ReadStore reads a store: a file of records with those of shards, or a folder of such. One that does not exist is empty. It returns an error
// for files that are there and cannot be read; a line that is no record is one of Problems.
func ReadStore(path string) (*Store, error) {
	s := &Store{path: path}
	return s, s.Refresh()
}

// Refresh reads what has come to the store since it was read. It returns an error for files that are there and cannot be read.
func (s *Store) Refresh() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	names, err := results.StoreFiles(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.names, s.files = nil, nil
		return nil
	}
	if err != nil {
		return err
	}
	files := map[string]*file{}
	for _, name := range names {
		f := s.files[name]
		if f == nil || f.Shrunk() {
			f = &file{Reader: results.Reader{Path: name}}
		}
		lines, err := f.Read()
		if err != nil {
			return err
		}
		f.entries, f.problems, f.scores = append(f.entries, entriesOf(lines.Records, run.Present)...), append(f.problems, lines.Problems...), append(f.scores, lines.Scores...)
		files[name] = f
	}
	s.names, s.files = names, files
	s.join()
	return nil
}

// join adds scores to the entries that they are of, in whatever file those are.
func (s *Store) join() {
	if !slices.ContainsFunc(s.names, func(name string) bool { return len(s.files[name].scores) > 0 }) {
		return
	}
	at := map[string]**Entry{}
	for _, name := range s.names {
		for i, e := range s.files[name].entries {
			at[e.ID()] = &s.files[name].entries[i]
		}
	}
	for _, name := range s.names {
		f := s.files[name]
		f.scores = seq.Filter(f.scores, func(score results.Scored) bool {
			place := at[score.Of]
			if place == nil {
				return true // its record may come
			}
			e := **place // others may hold the old one
			e.AddScore(score)
			*place = &e
			return false
		})
	}
}

// like is what records share that differ in their seeds alone.
type like struct {
	text           string // that their runs are known by, with a seed of 0; "" where they are of no method's options
	group          string // the hash of that
	job            Job
	typed, trained bool // see Entry
}

// entriesOf works out what the runs of records are. counts says whether a record with a definition is of the present one.
func entriesOf(records []results.Record, counts func(definition string, o graphs.Options) bool) []*Entry {
	type kind struct{ group, definition string }
	present := map[kind]bool{} // it takes long to find out, as it does what a run is; and most records differ in their seed alone
	alike := map[string]*like{}
	return seq.Map(records, func(r results.Record) *Entry {
		e := &Entry{Record: r}
		options, seed, seeded := withoutSeed(r.Options)
		is := fmt.Sprintf("%s %q %v %s %v %s", r.Method, r.Dataset.Name, r.Dataset.Directed, r.ScoreName(), r.Dataset.NetworkSHA256 != "", options)
		l := alike[is]
		if l == nil {
			l = likeOf(r)
			alike[is] = l
		}
		if l.text == "" {
			return e
		}
		e.Group, e.typed, e.trainedBy = l.group, l.typed, l.trained
		if before, after, once := strings.Cut(l.text, seedKey+"0"); seeded && once && !strings.Contains(after, seedKey) {
			e.Key = run.Hash(before + seedKey + seed + after)
		} else if j, err := JobOf(r); err == nil {
			e.Key = j.Key()
		}
		at := kind{e.Group, r.Definition}
		known := false
		if e.Present, known = present[at]; !known {
			e.Present = counts(r.Definition, l.job.Options)
			present[at] = e.Present
		}
		return e
	})
}

// likeOf returns what is shared with a record.
func likeOf(r results.Record) *like {
	j, err := JobOf(r)
	if err != nil {
		return &like{}
	}
	j.Options.Seed = 0
	text := j.text()
	return &like{text, run.Hash(text), j, j.Options.Method.Typed, run.ChoosesByScore(j.Options)}
}

// Entries returns the records, in the order of the store.
func (s *Store) Entries() []*Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq.Flat(s.names, func(name string) []*Entry { return s.files[name].entries })
}

// Runs returns what the records of the store are of.
func (s *Store) Runs() *Runs { return runsOf(s.Entries()) }

// RunsThat returns Runs of the records that pass.
func (s *Store) RunsThat(pass func(*Entry) bool) *Runs { return runsOf(seq.Filter(s.Entries(), pass)) }

// Problems returns the lines that are no records.
func (s *Store) Problems() []results.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq.Flat(s.names, func(name string) []results.Problem { return slices.Clone(s.files[name].problems) })
}
