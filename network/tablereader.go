package network

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// TableReader reads a table that is no list of links, such as one of papers, by the rules of ReadFrom: what compresses a file, which
// lines are comments, what separates its columns, and what quotes are for.
type TableReader struct {
	c       columns
	file    *os.File // nil where whoever has it closes it
	options TableOptions
}

// TableOptions say what a table must be like.
type TableOptions struct {
	Separator byte   // of columns: '\t', ',', ';', ':' or ' '; 0 leaves it to the first line of data
	Columns   int    // of every line; 0 for any number from 1 up
	Want      string // what errors say that a line should hold
}

// longestRow is the length in bytes of the longest line of such a table: a hundred thousand words.
const longestRow = 1 << 20

// OpenTable opens a table, to be closed after. It returns an error for a file that cannot be opened, or whose beginning is no text.
func OpenTable(path string, o TableOptions) (*TableReader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	t, err := NewTable(file, path, o)
	if err != nil {
		file.Close()
		return nil, err
	}
	t.file = file
	return t, nil
}

// NewTable returns a reader of a table; name is what errors call it. It returns an error for one whose beginning is no text.
func NewTable(r io.Reader, name string, o TableOptions) (*TableReader, error) {
	l, err := newLongLines(r, name, longestRow, o.Want)
	if err != nil {
		return nil, err
	}
	return &TableReader{c: columns{lines: l, sep: o.Separator, csv: true, quotes: true}, options: o}, nil
}

// Next returns the columns of the next line of data, valid until the next call, or io.EOF after the last. Other errors are those of
// reading, of quotes, and of another number of columns than is wanted.
func (t *TableReader) Next() ([][]byte, error) {
	c := &t.c
	for {
		line, err := c.lines.next()
		if err != nil {
			return nil, err
		}
		if c.skip(line) {
			continue
		}
		if c.sep == 0 {
			if err := c.detect(bytes.TrimRight(line, " \t\r")); err != nil {
				return nil, err
			}
		}
		if c.sep == ' ' {
			line = c.trimEnd(line)
		}
		if err := c.cutAll(line); err != nil {
			return nil, err
		}
		if n := len(c.field); t.options.Columns > 0 && n != t.options.Columns {
			return nil, c.errorf("%d columns: expected %d, separated by %ss: %s", n, t.options.Columns, c.name(), t.options.Want)
		}
		return c.field, nil
	}
}

// Line returns the number, from 1, of the line that Next returned last.
func (t *TableReader) Line() int { return t.c.line }

// Errorf returns a *ParseError at that line.
func (t *TableReader) Errorf(format string, args ...any) error { return t.c.errorf(format, args...) }

// Name returns a column as a name. It returns an error unless the column is UTF-8 text that an id may be; what says whose name it is.
func (t *TableReader) Name(column []byte, what string) (string, error) {
	column = trimSpaces(column)
	if err := CheckID(column); err != nil {
		return "", t.c.errorf("%s %s %w", what, quote(column), err)
	}
	return string(column), nil
}

// Close closes the file.
func (t *TableReader) Close() error { return t.file.Close() }
