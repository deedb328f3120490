package formats

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/asp2vec/asp2vec/internal/compressed"
	"github.com/asp2vec/asp2vec/network"
)

// longest is the length in bytes of the longest line or word that is read.
const longest = 1 << 20

// text is a text of which the line is known that was read last.
type text struct {
	r    io.Reader
	file string
	line int // from 1
}

// scan returns what cuts the text into lines or words. Whoever uses it counts the lines.
func (t *text) scan(split bufio.SplitFunc) *bufio.Scanner {
	words := bufio.NewScanner(t.r)
	words.Buffer(make([]byte, 1<<16), longest)
	words.Split(split)
	return words
}

// errorf returns an error at the line that was read last.
func (t *text) errorf(format string, args ...any) error {
	return &network.ParseError{File: t.file, Line: t.line, Err: fmt.Errorf(format, args...)}
}

// explain gives an error its file and line, where it has none.
func (t *text) explain(err error) error {
	if parse := (*network.ParseError)(nil); errors.As(err, &parse) {
		return err
	}
	switch damaged := (*compressed.Error)(nil); {
	case errors.As(err, &damaged):
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return t.errorf("ends in the middle: expected the whole file; was its copy or download cut off?")
	case errors.Is(err, bufio.ErrTooLong):
		return t.errorf("a line or a text is longer than %d bytes: expected shorter ones", longest)
	}
	return t.errorf("%w", err)
}
