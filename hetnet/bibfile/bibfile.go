// Package bibfile reads papers and authors from the files that people have: BibTeX, CSL-JSON, JSON of OpenAlex and Semantic
// Scholar, and tables. What a file is in, its content tells.
package bibfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/asp2vec/asp2vec/internal/compressed"
)

// Names of formats.
const (
	BibTeX = "BibTeX"
	JSON   = "JSON" // CSL, OpenAlex or Semantic Scholar, which each object tells; an array, or one object a line
	Table  = "table"
)

var (
	bibStart  = regexp.MustCompile(`(?i)^[^@]*@\s*[a-z]+\s*[{(]`)
	jsonStart = regexp.MustCompile(`^\s*[\[{]`)
)

// Is says whether the first bytes of a file, decompressed, look like papers rather than links: BibTeX, JSON without nodes, or a
// table whose columns are named so.
func Is(head []byte) bool {
	switch format(head) {
	case BibTeX:
		return true
	case JSON:
		return !regexp.MustCompile(`"(nodes|links|edges)"\s*:`).Match(head)
	}
	return titled(head)
}

// format returns the format of a file by its first bytes.
func format(head []byte) string {
	switch {
	case jsonStart.Match(head):
		return JSON
	case bibStart.Match(head) && !titled(head):
		return BibTeX
	}
	return Table
}

// Head returns the first bytes of a file, decompressed, at most 32,768. It returns an error for a file that cannot be read, or whose
// compressed data are damaged there; a shorter file is no error.
func Head(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bibfile: %w", err)
	}
	defer f.Close()
	z, err := compressed.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("bibfile: %s: %w", path, err)
	}
	head := make([]byte, 1<<15)
	n, err := io.ReadFull(z, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("bibfile: %s: %w", path, err)
	}
	return head[:n], nil
}

// Read reads the works of a file and returns the name of its format. It returns the errors of ReadFrom, and one for a file that cannot
// be opened.
func Read(path string) ([]Work, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("bibfile: %w", err)
	}
	defer f.Close()
	return ReadFrom(f, path)
}

// ReadFrom reads works, plain or compressed with gzip, bzip2, xz or zstd, and returns the name of their format; name is what errors call the input. It returns an
// error, with file and line, for content that is in none of these formats, is cut off or damaged, or has a year that is no
// number.
func ReadFrom(r io.Reader, name string) ([]Work, string, error) {
	z, err := compressed.NewReader(bufio.NewReader(r))
	if err != nil {
		return nil, "", fmt.Errorf("bibfile: %s: %w", name, err)
	}
	t := &text{r: bufio.NewReaderSize(z, 1<<15), line: 1}
	head, err := t.r.Peek(1 << 15)
	if err != nil && err != io.EOF {
		return nil, "", fmt.Errorf("bibfile: %s: %w", name, err)
	}
	if string(head[:min(3, len(head))]) == "\ufeff" {
		t.r.Discard(3)
		head = head[3:]
	}
	kind := format(head)
	var works []Work
	switch kind {
	case BibTeX:
		works, err = readBibTeX(t)
	case JSON:
		works, err = readJSON(t)
	default:
		works, err = readTable(t)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("ends in the middle: want the whole file; was its copy or download cut off?")
	}
	if err != nil {
		return nil, kind, fmt.Errorf("bibfile: %s:%d: %w", name, t.line, err)
	}
	if len(works) == 0 {
		return nil, kind, fmt.Errorf("bibfile: %s: no paper: want BibTeX, CSL-JSON, JSON of OpenAlex or Semantic Scholar, or a table with columns such as title and authors", name)
	}
	return works, kind, nil
}

// text counts the lines of what is read from it.
type text struct {
	r    *bufio.Reader
	line int
}

func (t *text) next() (byte, error) {
	b, err := t.r.ReadByte()
	if b == '\n' {
		t.line++
	}
	return b, err
}

func (t *text) back(b byte) {
	_ = t.r.UnreadByte()
	if b == '\n' {
		t.line--
	}
}
