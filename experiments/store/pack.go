package store

import (
	"bytes"
	"cmp"
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

// Pack moves the records of a store's runs, with their scores, into its packed file, what figures show of
// them beside it, and removes their folders. It returns how many were moved and, for each folder that stays,
// why: it has vectors, say, or a process is at it. It returns an error for files that cannot be read, written
// or removed; then no record is lost, though one may be there twice.
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
	known := map[string]bool{}
	for line := range bytes.Lines(all) {
		known[string(line)] = true
	}
	var runs []*Entry
	for _, p := range parts {
		if !p.Folder || !runFolder.MatchString(filepath.Base(p.Path)) {
			continue
		}
		e, _, why := packable(p.Path)
		if why != "" {
			left = append(left, why)
			continue
		}
		runs = append(runs, e)
	}
	if len(runs) == 0 {
		return 0, left, nil
	}
	if n := len(all); n > 0 && all[n-1] != '\n' {
		all = append(all, '\n')
	}
	slices.SortStableFunc(runs, func(a, b *Entry) int { return results.ByTime(a.Record, b.Record) })
	for _, e := range runs {
		if line, _ := e.Line(); !known[string(line)] { // as it is where a process was killed that packed it
			known[string(line)], all = true, append(all, line...)
		}
	}
	if err := atomicfile.Write(file, func(w io.Writer) error { _, err := w.Write(all); return err }); err != nil {
		return 0, nil, fmt.Errorf("experiments: %w", err)
	}
	for _, e := range runs { // one after the other: a run that is held is an open file
		why, err := e.remove(store, known)
		switch {
		case err != nil:
			return packed, nil, fmt.Errorf("experiments: %w", err)
		case why != "":
			left = append(left, why)
		default:
			packed++
		}
	}
	return packed, left, nil
}

// packable reads the folder of a run. It returns its entry with the line of its record, or why it has to stay
// a folder.
func packable(dir string) (e *Entry, line, why string) {
	e, err := ReadRun(dir)
	var text []byte
	if e != nil {
		text, err = e.Line()
	}
	switch other := otherFile(dir); {
	case err != nil:
		why = err.Error()
	case e == nil || e.Key == "":
		why = "it is not finished, or has options that this version does not know"
	case other == vectors.PackedFile:
		why = "it has vectors, which results clean removes"
	case other != "":
		why = "it holds " + other
	}
	return e, string(text), why
}

// otherFile returns the name of a file in a run's folder that does not go with its record, and is none that a
// process has left which was killed; "" for none.
func otherFile(dir string) string {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if name := f.Name(); !slices.Contains([]string{results.RecordFile, results.ScoresFolder, results.FigureFile, LockFile}, name) && !atomicfile.IsTemporary(name) {
			return name
		}
	}
	return ""
}

// remove takes away the files of a run whose record is among the lines of the packed file, its record last,
// and moves what figures show of it to those of packed runs. It returns why not where there is a reason.
func (e *Entry) remove(store string, lines map[string]bool) (why string, err error) {
	held, err := TakeRun(e.Dir)
	if err != nil || held == nil {
		return "a process is at work on it", err
	}
	defer LeaveRun(held)
	if _, line, why := packable(e.Dir); why != "" || !lines[line] {
		return cmp.Or(why, "it has changed meanwhile"), nil
	}
	from, to := filepath.Join(e.Dir, results.FigureFile), filepath.Join(store, results.FigureFolder, e.Run.Name()+".json")
	if _, none := os.Stat(from); none == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.Rename(from, to))
	}
	files, unread := os.ReadDir(e.Dir)
	err = errors.Join(err, unread)
	for _, f := range files {
		if name := f.Name(); err == nil && name != results.RecordFile && name != LockFile {
			err = os.RemoveAll(filepath.Join(e.Dir, name))
		}
	}
	if err == nil {
		err = os.Remove(filepath.Join(e.Dir, results.RecordFile))
	}
	return "", err
}
