package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Append adds the record to the store file at path, which it creates, with its folders, if need be.
//
// The line is written at once under a lock on the file, so several processes may append to one file. If an earlier writer was
// cut off in the middle of a line, that line is closed first, so that it spoils no record but its own; ReadStore reports it.
// If this write fails, as on a full disk, what it wrote is taken back.
func (r Record) Append(path string) (err error) {
	line, err := r.Line()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("results: store %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("results: store: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("results: store %s: %w", path, cerr)
		}
	}()
	if err := lock(f); err != nil {
		return fmt.Errorf("results: store %s: lock: %w", path, err)
	}
	if err := appendLine(f, line); err != nil {
		return fmt.Errorf("results: store %s: %w", path, err)
	}
	return nil
}

func appendLine(f *os.File, line []byte) error {
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
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err := f.Write(line); err != nil {
		if fi.Mode().IsRegular() {
			err = errors.Join(err, f.Truncate(size))
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

// Unwrap returns the reason.
func (p Problem) Unwrap() error { return p.Err }

// ReadStore reads the records of a file, or of all files under a folder whose names end in .jsonl, in the order of their
// paths and lines. Lines that are no records, also those that a newer version wrote, are skipped and returned as problems. A
// path that does not exist, or cannot be read, is an error.
func ReadStore(path string) ([]Record, []Problem, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("results: store: %w", err)
	}
	files := []string{path}
	if fi.IsDir() {
		files = nil
		err := filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && strings.HasSuffix(name, ".jsonl") {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, nil, fmt.Errorf("results: store: %w", err)
		}
	}
	var records []Record
	var problems []Problem
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, fmt.Errorf("results: store: %w", err)
		}
		rs, ps, err := readLines(f, name)
		f.Close()
		if err != nil {
			return nil, nil, fmt.Errorf("results: store: %s: %w", name, err)
		}
		records = append(records, rs...)
		problems = append(problems, ps...)
	}
	return records, problems, nil
}

func readLines(r io.Reader, name string) (records []Record, problems []Problem, err error) {
	br := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, nil, err
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			rec, perr := parseRecord(text)
			if perr != nil {
				problems = append(problems, Problem{name, n, perr})
			} else {
				records = append(records, rec)
			}
		}
		if err == io.EOF {
			return records, problems, nil
		}
	}
}

func parseRecord(text []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("no record: %w", err)
	}
	return r, r.validate()
}
