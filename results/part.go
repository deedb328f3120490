package results

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/disk"
	"github.com/asp2vec/asp2vec/internal/filelock"
)

// Part is a file of records that one process alone writes, beside a store that many machines share: it needs no lock, which
// network file systems may not have. Reading the store reads its parts too; Merge puts them into it.
//
// With each record the file is replaced by one with that record too, so that it is always whole. From a size on another file
// is begun. It may be used by several goroutines.
type Part struct {
	store, name string

	mu    sync.Mutex
	n     int // number of the file
	lines []byte
}

// partSize is the size in bytes from which on a part goes on in another file, so that a record costs the same however many
// there are.
const partSize = 256 << 10

// PartsFolder returns the folder of the parts of a store, "runs.d" of "runs.jsonl".
func PartsFolder(store string) string {
	return strings.TrimSuffix(store, filepath.Ext(store)) + ".d"
}

// NewPart returns a part of a store, whose files' names begin with prefix, if it is not empty, and then say host, process and
// time. It is not written before the first record.
func NewPart(store, prefix string) *Part {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	words := []string{host, strconv.Itoa(os.Getpid()), strconv.FormatInt(time.Now().UnixNano(), 36)}
	if prefix != "" {
		words = append([]string{prefix}, words...)
	}
	return &Part{store: store, name: strings.ReplaceAll(strings.Join(words, "-"), string(filepath.Separator), "_"), n: 1}
}

// Append adds a record. It is in the part when Append has returned nil, and not there if it returns an error.
func (p *Part) Append(r Record) error {
	line, err := r.Line()
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	dir := PartsFolder(p.store)
	lines := append(p.lines[:len(p.lines):len(p.lines)], line...)
	path := filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", p.name, p.n))
	const tries = 10 // that Merge takes the folder away in between, which it has emptied
	for try := 1; ; try++ {
		if err := disk.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("results: store %s: %w", p.store, err)
		}
		err := atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(lines); return err })
		if errors.Is(err, fs.ErrNotExist) && try < tries {
			continue
		}
		if err != nil {
			return fmt.Errorf("results: store %s: %w", p.store, err)
		}
		break
	}
	if p.lines = lines; len(lines) >= partSize {
		p.n, p.lines = p.n+1, nil
	}
	return nil
}

// Parts returns the files of a store's parts whose names begin with prefix, sorted by name; none where there is no folder of
// them. It returns an error for a folder that is there and cannot be read.
func Parts(store, prefix string) ([]string, error) {
	dir := PartsFolder(store)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("results: store: %w", err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasPrefix(e.Name(), prefix) && isPart(e.Name()) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names, nil
}

// isPart says whether a file in the folder of parts is one: a file on its way to a name begins with a dot.
func isPart(name string) bool {
	return !strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".jsonl")
}

// merging ends the name of a part that Merge is at.
const merging = ".merging.jsonl"

// Merge puts the records of a store's parts into its file, in the order of the parts' names, and removes the parts. It returns
// how many parts and records it took over, and what lines of parts are no records: such a part is left as it is.
//
// Who writes a part may go on with that: each part is first taken away under another name, and what it is replaced by
// later is merged later. If Merge is killed, or fails as on a full disk, every record is still there, in a part or in the file;
// one that is in both counts once for readers, and is not put there again by the next Merge. Only one process may merge a
// store at a time: the others get an error that is fs.ErrExist.
func Merge(store string) (parts, records int, problems []Problem, err error) {
	names, err := Parts(store, "")
	if err != nil || len(names) == 0 {
		return 0, 0, nil, err
	}
	free, err := filelock.Claim(filepath.Join(PartsFolder(store), ".merge"))
	if err != nil {
		return 0, 0, nil, err
	}
	defer func() {
		free()
		_ = disk.Remove(PartsFolder(store)) // fails if there is something in it
	}()
	there, err := linesOf(store)
	if err != nil {
		return 0, 0, nil, err
	}
	var lines []byte
	var taken []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, 0, nil, fmt.Errorf("results: store: %w", err)
		}
		if bad := problemsOf(name, text); len(bad) > 0 {
			problems = append(problems, bad...)
			continue
		}
		away := strings.TrimSuffix(strings.TrimSuffix(name, merging), ".jsonl") + merging
		if away != name {
			if slices.Contains(names, away) {
				continue // of an earlier Merge, which comes first: the next one takes this
			}
			if err := disk.Rename(name, away); err != nil {
				return 0, 0, nil, fmt.Errorf("results: store: %w", err)
			}
			if text, err = os.ReadFile(away); err != nil { // it may have been replaced before it was taken away
				return 0, 0, nil, fmt.Errorf("results: store: %w", err)
			}
		}
		taken = append(taken, away)
		for line := range bytes.Lines(text) {
			line = append(bytes.TrimRight(line, "\n"), '\n')
			if sum := LineHash(line); len(line) > 1 && !there[sum] {
				there[sum] = true
				lines, records = append(lines, line...), records+1
			}
		}
	}
	if len(lines) > 0 {
		if err := appendTo(context.Background(), store, lines, nil); err != nil {
			return 0, 0, problems, err
		}
	}
	for _, name := range taken {
		if err := disk.Remove(name); err != nil {
			return len(taken), records, problems, fmt.Errorf("results: store: %w", err)
		}
	}
	return len(taken), records, problems, nil
}

// problemsOf returns the lines of a part that are no records.
func problemsOf(name string, text []byte) (bad []Problem) {
	look := recordLines(name, ParseBrief, func(Record, uint64) {}, &bad)
	for line := range bytes.Lines(text) {
		look(0, line, true)
	}
	return bad
}

// linesOf returns the hashes of a store's lines; none where it is not there.
func linesOf(store string) (map[uint64]bool, error) {
	sums := map[uint64]bool{}
	err := EachLine(store, 0, func(_ int64, line []byte, _ bool) { sums[LineHash(line)] = true })
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return sums, err
}
