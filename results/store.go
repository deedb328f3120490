package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// A store is a folder of runs, each in a folder of its own, and of packed files, whose lines are records.
const (
	RecordFile   = "record.json" // of a run's folder; written last: where it is, the run is done
	ScoresFolder = "scores"      // in a run's folder: scores that came later, a file each
	FigureFile   = "figure.json" // in a run's folder: what figures show of its model
	FigureFolder = "figures"     // in a store: the same of packed runs, a file each, and pictures
	PackedFile   = "runs.jsonl"  // in a store
	packedEnding = ".jsonl"
)

// Write puts a record into the folder of its run, which it creates. The file appears whole or not at all. It returns an error for a record that
// lacks what each has, and where the file cannot be written.
func (r Record) Write(dir string) error {
	if err := atomicfile.Write(filepath.Join(dir, RecordFile), r.Encode); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}

// Encode writes the record as JSON that people can read. It returns an error for a record that lacks what each has, and that of w.
func (r Record) Encode(w io.Writer) error {
	line, err := r.Line()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, line, "", "  "); err != nil {
		return err
	}
	_, err = w.Write(text.Bytes())
	return err
}

// Write puts a score into the folder of the run that it is of. It returns an error for a score without a name or a record, and where the
// file cannot be written.
func (s Scored) Write(dir string) error {
	line, err := s.Line()
	if err != nil {
		return err
	}
	path := filepath.Join(dir, ScoresFolder, url.PathEscape(s.Score)+".json")
	if err := atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(line); return err }); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}

// Problem is a file, or a line of it, that is no record.
type Problem struct {
	File string
	Line int // from 1; 0 for the whole file
	Err  error
}

// Error returns "file:line: reason".
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %v", p.File, p.Err)
	}
	return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
}

// Unwrap returns the reason, the error without its file and line.
func (p Problem) Unwrap() error { return p.Err }

// Part is a packed file or the folder of a run.
type Part struct {
	Path   string
	Folder bool
}

// Parts returns the parts of a store in the order of their paths: those in the folder at path or, where deep
// is true, in all folders under it. A packed file, and the folder of a run, is itself the only part. A path
// that does not exist is an error, fs.ErrNotExist; what vanishes under it meanwhile is left out.
func Parts(path string, deep bool) (parts []Part, err error) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		return []Part{{Path: path}}, nil
	}
	root := path + string(filepath.Separator) // of a link, the folder that it leads to
	if err == nil {
		err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return unlessGone(name, err)
			case strings.HasSuffix(name, packedEnding):
				parts = append(parts, Part{Path: name})
				return nil
			case !e.IsDir():
				return nil
			}
			if _, err := os.Lstat(filepath.Join(name, RecordFile)); !errors.Is(err, fs.ErrNotExist) {
				parts = append(parts, Part{filepath.Clean(name), true})
				return filepath.SkipDir
			}
			if !deep && name != root && !strings.HasSuffix(name, ".d") { // in which earlier versions kept files of shards
				return filepath.SkipDir
			}
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("results: store: %w", err)
	}
	return parts, nil
}

// unlessGone returns an error, if it is one, unless the reason is that nothing was at the path any more: a
// link to nothing is there.
func unlessGone(path string, err error) error {
	if fi, now := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && (now != nil || fi.Mode()&fs.ModeSymlink == 0) {
		return nil
	}
	return err
}

// ByTime says which of two records comes first: the one of the run that has ended first.
func ByTime(a, b Record) int { return a.Finished.Compare(b.Finished) }

// Lines are what a part holds.
type Lines struct {
	Records  []Record
	Scores   []Scored  // of records that are here or elsewhere in the store
	Problems []Problem // what is neither
}

// Read reads the part, nothing of one that is not there any more. What is no record is one of Problems. It
// returns an error for a file that cannot be read.
func (p Part) Read() (all Lines, err error) {
	if p.Folder {
		return readFolder(p.Path), nil
	}
	text, err := os.ReadFile(p.Path)
	if err = unlessGone(p.Path, err); err != nil {
		return all, fmt.Errorf("results: store: %w", err)
	}
	return parse(p.Path, text), nil
}

// readFolder reads the folder of a run. What cannot be read of it loses no other run.
func readFolder(dir string) (all Lines) {
	problem := func(path string, err error) {
		if unlessGone(path, err) != nil {
			all.Problems = append(all.Problems, Problem{File: path, Err: err})
		}
	}
	r, err := ReadRecord(dir)
	if err != nil {
		problem(filepath.Join(dir, RecordFile), errors.Unwrap(err))
		return all
	}
	scores := filepath.Join(dir, ScoresFolder)
	files, err := os.ReadDir(scores)
	problem(scores, err)
	for _, f := range files {
		path := filepath.Join(scores, f.Name())
		if atomicfile.IsTemporary(path) {
			continue
		}
		text, err := os.ReadFile(path)
		s, is := parseScored(text)
		switch {
		case err != nil:
			problem(path, err)
		case !is || s.Of != r.ID():
			problem(path, errors.New("no score of the run in this folder"))
		default:
			r.AddScore(s)
		}
	}
	all.Records = []Record{r}
	return all
}

// ReadRecord reads the record of a run's folder. It returns an error for a folder without one (fs.ErrNotExist), and for a file that is no record.
func ReadRecord(dir string) (Record, error) {
	path := filepath.Join(dir, RecordFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return Record{}, fmt.Errorf("results: %w", err)
	}
	r, err := ParseRecord(text)
	if err != nil {
		return r, fmt.Errorf("results: %s: %w", path, err)
	}
	return r, nil
}

// Stored is a record of a store.
type Stored struct {
	Record
	Dir string // the folder of the run; "" of a packed record
}

// ReadStored reads the records of the Parts of a store, each once, with their scores, wherever in the store
// these are: those of packed files in their order, and then those of folders, by time. It sees what is there
// throughout, also where others write and pack. What is no record, also of a newer version, is skipped and
// returned as problems. A path that does not exist, or cannot be read, is an error.
func ReadStored(path string, deep bool) (all []Stored, problems []Problem, err error) {
	var folders []Stored
	var scores []Scored
	for _, folder := range []bool{true, false} { // a run that leaves its folder is in a packed file by then
		parts, err := Parts(path, deep)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range parts {
			if p.Folder != folder {
				continue
			}
			more, err := p.Read()
			if err != nil {
				return nil, nil, err
			}
			for _, r := range more.Records {
				if folder {
					folders = append(folders, Stored{r, p.Path})
				} else {
					all = append(all, Stored{Record: r})
				}
			}
			scores, problems = append(scores, more.Scores...), append(problems, more.Problems...)
		}
	}
	slices.SortStableFunc(folders, func(a, b Stored) int { return ByTime(a.Record, b.Record) })
	read := append(all, folders...)
	all = nil
	at := map[string]int{}
	for _, r := range read {
		i, twice := at[r.ID()]
		if !twice {
			at[r.ID()] = len(all)
			all = append(all, r)
			continue
		}
		for _, s := range append(r.Scores, Scored{Score: r.ScoreName(), Definition: r.ScoreDefinition, Metrics: r.Metrics}) {
			all[i].AddScore(s)
		}
		all[i].Dir = r.Dir
	}
	for _, s := range scores {
		if i, there := at[s.Of]; there {
			all[i].AddScore(s)
		}
	}
	return all, problems, nil
}

// ReadStore is ReadStored of all that lies under path, without the folders.
func ReadStore(path string) (records []Record, problems []Problem, err error) {
	all, problems, err := ReadStored(path, true)
	return seq.Map(all, func(s Stored) Record { return s.Record }), problems, err
}

// parse returns what stands in the lines of a packed file.
func parse(path string, text []byte) (all Lines) {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if score, is := parseScored(line); is {
			all.Scores = append(all.Scores, score)
		} else if record, err := ParseRecord(line); err != nil {
			all.Problems = append(all.Problems, Problem{path, number, err})
		} else {
			all.Records = append(all.Records, record)
		}
	}
	return all
}

// parseScored returns the score that a text is, and whether it is one.
func parseScored(text []byte) (s Scored, is bool) {
	if !bytes.Contains(text, []byte(`"of":`)) { // records have no such key, and are long
		return s, false
	}
	return s, json.Unmarshal(text, &s) == nil && s.validate() == nil
}

// ParseRecord returns the record that a text is. It returns an error for a text that is no record, or lacks what each has.
func ParseRecord(text []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("no record: %w", err)
	}
	if bytes.ContainsRune(r.Options, '\n') { // of a file for people to read
		var b bytes.Buffer
		if err := json.Compact(&b, r.Options); err != nil {
			return r, fmt.Errorf("options: %w", err)
		}
		r.Options = b.Bytes()
	}
	return r, r.Validate()
}
