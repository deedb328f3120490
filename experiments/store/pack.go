package store

import (
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

// Pack moves the records of a store's runs, with their scores, into its packed file, what figures show of them beside it, and removes their folders. It returns how many were moved, and how many were
// left: those with vectors or checkpoints, and those that a process is at. It returns an error for files that cannot be read, written or removed; then no
// record is lost, though one may be there twice.
func Pack(store string) (packed, left int, err error) {
	file := filepath.Join(store, results.PackedFile)
	alone, err := filelock.Take(filepath.Join(store, "."+results.PackedFile+".lock"))
	if err != nil {
		return 0, 0, fmt.Errorf("experiments: %w", err)
	}
	if alone == nil {
		return 0, 0, fmt.Errorf("experiments: another process is packing %s", store)
	}
	defer alone.Release()
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, fmt.Errorf("experiments: %w", err)
	}
	if n := len(before); n > 0 && before[n-1] != '\n' {
		before = append(before, '\n')
	}
	parts, err := results.Parts(store, false)
	if err != nil {
		return 0, 0, err
	}
	var moved []string
	var records []results.Record
	for _, p := range parts {
		if !p.Folder || !runFolder.MatchString(filepath.Base(p.Path)) {
			continue
		}
		held, err := TakeRun(p.Path)
		if err != nil {
			return 0, 0, err
		}
		if held == nil {
			left++
			continue
		}
		defer LeaveRun(held)
		lines, err := p.Read()
		if err != nil {
			return 0, 0, err
		}
		if len(lines.Records) == 0 || len(lines.Problems) > 0 || !onlyRecord(p.Path) {
			left++
			continue
		}
		records, moved = append(records, lines.Records[0]), append(moved, p.Path)
	}
	if len(moved) == 0 {
		return 0, left, nil
	}
	slices.SortStableFunc(records, results.ByTime)
	for _, r := range records {
		line, err := r.Line()
		if err != nil {
			return 0, 0, err
		}
		before = append(before, line...)
	}
	if err := atomicfile.Write(file, func(w io.Writer) error { _, err := w.Write(before); return err }); err != nil {
		return 0, 0, fmt.Errorf("experiments: %w", err)
	}
	for _, dir := range moved {
		if err := moveFigure(store, dir); err != nil {
			return 0, 0, err
		}
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, results.ScoresFolder)), os.Remove(filepath.Join(dir, results.RecordFile))); err != nil {
			return 0, 0, fmt.Errorf("experiments: %w", err)
		}
	}
	return len(moved), left, nil
}

// moveFigure moves what figures show of a run, if there is any, from its folder to those of packed runs.
func moveFigure(store, dir string) error {
	from := filepath.Join(dir, results.FigureFile)
	if _, err := os.Stat(from); err != nil {
		return nil
	}
	r, err := results.ReadRecord(dir)
	if err != nil {
		return err
	}
	j, err := JobOf(r)
	if err == nil {
		err = os.MkdirAll(filepath.Join(store, results.FigureFolder), 0o755)
	}
	if err == nil {
		err = os.Rename(from, filepath.Join(store, results.FigureFolder, ID{j.Key(), *j.of}.Name()+".json"))
	}
	if err != nil {
		return fmt.Errorf("experiments: %w", err)
	}
	return nil
}

// onlyRecord says whether a folder holds a record, with its scores, what figures show of it and the lock, and nothing else.
func onlyRecord(dir string) bool {
	files, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(files, func(f fs.DirEntry) bool {
		return !slices.Contains([]string{results.RecordFile, results.ScoresFolder, results.FigureFile, LockFile}, f.Name())
	})
}
