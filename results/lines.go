package results

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// EachLine calls do with the lines of a file of a store from an offset in bytes on, each with its own offset, its line end, if it has one, and
// whether it has. do must not keep the line. It returns an error for a file that cannot be read.
func EachLine(path string, from int64, do func(offset int64, line []byte, ended bool)) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("results: store: %w", err)
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return fmt.Errorf("results: store %s: %w", path, err)
	}
	if err := eachLine(f, from, do); err != nil {
		return fmt.Errorf("results: store %s: %w", path, err)
	}
	return nil
}

func eachLine(r io.Reader, from int64, do func(offset int64, line []byte, ended bool)) error {
	br := bufio.NewReaderSize(r, 1<<20)
	var long []byte
	for {
		line, err := br.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if len(line) > 0 {
			do(from, line, err == nil)
			from += int64(len(line))
		}
		if err == io.EOF {
			return nil
		}
		long = long[:0]
	}
}

// LineHash tells lines apart, whatever white space is around them.
func LineHash(line []byte) uint64 { return xxhash.Sum64(bytes.TrimSpace(line)) }
