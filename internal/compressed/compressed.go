// Package compressed reads data that may be compressed, by their first bytes rather than by the name of their file.
package compressed

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// maxWindow is how far back a zstd file may refer, in bytes: what its own command allows, so that a few bytes cannot ask for
// any amount of memory.
const maxWindow = 128 << 20

// kind is a way to compress.
type kind struct {
	name, magic string
	open        func(r *bufio.Reader) (io.Reader, error)
}

var kinds = []kind{
	{"gzip", "\x1f\x8b", func(r *bufio.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"bzip2", "BZh", func(r *bufio.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"xz", "\xfd7zXZ\x00", func(r *bufio.Reader) (io.Reader, error) { return xz.NewReader(r) }},
	{"zstd", "\x28\xb5\x2f\xfd", func(r *bufio.Reader) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	}},
}

// Names are the ways to compress that are known, for errors and help.
const Names = "gzip, bzip2, xz or zstd"

// Reader reads what was compressed.
type Reader struct {
	r    io.Reader
	Kind string // gzip, bzip2, xz or zstd; "" for data that are not compressed
}

// pointer is how a file of git-lfs begins that stands for another one.
const pointer = "version https://git-lfs.github.com/spec/"

// ErrPointer is the error of such a file.
var ErrPointer = errors.New("is a pointer of git-lfs, and not the file that it stands for: expected that, which git lfs pull fetches")

// NewReader looks at the first bytes of r, and returns a reader of what they hold. It returns an *Error for data that begin as
// compressed ones do and are damaged, and ErrPointer.
func NewReader(r *bufio.Reader) (*Reader, error) {
	head, err := r.Peek(len(pointer))
	if err != nil && err != io.EOF {
		return nil, err
	}
	if string(head) == pointer {
		return nil, ErrPointer
	}
	for _, k := range kinds {
		if !bytes.HasPrefix(head, []byte(k.magic)) || k.name == "bzip2" && !bzip2Level(head) {
			continue
		}
		z, err := k.open(r)
		if err != nil {
			return nil, explain(k.name, err)
		}
		return &Reader{z, k.name}, nil
	}
	return &Reader{r: r}, nil
}

// bzip2Level says whether the digit follows that a bzip2 file has after BZh; a text may begin with these letters.
func bzip2Level(head []byte) bool { return len(head) > 3 && head[3] >= '1' && head[3] <= '9' }

// Read reads what was compressed; errors of the data are of type *Error.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF && r.Kind != "" {
		err = explain(r.Kind, err)
	}
	return n, err
}

// Error says what is wrong with compressed data.
type Error struct {
	Kind string
	Err  error
}

func explain(kind string, err error) error { return &Error{kind, err} }

// Error returns what is wrong, and what is wanted.
func (e *Error) Error() string {
	switch {
	case errors.Is(e.Err, io.ErrUnexpectedEOF), errors.Is(e.Err, io.EOF):
		return fmt.Sprintf("the %s data stop in the middle: expected the whole file; was its copy or download cut off? (%v)", e.Kind, e.Err)
	case errors.Is(e.Err, zstd.ErrWindowSizeExceeded), errors.Is(e.Err, zstd.ErrDecoderSizeExceeded):
		return fmt.Sprintf("the zstd data want a window of more than %d MiB: expected a file compressed without --ultra --long", maxWindow>>20)
	}
	return fmt.Sprintf("the %s data are damaged: expected a whole %s file (%v)", e.Kind, e.Kind, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
