package results

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/asp2vec/asp2vec/internal/disk"
)

// Append adds the record to the store file at path, which it creates, with its folders, if need be.
//
// The line is written at once under a lock on the file, so several processes may append to one file. If an earlier writer was
// cut off in the middle of a line, that line is closed first, so that it spoils no record but its own; ReadStore reports it.
// If this write fails, as on a full disk, what it wrote is taken back.
func (r Record) Append(path string) error { return r.AppendWaiting(context.Background(), path, nil) }

// AppendWaiting is Append that calls waiting, if that is not nil, where another process has locked the file for a second, and gives up
// soon after ctx is cancelled if the file still is locked. It returns an error for a record that lacks what each has, where the file
// cannot be written, and the context's.
func (r Record) AppendWaiting(ctx context.Context, path string, waiting func()) error {
	line, err := r.Line()
	if err != nil {
		return err
	}
	return appendTo(ctx, path, line, waiting)
}

// appendTo adds whole lines to a store's file, all of them or none.
func appendTo(ctx context.Context, path string, lines []byte, waiting func()) (err error) {
	if err := disk.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("results: store %s: %w", path, err)
	}
	f, err := disk.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("results: store: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("results: store %s: %w", path, cerr)
		}
	}()
	if err := lock(ctx, f.File, waiting); err != nil {
		return fmt.Errorf("results: store %s: lock: %w", path, err)
	}
	if err := appendLines(f, lines); err != nil {
		if pe, ok := err.(*fs.PathError); ok {
			err = pe.Err // the file is named here
		}
		return fmt.Errorf("results: store %s: %w", path, err)
	}
	return nil
}

func appendLines(f *disk.File, lines []byte) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	size := fi.Size()
	if size > 0 && fi.Mode().IsRegular() {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if _, err := f.Write(lines); err != nil {
		if fi.Mode().IsRegular() {
			if back := f.Truncate(size); back != nil {
				err = errors.Join(err, back)
			}
		}
		return err
	}
	if fi.Mode().IsRegular() {
		return f.Sync()
	}
	return nil
}

// Problem is a line of a store that is no record.
type Problem struct {
	File string
	Line int // from 1
	Err  error
}

// Error returns "file:line: reason".
func (p Problem) Error() string { return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err) }

// Unwrap returns the reason, the error without its file and line.
func (p Problem) Unwrap() error { return p.Err }

// Files are the files of a store.
type Files struct {
	Main  []string // in the order of their paths
	Parts []string // that processes have to themselves; see Part
}

// All returns the files, the parts first.
func (f Files) All() []string { return slices.Concat(f.Parts, f.Main) }

// StoreFiles returns the files of a store: the file at path and its parts, or all files under a folder whose names end in
// .jsonl. A path that does not exist and has no parts is an error.
func StoreFiles(path string) (Files, error) {
	var files Files
	fi, err := os.Stat(path)
	if err != nil || !fi.IsDir() {
		parts, partsErr := Parts(path, "")
		if files.Parts = parts; err == nil {
			files.Main = []string{path}
		} else if errors.Is(err, fs.ErrNotExist) && len(parts) > 0 {
			err = nil
		} else {
			err = fmt.Errorf("results: store: %w", err)
		}
		return files, errors.Join(err, partsErr)
	}
	err = filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir() || !strings.HasSuffix(name, ".jsonl"):
		case strings.HasSuffix(filepath.Dir(name), ".d") && isPart(e.Name()):
			files.Parts = append(files.Parts, name)
		default:
			files.Main = append(files.Main, name)
		}
		return err
	})
	if err != nil {
		return files, fmt.Errorf("results: store: %w", err)
	}
	return files, nil
}

// ReadStore reads the records of a file and its parts, or of all files under a folder whose names end in .jsonl, in the order of
// their paths and lines, parts last. What Merge is about to move, and is in two places, counts once. Lines that are no records,
// also those that a newer version wrote, are skipped and returned as problems. A path that does not exist, or cannot be read, is an error.
func ReadStore(path string) (records []Record, problems []Problem, err error) {
	err = WithFiles(func() (Files, error) { return StoreFiles(path) }, func(files Files) error {
		records, problems = nil, nil
		seen := map[uint64]bool{}
		type line struct {
			record Record
			hash   uint64
		}
		var ofParts []line
		// Parts come first: what moves meanwhile from them to the file is then seen twice, and not missed.
		for _, name := range files.Parts {
			if err := eachRecord(name, func(r Record, hash uint64) { ofParts = append(ofParts, line{r, hash}) }, &problems); err != nil {
				return err
			}
		}
		for _, name := range files.Main {
			if err := eachRecord(name, func(r Record, hash uint64) { records, seen[hash] = append(records, r), true }, &problems); err != nil {
				return err
			}
		}
		for _, l := range ofParts {
			if !seen[l.hash] {
				records, seen[l.hash] = append(records, l.record), true
			}
		}
		return nil
	})
	return records, problems, err
}

// eachRecord calls do with the records of a file, and adds the lines that are none to problems. A last line without its end may be on its
// way into the file, and is waited for.
func eachRecord(name string, do func(r Record, hash uint64), problems *[]Problem) error {
	const tries, pause = 40, 5 * time.Millisecond
	look := recordLines(name, ParseRecord, do, problems)
	from := int64(0)
	for try := 1; ; try++ {
		half := int64(-1)
		err := EachLine(name, from, func(offset int64, line []byte, ended bool) {
			if !ended && try < tries && !json.Valid(line) {
				half = offset
				return
			}
			look(offset, line, ended)
		})
		if err != nil || half < 0 {
			return err
		}
		from = half
		time.Sleep(pause)
	}
}

// recordLines returns what looks at a line: it calls do with its record, which parse reads, or adds it to problems.
func recordLines(name string, parse func([]byte) (Record, error), do func(r Record, hash uint64), problems *[]Problem) func(int64, []byte, bool) {
	n := 0
	return func(_ int64, line []byte, _ bool) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		r, err := parse(line)
		if err != nil {
			*problems = append(*problems, Problem{name, n, err})
			return
		}
		do(r, LineHash(line))
	}
}

// WithFiles calls read with the files of a store that list returns, and again, up to a few times, where one that it was to read was
// moved meanwhile, as Merge does with parts. It returns the last error of list or read.
func WithFiles(list func() (Files, error), read func(Files) error) error {
	const tries = 10
	for try := 1; ; try++ {
		files, err := list()
		if err != nil {
			return err
		}
		err = read(files)
		if moved := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESTALE); !moved || try == tries {
			return err
		}
	}
}

// ParseRecord returns the record of a line of a store. It returns an error for a line that is no record, or lacks what each has.
func ParseRecord(line []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("no record: %w", err)
	}
	return r, r.Validate()
}
