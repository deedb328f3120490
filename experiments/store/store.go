package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// Store is what a store of records held when it was last read: a summary of each record, and where the rest of it is. Reading it
// again reads what has come since. Of a large store the summaries are kept in the user's cache folder, so that the
// next program that reads it needs to read what has come since only. It may be used by several goroutines.
type Store struct {
	path string
	list func() (results.Files, error)
	sums summarizer
	keep bool // records in memory, of a store that is small

	mu      sync.Mutex
	files   map[string]*storeFile
	order   results.Files
	broken  error // of a record that could not be read again
	entries []*entry
}

// storeFile is what was read of a file.
type storeFile struct {
	Size, Modified int64 // in bytes and nanoseconds since 1970, when it was read
	Read           int64 // bytes of whole lines
	Last           uint64
	LastAt         int64 // where the last of them begins, and its hash
	Lines          int
	Entries        []*entry
	Problems       []lineProblem
	Open           bool // the last entry, or problem, is of a line without an end, which may be written further
	OpenProblem    bool
}

type lineProblem struct {
	Line int
	Text string
}

// entry is a record of a store.
type entry struct {
	Summary
	Hash   uint64 // of its line
	Offset int64  // in its file, and the length, in bytes
	Length int

	store  *Store // of which it is read when it is needed; nil for one that is in memory
	file   string
	record *results.Record
}

// largeStore is the size in bytes from which on the summaries of a store are kept in the cache folder, and its records are
// read when they are needed: reading less takes a fraction of a second.
var largeStore int64 = 8 << 20

// ReadStore reads a store: a file of records with its parts, or a folder of such. One that does not exist is empty. It returns an error
// for files that are there and cannot be read; a line that is no record is one of Runs' problems.
func ReadStore(path string) (*Store, error) {
	return readStore(path, func() (results.Files, error) { return results.StoreFiles(path) })
}

// ReadParts reads of a store the parts alone whose names begin with prefix. It returns an error for files that are there and cannot be
// read.
func ReadParts(path, prefix string) (*Store, error) {
	return readStore(path, func() (files results.Files, err error) {
		files.Parts, err = results.Parts(path, prefix)
		return files, err
	})
}

func readStore(path string, list func() (results.Files, error)) (*Store, error) {
	s := &Store{path: path, list: list, sums: summarizer{counts: Present}, files: map[string]*storeFile{}}
	return s, s.Refresh()
}

// Refresh reads what has come to the store since it was read. It returns an error for files that are there and cannot be read; the
// store then is as it was.
func (s *Store) Refresh() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refresh()
}

func (s *Store) refresh() error {
	fresh := int64(0) // bytes
	err := results.WithFiles(s.list, func(files results.Files) error {
		if s.order.Main == nil && s.order.Parts == nil {
			s.keep = sizeOfFiles(files) < largeStore
			if !s.keep {
				s.readCache()
			}
		}
		s.order = files
		there := map[string]bool{}
		for _, name := range files.All() { // what moves meanwhile is then seen twice, not missed
			n, err := s.readFile(name)
			if err != nil {
				return err
			}
			fresh, there[name] = fresh+n, true
		}
		for name := range s.files {
			if !there[name] {
				delete(s.files, name)
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
		s.files, s.order = map[string]*storeFile{}, results.Files{}
	}
	if err != nil {
		return err
	}
	s.collect()
	if !s.keep && fresh >= largeStore/8 {
		s.writeCache()
	}
	return nil
}

func sizeOfFiles(files results.Files) (size int64) {
	for _, name := range files.All() {
		if fi, err := os.Stat(name); err == nil {
			size += fi.Size()
		}
	}
	return size
}

// collect puts together the entries of all files, each record once.
func (s *Store) collect() {
	s.entries = seq.Flat(s.order.Main, func(name string) []*entry { return s.files[name].Entries })
	if len(s.order.Parts) == 0 {
		return
	}
	seen := seq.Set(s.entries, func(e *entry) uint64 { return e.Hash })
	for _, name := range s.order.Parts {
		for _, e := range s.files[name].Entries {
			if !seen[e.Hash] {
				s.entries, seen[e.Hash] = append(s.entries, e), true
			}
		}
	}
}

// readFile reads what is new in a file, and returns how many bytes that are.
func (s *Store) readFile(name string) (int64, error) {
	fi, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	f := s.files[name]
	if f != nil && f.Size == fi.Size() && f.Modified == fi.ModTime().UnixNano() {
		return 0, nil
	}
	if f == nil || fi.Size() < f.Read || !f.continues(name) {
		f = &storeFile{}
	}
	f.close()
	from := f.Read
	b := batch{store: s, file: f, name: name}
	if err := results.EachLine(name, from, b.add); err != nil {
		return 0, err
	}
	b.flush()
	f.Size, f.Modified = fi.Size(), fi.ModTime().UnixNano()
	s.files[name] = f
	return f.Read - from, nil
}

// continues says whether a file still has the last line that was read of it.
func (f *storeFile) continues(name string) bool {
	if f.Read == 0 {
		return true
	}
	line, err := readAt(name, f.LastAt, int(f.Read-f.LastAt))
	return err == nil && results.LineHash(line) == f.Last
}

// close takes back what was read of a line that had no end yet.
func (f *storeFile) close() {
	switch {
	case f.OpenProblem:
		f.Problems = f.Problems[:len(f.Problems)-1]
	case f.Open:
		f.Entries = f.Entries[:len(f.Entries)-1]
	}
	f.Open, f.OpenProblem = false, false
}

// batch is lines that several threads read together.
type batch struct {
	store *Store
	file  *storeFile
	name  string
	text  []byte
	lines []batchLine
}

type batchLine struct {
	offset   int64
	from, to int // in text
	number   int
	ended    bool
}

const batchBytes = 4 << 20

func (b *batch) add(offset int64, line []byte, ended bool) {
	from := len(b.text)
	b.text = append(b.text, line...)
	b.lines = append(b.lines, batchLine{offset, from, len(b.text), b.file.Lines + 1, ended})
	if ended {
		b.file.Lines++
		b.file.Read, b.file.LastAt, b.file.Last = offset+int64(len(line)), offset, results.LineHash(line)
	}
	if len(b.text) >= batchBytes {
		b.flush()
	}
}

func (b *batch) flush() {
	entries, problems := make([]*entry, len(b.lines)), make([]error, len(b.lines))
	par.Blocks(runtime.GOMAXPROCS(0), len(b.lines), func(_, i int) {
		l := b.lines[i]
		line := b.text[l.from:l.to]
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		parse := results.ParseBrief
		if b.store.keep {
			parse = results.ParseRecord
		}
		record, err := parse(line)
		if err != nil {
			problems[i] = err
			return
		}
		e := &entry{Summary: b.store.sums.summary(record), Hash: results.LineHash(line), Offset: l.offset, Length: l.to - l.from, store: b.store, file: b.name}
		if b.store.keep {
			e.record = &record
		}
		entries[i] = e
	})
	f := b.file
	for i, l := range b.lines {
		if problems[i] != nil {
			f.Problems = append(f.Problems, lineProblem{l.number, problems[i].Error()})
		} else if entries[i] != nil {
			f.Entries = append(f.Entries, entries[i])
		} else {
			continue
		}
		f.Open, f.OpenProblem = !l.ended, !l.ended && problems[i] != nil
	}
	b.text, b.lines = b.text[:0], b.lines[:0]
}

// Runs returns what the records of the store are of.
func (s *Store) Runs() *Runs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return runsOf(s.entries)
}

// RunsThat returns Runs of the records whose summaries pass.
func (s *Store) RunsThat(pass func(Summary) bool) *Runs {
	s.mu.Lock()
	defer s.mu.Unlock()
	some := seq.Filter(s.entries, func(e *entry) bool { return pass(e.Summary) })
	return runsOf(some)
}

// Summaries returns what there is of each record, in the order of the store.
func (s *Store) Summaries() []Summary {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq.Map(s.entries, func(e *entry) Summary { return e.Summary })
}

// Problems returns the lines that are no records.
func (s *Store) Problems() (all []results.Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq.Flat(slices.Concat(s.order.Main, s.order.Parts), func(name string) []results.Problem {
		return seq.Map(s.files[name].Problems, func(p lineProblem) results.Problem {
			return results.Problem{File: name, Line: p.Line, Err: errors.New(p.Text)}
		})
	})
}

// Broken returns the error of a record that Runs knows of and that could not be read, or nil: Find then does not find it.
func (s *Store) Broken() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// Latest returns the last records of a store, up to most of them, whose summaries pass.
func (s *Store) Latest(most int, pass func(Summary) bool) (all []results.Record) {
	s.mu.Lock()
	entries := s.entries
	s.mu.Unlock()
	for i := len(entries) - 1; i >= 0 && len(all) < most; i-- {
		if pass(entries[i].Summary) {
			if r, there := entries[i].load(); there {
				all = append(all, r)
			}
		}
	}
	return all
}

// load returns the record, and whether it is there.
func (e *entry) load() (results.Record, bool) {
	if e.store == nil {
		return *e.record, true
	}
	s := e.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.record != nil {
		return *e.record, true
	}
	record, err := e.read()
	if err != nil { // its file may have been merged into another
		if err = s.refresh(); err == nil {
			err = fmt.Errorf("experiments: store %s: %s:  a record is gone that was there: want the command run again", s.path, e.file)
			for _, other := range s.entries {
				if other.Hash == e.Hash {
					record, err = other.read()
					break
				}
			}
		}
	}
	if err != nil {
		s.broken = errors.Join(s.broken, err)
		return results.Record{}, false
	}
	e.record = &record
	return record, true
}

// read reads the record from its file.
func (e *entry) read() (results.Record, error) {
	if e.record != nil {
		return *e.record, nil
	}
	line, err := readAt(e.file, e.Offset, e.Length)
	if err != nil {
		return results.Record{}, err
	}
	if results.LineHash(line) != e.Hash {
		return results.Record{}, fmt.Errorf("experiments: store: %s has changed while it was read: want the command run again", e.file)
	}
	return results.ParseRecord(line)
}

func readAt(name string, offset int64, length int) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("experiments: store: %w", err)
	}
	defer f.Close()
	line := make([]byte, length)
	if _, err := f.ReadAt(line, offset); err != nil {
		return nil, fmt.Errorf("experiments: store %s: %w", name, err)
	}
	return line, nil
}
