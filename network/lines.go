package network

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/compressed"
)

// maxLine is the length in bytes of the longest line that is read. Two ids and two numbers take far less; a file without
// line ends would otherwise be read into memory as a whole.
const maxLine = 1 << 16

// ParseError says where an input is not what is wanted.
type ParseError struct {
	File string
	Line int   // from 1; 0 when it is about the file as a whole
	Err  error // what was given, and what is wanted
}

// Error returns "network: file:line: what was given: what is wanted".
func (e *ParseError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("network: %s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("network: %s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// lines reads the lines of a text file, plain or compressed.
type lines struct {
	r      *bufio.Reader
	file   string
	line   int // number of the line that next returned last
	most   int // bytes of the longest line
	want   string
	closed bool
}

// newLines looks at the first bytes of r. The name of the file does not matter but for errors.
func newLines(r io.Reader, file string) (*lines, error) {
	return newLongLines(r, file, maxLine, "two ids")
}

// newLongLines is newLines for lines of up to most bytes; want is what errors say they should hold.
func newLongLines(r io.Reader, file string, most int, want string) (*lines, error) {
	l := &lines{file: file, most: most, want: want}
	l.r = bufio.NewReaderSize(r, most)
	z, err := compressed.NewReader(l.r)
	if err != nil {
		return nil, l.fail(err)
	}
	if z.Kind != "" {
		l.r = bufio.NewReaderSize(z, most)
	}
	if head, _ := l.r.Peek(3); string(head) == "\ufeff" { // a byte order mark says nothing in UTF-8
		l.r.Discard(3)
	}
	return l, nil
}

// next returns the next line without its end, or io.EOF after the last. The slice is valid until the next call.
func (l *lines) next() ([]byte, error) {
	if l.closed {
		return nil, io.EOF
	}
	b, err := l.r.ReadSlice('\n')
	if err == io.EOF {
		l.closed = true
		if len(b) == 0 {
			return nil, io.EOF
		}
		err = nil
	}
	l.line++
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, l.errorf("the line is longer than %d bytes: expected %s", l.most, l.want)
	}
	if err != nil {
		return nil, l.fail(err)
	}
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b, nil
}

// ParseNumber returns the number that a text is. It returns an error for any other text, also for 1_0 and 0x10, which only Go takes for numbers.
func ParseNumber(text string) (float64, error) {
	if strings.ContainsAny(text, "_xX") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// errorf returns a ParseError at the current line.
func (l *lines) errorf(format string, args ...any) error {
	return &ParseError{l.file, l.line, fmt.Errorf(format, args...)}
}

// fail explains an error of the reader.
func (l *lines) fail(err error) error {
	if damaged := (*compressed.Error)(nil); errors.As(err, &damaged) || errors.Is(err, compressed.ErrPointer) {
		return l.errorf("%w", err)
	}
	if errors.Is(err, context.Canceled) {
		return l.errorf("%w", err)
	}
	return l.errorf("cannot be read: %w", err)
}
