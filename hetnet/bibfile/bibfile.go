// Package bibfile turns papers in the files that people have into a table of papers: BibTeX, JSON of OpenAlex and Semantic
// Scholar, and tables with named columns. What a file is in, its content tells.
package bibfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/asp2vec/asp2vec/internal/compressed"
	"github.com/asp2vec/asp2vec/network/formats"
)

// Names of formats.
const (
	BibTeX = "BibTeX"
	JSON   = "JSON" // of OpenAlex or Semantic Scholar, which each object tells; an array, or one object a line
	Table  = "table"
)

// Work is a paper as a file of references has it.
type Work struct {
	ID       string
	Title    string
	Abstract string
	Venue    string // "" where it is not known
	Year     int    // 0 where it is not known
	Authors  []Person
	Cites    []string // ids
	Line     int      // where it stands
}

// Person is an author of a work.
type Person struct {
	ID   string // tells persons of one name apart; "" for the name itself
	Name string
}

var (
	bibStart  = regexp.MustCompile(`(?i)^[^@]*@\s*[a-z]+\s*[{(]`)
	ofNetwork = regexp.MustCompile(`"(nodes|links|edges)"\s*:`)
)

// format returns the format of a text by its first bytes, and whether these look like papers rather than links: BibTeX, JSON without
// nodes, or a table whose columns are named so.
func format(text []byte) (name string, papers bool) {
	head := text[:min(len(text), headBytes)]
	switch {
	case formats.JSON(head):
		return JSON, !ofNetwork.Match(head)
	case bibStart.Match(head) && !titled(head):
		return BibTeX, true
	}
	return Table, titled(head)
}

const (
	headBytes = 1 << 15 // that tell what a file is in
	mostBytes = 1 << 31 // of a file of papers, decompressed
)

// Is says whether a file looks like papers rather than links. It returns an error for a file that cannot be read, or whose compressed data
// are damaged at its beginning.
func Is(path string) (bool, error) {
	head, err := contents(path, headBytes)
	if err != nil {
		return false, err
	}
	_, papers := format(head)
	return papers, nil
}

// Read reads the works of a file, plain or compressed with gzip, bzip2, xz or zstd, and returns the name of its format. It returns an
// error, with file and line, for content that is in none of the formats, is cut off or damaged, or has a year that is no number.
func Read(path string) ([]Work, string, error) {
	text, err := contents(path, mostBytes)
	if err != nil {
		return nil, "", err
	}
	return read(text, path)
}

// contents returns the first bytes of a file, decompressed, without a byte order mark.
func contents(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bibfile: %w", err)
	}
	defer f.Close()
	z, err := compressed.NewReader(bufio.NewReader(f))
	if err == nil {
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(z, most)); err == nil {
			return bytes.TrimPrefix(text, []byte("\ufeff")), nil
		}
	}
	return nil, fmt.Errorf("bibfile: %s: %w", path, err)
}

// read is Read for a text; name is what errors call it.
func read(text []byte, name string) (works []Work, kind string, err error) {
	kind, _ = format(text)
	at := 0 // bytes of the text before what is wrong
	switch kind {
	case BibTeX:
		works, at, err = readBibTeX(string(text))
	case JSON:
		works, at, err = readJSON(text)
	default:
		works, at, err = readTable(text)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("ends in the middle: expected the whole file; was its copy or download cut off?")
	}
	if err != nil {
		return nil, kind, fmt.Errorf("bibfile: %s:%d: %w", name, lineAt(text, at), err)
	}
	if len(works) == 0 {
		return nil, kind, fmt.Errorf("bibfile: %s: no paper: expected BibTeX, JSON of OpenAlex or Semantic Scholar, or a table with columns such as title and authors", name)
	}
	return works, kind, nil
}

// lineAt returns the number of the line, from 1, that byte i of a text is on.
func lineAt(text []byte, i int) int { return 1 + bytes.Count(text[:min(i, len(text))], []byte("\n")) }
