package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// Store is what a store of runs held when it was last read. It may be used by several goroutines.
type Store struct {
	path string
	deep bool

	mu    sync.Mutex
	parts []results.Part
	read  map[string]*part // by path
	known summaries
}

// part is what was read of a packed file or a run's folder.
type part struct {
	stamp    string
	entries  []*Entry
	scores   []results.Scored
	problems []results.Problem
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
func ReadStore(path string) (*Store, error) {
	s := &Store{path: path, deep: true}
	return s, s.Refresh()
}

// ReadOwn is ReadStore of one store, without those in folders under it.
func ReadOwn(path string) (*Store, error) {
	s := &Store{path: path}
	return s, s.Refresh()
}

// Refresh reads what has come to the store since it was read. It returns an error for files that are there and cannot be read.
func (s *Store) Refresh() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts, err := results.Parts(s.path, s.deep)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return err
	}
	read := make(map[string]*part, len(parts))
	for _, p := range parts {
		old, stamp := s.read[p.Path], p.Stamp()
		if old == nil || old.stamp != stamp {
			if old, err = s.known.part(p, stamp); err != nil {
				return err
			}
		}
		read[p.Path] = old
	}
	ended := func(p results.Part) (t time.Time) {
		if all := read[p.Path].entries; len(all) > 0 {
			t = all[0].Finished
		}
		return t
	}
	folders := seq.Filter(parts, func(p results.Part) bool { return p.Folder }) // which are last
	slices.SortStableFunc(folders, func(a, b results.Part) int { return ended(a).Compare(ended(b)) })
	copy(parts[len(parts)-len(folders):], folders)
	s.parts, s.read = parts, read
	s.join()
	return nil
}

// Run reads the folder of a run in the store, and returns its entry; nil where it has no record, or that of a run that was interrupted. It returns an error for files that cannot be read.
func (s *Store) Run(folder string) (*Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := results.Part{Path: filepath.Join(s.path, folder), Folder: true}
	read, err := s.known.part(p, p.Stamp())
	if err != nil || len(read.entries) == 0 || read.entries[0].Interrupted {
		return nil, err
	}
	return read.entries[0], nil
}

// join adds scores of packed files to the entries that they are of, in whatever file those are.
func (s *Store) join() {
	if !slices.ContainsFunc(s.parts, func(p results.Part) bool { return len(s.read[p.Path].scores) > 0 }) {
		return
	}
	at := map[string]**Entry{}
	for _, p := range s.parts {
		for i, e := range s.read[p.Path].entries {
			at[e.ID()] = &s.read[p.Path].entries[i]
		}
	}
	for _, p := range s.parts {
		f := s.read[p.Path]
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

// summaries are what records share that differ in their seeds alone: it takes long to work out.
type summaries struct {
	alike   map[string]*like
	present map[version]bool
}

// version is runs of all seeds, and the code that they are of.
type version struct{ group, definition string }

// like is what records share that differ in their seeds alone.
type like struct {
	text           string // that their runs are known by, with a seed of 0; "" where they are of no method's options
	group          string // the hash of that
	job            Job
	typed, trained bool // see Entry
}

// part reads a part of a store.
func (s *summaries) part(p results.Part, stamp string) (*part, error) {
	lines, err := p.Read()
	if err != nil {
		return nil, err
	}
	all := &part{stamp: stamp, entries: s.entries(lines.Records, run.Present), scores: lines.Scores, problems: lines.Problems}
	for _, e := range all.entries {
		if p.Folder {
			e.Dir = p.Path
		}
	}
	return all, nil
}

// entries works out what the runs of records are. counts says whether a record with a definition is of the present one.
func (s *summaries) entries(records []results.Record, counts func(definition string, o graphs.Options) bool) []*Entry {
	if s.alike == nil {
		s.alike, s.present = map[string]*like{}, map[version]bool{}
	}
	return seq.Map(records, func(r results.Record) *Entry {
		e := &Entry{Record: r}
		options, seed, seeded := withoutSeed(r.Options)
		is := fmt.Sprintf("%s %q %v %s %v %s", r.Method, r.Dataset.Name, r.Dataset.Directed, r.ScoreName(), r.Dataset.NetworkSHA256 != "", options)
		l := s.alike[is]
		if l == nil {
			l = likeOf(r)
			s.alike[is] = l
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
		at := version{e.Group, r.Definition}
		known := false
		if e.Present, known = s.present[at]; !known {
			e.Present = counts(r.Definition, l.job.Options)
			s.present[at] = e.Present
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
	return seq.Flat(s.parts, func(p results.Part) []*Entry { return s.read[p.Path].entries })
}

// Runs returns what the records of the store are of.
func (s *Store) Runs() *Runs { return runsOf(s.Entries()) }

// RunsThat returns Runs of the records that pass.
func (s *Store) RunsThat(pass func(*Entry) bool) *Runs { return runsOf(seq.Filter(s.Entries(), pass)) }

// Problems returns what is no record.
func (s *Store) Problems() []results.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq.Flat(s.parts, func(p results.Part) []results.Problem { return slices.Clone(s.read[p.Path].problems) })
}
