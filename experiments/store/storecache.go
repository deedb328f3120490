package store

import (
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/disk"
)

// storeCache is what is kept of a store between two programs. It holds nothing that the store does not: who removes it loses
// the time to read all records once.
type storeCache struct {
	Program string // that wrote it: another one may tell runs apart in another way
	Store   string
	Files   map[string]*storeFile
}

// cachePath returns where the cache of a store is, and the program that may read it.
func (s *Store) cachePath() (path, store, program string, err error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", "", "", err
	}
	if store, err = filepath.Abs(s.path); err != nil {
		return "", "", "", err
	}
	exe, err := os.Executable()
	if err != nil {
		return "", "", "", err
	}
	fi, err := os.Stat(exe)
	if err != nil {
		return "", "", "", err
	}
	program = fmt.Sprintf("%d %d", fi.Size(), fi.ModTime().UnixNano())
	return filepath.Join(dir, "asp2vec", "stores", run.Hash(store)+".gob"), store, program, nil
}

// readCache takes over what an earlier program read, if it is there and fits.
func (s *Store) readCache() {
	path, store, program, err := s.cachePath()
	if err != nil {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	var c storeCache
	if err := gob.NewDecoder(f).Decode(&c); err != nil || c.Program != program || c.Store != store {
		return
	}
	for name, f := range c.Files {
		name = filepath.Join(s.path, name)
		for _, e := range f.Entries {
			e.store, e.file = s, name
		}
		s.files[name] = f
	}
}

// writeCache leaves for the next program what this one read of the files that only grow. That it may fail, as in a home that
// cannot be written, costs time alone.
func (s *Store) writeCache() {
	path, store, program, err := s.cachePath()
	if err != nil {
		return
	}
	c := storeCache{program, store, map[string]*storeFile{}}
	for _, name := range s.order.Main {
		rel, err := filepath.Rel(s.path, name)
		if err != nil {
			return
		}
		c.Files[rel] = s.files[name]
	}
	if err := disk.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return
	}
	_ = atomicfile.Write(path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(c) })
}
