package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/filelock"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// LockFile lies in the folder of a run that a process is at.
const LockFile = "lock"

// TakeRun keeps other processes, and other runners in this one, from a run, or returns nil if someone else is at it. The system lets go of the lock when the
// process ends, however it ends.
func TakeRun(dir string) (*filelock.Lock, error) {
	held, err := filelock.Take(filepath.Join(dir, LockFile))
	if err != nil {
		return nil, fmt.Errorf("experiments: store: %w", err)
	}
	return held, nil
}

// LeaveRun lets go of a run, and removes its folder if nothing is in it.
func LeaveRun(held *filelock.Lock) {
	held.Release()
	_ = os.Remove(filepath.Dir(held.Path())) // fails if there is something in it
}

// Pack moves the records of a store's runs, with their scores, into its packed file, what figures show of them beside it, and removes their folders. It returns how many were moved and,
// for each folder that stays, why: it has vectors, say, or a process is at it. It returns an error for files that cannot be read, written or removed; then no
// record is lost, though one may be there twice.
func Pack(store string) (packed int, left []string, err error) {
	file := filepath.Join(store, results.PackedFile)
	alone, err := filelock.Take(filepath.Join(store, "."+results.PackedFile+".lock"))
	if err == nil && alone == nil {
		err = fmt.Errorf("another process is packing %s", store)
	}
	if err != nil {
		return 0, nil, fmt.Errorf("experiments: %w", err)
	}
	defer alone.Release()
	all, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, nil, fmt.Errorf("experiments: %w", err)
	}
	parts, err := results.Parts(store, false)
	if err != nil {
		return 0, nil, err
	}
	var runs []*Entry
	lines := map[*Entry][]byte{}
	each := func(dir string, then func(e *Entry, line []byte) (why string, err error)) error {
		why, err := hold(dir, then)
		if why != "" {
			left = append(left, why)
		}
		return err
	}
	for _, p := range parts { // one after the other: a run that is held is an open file
		if !p.Folder || !runFolder.MatchString(filepath.Base(p.Path)) {
			continue
		}
		if err := each(p.Path, func(e *Entry, line []byte) (string, error) {
			runs, lines[e] = append(runs, e), line
			return "", nil
		}); err != nil {
			return 0, nil, err
		}
	}
	if len(runs) == 0 {
		return 0, left, nil
	}
	if n := len(all); n > 0 && all[n-1] != '\n' {
		all = append(all, '\n')
	}
	slices.SortStableFunc(runs, func(a, b *Entry) int { return results.ByTime(a.Record, b.Record) })
	for _, e := range runs {
		if !bytes.Contains(all, lines[e]) { // as it does where a process was killed that packed it
			all = append(all, lines[e]...)
		}
	}
	if err := atomicfile.Write(file, func(w io.Writer) error { _, err := w.Write(all); return err }); err != nil {
		return 0, nil, fmt.Errorf("experiments: %w", err)
	}
	for _, e := range runs {
		if err := each(e.Dir, func(now *Entry, line []byte) (string, error) {
			if !bytes.Equal(line, lines[e]) {
				return "it has changed meanwhile", nil
			}
			packed++
			return "", now.remove(store)
		}); err != nil {
			return 0, nil, err
		}
	}
	return packed, left, nil
}

// hold calls a function on a run and the line of its record, while no other process can change them, unless it returns why the run is not to be packed.
func hold(dir string, then func(e *Entry, line []byte) (why string, err error)) (why string, err error) {
	held, err := TakeRun(dir)
	if err != nil || held == nil {
		return "a process is at work on it", err
	}
	defer LeaveRun(held)
	e, unread := ReadRun(dir)
	switch other := otherFile(dir); {
	case unread != nil:
		return unread.Error(), nil
	case e == nil || e.Key == "":
		return "it is not finished, or has options that this version does not know", nil
	case other == vectors.PackedFile:
		return "it has vectors, which results clean removes", nil
	case other != "":
		return "it holds " + other, nil
	}
	line, err := e.Line()
	if err != nil {
		return "", err
	}
	return then(e, line)
}

// otherFile returns the name of a file in a run's folder that does not go with its record, and is none that a process has left which was killed; "" for none.
func otherFile(dir string) string {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if name := f.Name(); !slices.Contains([]string{results.RecordFile, results.ScoresFolder, results.FigureFile, LockFile}, name) && !atomicfile.IsTemporary(name) {
			return name
		}
	}
	return ""
}

// remove takes away the files of a run that is packed, its record last, and moves what figures show of it to those of packed runs.
func (e *Entry) remove(store string) error {
	from, to := filepath.Join(e.Dir, results.FigureFile), filepath.Join(store, results.FigureFolder, e.Key+".json")
	var err error
	if _, none := os.Stat(from); none == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.Rename(from, to))
	}
	files, unread := os.ReadDir(e.Dir)
	err = errors.Join(err, unread)
	for _, f := range files {
		if atomicfile.IsTemporary(f.Name()) || f.Name() == results.ScoresFolder {
			err = errors.Join(err, os.RemoveAll(filepath.Join(e.Dir, f.Name())))
		}
	}
	if err == nil {
		err = os.Remove(filepath.Join(e.Dir, results.RecordFile))
	}
	if err != nil {
		return fmt.Errorf("experiments: %w", err)
	}
	return nil
}
