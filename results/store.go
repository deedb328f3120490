package results

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Append adds the record to the store file at path, which it creates, with its folders, if need be.
//
// The line is written at once under a lock, so several processes may append to one file. If an earlier writer was
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
	return appendLocked(ctx, path, line, waiting)
}

// appendLocked adds whole lines to a store's file under its lock.
func appendLocked(ctx context.Context, path string, lines []byte, waiting func()) error {
	if fi, err := os.Stat(path); err != nil || fi.Mode().IsRegular() {
		release, err := lock(ctx, path, waiting)
		if err != nil {
			return fmt.Errorf("results: store %s: lock: %w", path, err)
		}
		defer release()
	}
	return appendTo(path, lines)
}

// AppendAlone is Append to a file that nobody else writes meanwhile, such as a ShardFile: it takes no lock. It returns an error for a record
// that lacks what each has, and where the file cannot be written.
func (r Record) AppendAlone(path string) error {
	line, err := r.Line()
	if err != nil {
		return err
	}
	return appendTo(path, line)
}

// appendTo adds whole lines to a store's file, all of them or none.
func appendTo(path string, lines []byte) (err error) {
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
	if err := appendLines(f, lines); err != nil {
		if pe, ok := err.(*fs.PathError); ok {
			err = pe.Err // the file is named here
		}
		return fmt.Errorf("results: store %s: %w", path, err)
	}
	return nil
}

func appendLines(f *os.File, lines []byte) error {
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

// StoreFiles returns the files of a store: the file at path and those in its ShardFolder, or all files under a folder whose names end in
// .jsonl, in the order of their paths. A path that does not exist and has no ShardFolder is an error, fs.ErrNotExist.
func StoreFiles(path string) (names []string, err error) {
	fi, err := os.Stat(path)
	if err == nil && fi.IsDir() {
		return filesUnder(path)
	}
	shards, shardErr := filesUnder(ShardFolder(path))
	switch {
	case err == nil:
		names = []string{path}
	case !errors.Is(err, fs.ErrNotExist) || len(shards) == 0:
		return nil, fmt.Errorf("results: store: %w", err)
	}
	if shardErr != nil && !errors.Is(shardErr, fs.ErrNotExist) {
		return nil, shardErr
	}
	return append(names, shards...), nil
}

// filesUnder returns the files of records under a folder.
func filesUnder(dir string) (names []string, err error) {
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(name, ".jsonl") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("results: store: %w", err)
	}
	return names, nil
}

// ReadStore reads the records of the files that StoreFiles returns, in their order, with their scores. Lines that are no records, also those that a newer
// version wrote, are skipped and returned as problems. A path that does not exist, or cannot be read, is an error.
func ReadStore(path string) (records []Record, problems []Problem, err error) {
	names, err := StoreFiles(path)
	if err != nil {
		return nil, nil, err
	}
	var scores []Scored
	for _, name := range names {
		r := Reader{Path: name}
		more, err := r.Read()
		if err != nil {
			return nil, nil, err
		}
		records, scores, problems = append(records, more.Records...), append(scores, more.Scores...), append(problems, more.Problems...)
	}
	Join(records, scores)
	return records, problems, nil
}

// Join adds scores to the records that they are of. A score whose record is not there is left out.
func Join(records []Record, scores []Scored) {
	if len(scores) == 0 {
		return
	}
	at := map[string]int{}
	for i, r := range records {
		at[r.ID()] = i
	}
	for _, s := range scores {
		if i, there := at[s.Of]; there {
			records[i].AddScore(s)
		}
	}
}

// Lines are what stands in the lines of a store.
type Lines struct {
	Records  []Record
	Scores   []Scored  // of records that are here or elsewhere in the store
	Problems []Problem // lines that are neither
}

// Reader reads a file of records on where it stopped the last time.
type Reader struct {
	Path   string
	offset int64 // in bytes, of what is not read yet
	lines  int   // read
}

// Shrunk says whether the file is shorter than what was read of it, so that it is another one.
func (r *Reader) Shrunk() bool {
	fi, err := os.Stat(r.Path)
	return err == nil && fi.Size() < r.offset
}

// Read returns what is new. A last line without its end may be on its way into the file, and is waited for. It returns an error for a file that
// cannot be read.
func (r *Reader) Read() (Lines, error) {
	const tries, pause = 40, 5 * time.Millisecond
	var all Lines
	for try := 1; ; try++ {
		text, err := r.rest()
		if err != nil {
			return Lines{}, fmt.Errorf("results: store: %w", err)
		}
		whole := bytes.LastIndexByte(text, '\n') + 1
		wait := whole < len(text) && try < tries && !json.Valid(text[whole:])
		if !wait {
			whole = len(text)
		}
		r.parse(text[:whole], &all)
		if !wait {
			return all, nil
		}
		time.Sleep(pause)
	}
}

// rest returns what is not read yet.
func (r *Reader) rest() ([]byte, error) {
	f, err := os.Open(r.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	text := make([]byte, max(0, fi.Size()-r.offset))
	n, err := f.ReadAt(text, r.offset)
	if errors.Is(err, io.EOF) {
		err = nil // it was cut off meanwhile
	}
	return text[:n], err
}

// parse takes over lines.
func (r *Reader) parse(text []byte, all *Lines) {
	r.offset += int64(len(text))
	for line := range bytes.Lines(text) {
		r.lines++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if score, is := parseScored(line); is {
			all.Scores = append(all.Scores, score)
		} else if record, err := ParseRecord(line); err != nil {
			all.Problems = append(all.Problems, Problem{r.Path, r.lines, err})
		} else {
			all.Records = append(all.Records, record)
		}
	}
}

// parseScored returns the score that a line is, and whether it is one.
func parseScored(line []byte) (s Scored, is bool) {
	if !bytes.Contains(line, []byte(`"of":`)) { // records have no such key, and are long
		return s, false
	}
	return s, json.Unmarshal(line, &s) == nil && s.validate() == nil
}

// ParseRecord returns the record of a line of a store. It returns an error for a line that is no record, or lacks what each has.
func ParseRecord(line []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("no record: %w", err)
	}
	return r, r.Validate()
}
