package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/asp2vec/asp2vec/internal/npy"
)

// WriteNPY writes data, in row-major order, as a NumPy file (version 1.0) of little-endian float32 with the given shape.
// It returns an error if the shape does not fit the data.
func WriteNPY(w io.Writer, data []float32, shape ...int) error {
	n, err := npy.Items(shape)
	if err != nil || n != len(data) || len(shape) == 0 {
		return fmt.Errorf("vectors: npy: %d numbers for shape %v: expected as many as in the shape", len(data), shape)
	}
	b := bufio.NewWriter(w)
	b.Write(npy.Start("<f4", shape...))
	writeFloats(b, data)
	return b.Flush()
}

// ReadNPY reads a NumPy file of float32 or float64, in row-major order, of either byte order; name is what errors call it.
// Numbers become float32; one that is finite and too large for that is an error. Other types, column-major order, a file that
// ends too early or goes on too long, and a header that is none are errors.
func ReadNPY(r io.Reader, name string) (data []float32, shape []int, err error) {
	data, shape, err = readNPY(bufio.NewReaderSize(r, 1<<18))
	if err != nil {
		return nil, nil, fmt.Errorf("vectors: %s: %w", name, err)
	}
	return data, shape, nil
}

func readNPY(r io.Reader) ([]float32, []int, error) {
	h, err := npy.ReadHeader(r)
	switch {
	case err != nil:
		return nil, nil, err
	case h.Kind != 'f':
		return nil, nil, fmt.Errorf("numbers of type %v: expected float32 or float64 (<f4, <f8)", h.Type)
	case h.Fortran:
		return nil, nil, errors.New("column-major order: expected row-major (numpy.ascontiguousarray)")
	}
	n, err := npy.Items(h.Shape)
	if err != nil {
		return nil, nil, err
	}
	var data []float32
	buf := make([]byte, 1<<16)
	for len(data) < n { // piece by piece: a header that promises too much must not take memory
		part := buf[:min(len(buf), (n-len(data))*h.Size)]
		if _, err := io.ReadFull(r, part); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				err = fmt.Errorf("ends before the %d numbers of shape %v: %w", n, h.Shape, io.ErrUnexpectedEOF)
			}
			return nil, nil, err
		}
		for ; len(part) > 0; part = part[h.Size:] {
			x := h.Float(part)
			if f := float32(x); math.IsInf(float64(f), 0) && !math.IsInf(x, 0) {
				return nil, nil, fmt.Errorf("number %d is %v: expected one within the range of float32", len(data), x)
			}
			data = append(data, float32(x))
		}
	}
	if err := npy.End(r); err != nil {
		return nil, nil, fmt.Errorf("%d numbers of shape %v: %w", n, h.Shape, err)
	}
	return data, h.Shape, nil
}

// npyList reads the header of an array (N) of a kind.
func npyList(r io.Reader, kind byte) (npy.Header, error) {
	h, err := npy.ReadHeader(r)
	if err == nil && (h.Kind != kind || len(h.Shape) != 1) {
		err = fmt.Errorf("an array %v of type %v: expected (N,) of %c, one for each vector", h.Shape, h.Type, kind)
	}
	return h, err
}

// writeFloats writes little-endian float32.
func writeFloats(b *bufio.Writer, data []float32) {
	for _, x := range data {
		b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), math.Float32bits(x)))
	}
}
