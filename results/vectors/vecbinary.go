package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// WriteSpelledVecBinary writes vectors in word2vec's binary format, which gensim reads with binary=True.
//
// The first line is "N D"; then for each vertex its name, a space, D little-endian float32 and a line end, as word2vec.c has
// them. Names are as Spell returns them, and written as they are. data is (N,D), row-major, for N names, and d is D, at least 1. It
// returns an error for a name given twice, for data of another shape, for NaN and infinities, and where w fails.
func WriteSpelledVecBinary(w io.Writer, names []string, data []float32, d int) error {
	v := Vectors{Names: names, N: len(names), D: d, Data: data}
	if err := v.checkNamed(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%d %d\n", v.N, d)
	for i, name := range names {
		b.WriteString(name + " ")
		writeFloats(b, data[i*d:(i+1)*d])
		b.WriteByte('\n')
	}
	return b.Flush()
}

// writeFloats writes little-endian float32.
func writeFloats(b *bufio.Writer, data []float32) {
	for _, x := range data {
		b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), math.Float32bits(x)))
	}
}

// ReadVecBinary reads a file of word2vec's binary format, or the same compressed with gzip; name is what errors call it. The
// line end after a vector may be missing, as gensim leaves it out. It returns an error for a header that is none, a file that
// ends too early or goes on too long, numbers that are not finite, and names given twice.
func ReadVecBinary(r io.Reader, name string) (*Vectors, error) {
	text, err := plain(r)
	if err != nil {
		return nil, fmt.Errorf("vectors: %s: %w", name, err)
	}
	v, err := readVecBinary(bufio.NewReaderSize(text, 1<<18))
	if err != nil {
		return nil, fmt.Errorf("vectors: %s: %w", name, err)
	}
	return v, nil
}

func readVecBinary(r *bufio.Reader) (*Vectors, error) {
	v := new(Vectors)
	header, err := until(r, '\n', 64)
	if err != nil {
		return nil, fmt.Errorf("first line: %w", err)
	}
	n := 0
	if _, err := fmt.Sscanf(header+"\n", "%d %d\n", &n, &v.D); err != nil || n <= 0 || v.D <= 0 || v.D > maxLine/4 {
		return nil, fmt.Errorf("first line %q: expected \"N D\", both above 0", header)
	}
	numbers := make([]byte, 4*v.D)
	for v.N < n {
		if next, err := r.Peek(1); err == nil && next[0] == '\n' {
			r.Discard(1)
		}
		word, err := until(r, ' ', 1<<20)
		if err != nil {
			return nil, fmt.Errorf("name of vector %d of %d: %w", v.N+1, n, err)
		}
		if _, err := io.ReadFull(r, numbers); err != nil {
			return nil, fmt.Errorf("vector %d of %d: %w", v.N+1, n, io.ErrUnexpectedEOF)
		}
		v.Names = append(v.Names, unescapeName(word))
		for i := 0; i < len(numbers); i += 4 {
			v.Data = append(v.Data, math.Float32frombits(binary.LittleEndian.Uint32(numbers[i:])))
		}
		v.N++
	}
	if next, err := r.Peek(1); err == nil && next[0] == '\n' {
		r.Discard(1)
	}
	if _, err := r.Peek(1); err == nil {
		return nil, fmt.Errorf("continues after the %d vectors given in the first line", n)
	}
	return v, v.checkNamed()
}

// until reads up to an end byte, which it leaves out, but no more than most bytes.
func until(r *bufio.Reader, end byte, most int) (string, error) {
	var b []byte
	for {
		c, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return "", io.ErrUnexpectedEOF
		case err != nil:
			return "", err
		case c == end:
			return string(b), nil
		case len(b) == most:
			return "", fmt.Errorf("%q... is longer than %d bytes: expected it shorter (is this word2vec's binary format?)", b[:min(len(b), 20)], most)
		}
		b = append(b, c)
	}
}
