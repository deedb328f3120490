package formats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/asp2vec/asp2vec/network"
)

// longest is the length in bytes of the longest line or word that is read.
const longest = 1 << 20

// text is read by bytes, words or lines, of which it counts the lines.
type text struct {
	r    *bufio.Reader
	file string
	line int // of what is read next, from 1
	at   int // of what was read last, where that is another one
	long []byte
}

// next returns the next byte, or io.EOF.
func (t *text) next() (byte, error) {
	b, err := t.r.ReadByte()
	if b == '\n' {
		t.line++
	}
	return b, err
}

// back takes the byte that next returned last back.
func (t *text) back(b byte) {
	t.r.UnreadByte()
	if b == '\n' {
		t.line--
	}
}

// nextLine returns the next line without its end, or io.EOF after the last. The slice is valid until the next call.
func (t *text) nextLine() ([]byte, error) {
	b, err := t.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		t.long = append(t.long[:0], b...)
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(t.long) > longest {
				return nil, t.errorf("the line is longer than %d bytes: want shorter ones", longest)
			}
			b, err = t.r.ReadSlice('\n')
			t.long = append(t.long, b...)
		}
		b = t.long
	}
	if err == io.EOF && len(b) > 0 {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	t.at = t.line
	if n := len(b); b[n-1] == '\n' {
		t.line++
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b, nil
}

// errorf returns an error at the line that was read last.
func (t *text) errorf(format string, args ...any) error {
	line := t.line
	if t.at > 0 {
		line = t.at
	}
	return &network.ParseError{File: t.file, Line: line, Err: fmt.Errorf(format, args...)}
}

// explain gives an error its file and line, where it has none.
func (t *text) explain(err error) error {
	if parse := (*network.ParseError)(nil); errors.As(err, &parse) {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return t.errorf("ends in the middle: want the whole file; was its copy or download cut off?")
	}
	return t.errorf("%w", err)
}

// number reads the weight of a link.
func (t *text) number(s string) (float64, error) {
	w, err := strconv.ParseFloat(s, 64)
	if err != nil || !(w > 0) || float32(w) == 0 || float32(w)-float32(w) != 0 {
		return 0, t.errorf("weight %.60q: want a finite number > 0", s)
	}
	return w, nil
}
