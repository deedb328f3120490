package formats

import (
	"archive/zip"
	"bufio"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"strings"

	"github.com/asp2vec/asp2vec/internal/npy"
)

// readNPZ reads a sparse matrix, as scipy.sparse.save_npz writes it: csr, csc or coo. Its entries, but for zeros, are links from their row to
// their column, which are named by their numbers, from 0. They have a direction where the matrix is not symmetric.
func readNPZ(f io.ReaderAt, size int64, s *sink) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("is not a complete .npz file: expected one as scipy.sparse.save_npz writes it; was it truncated? (%w)", err)
	}
	m := npz{zip: z, sink: s, seed: maphash.MakeSeed()}
	format, err := m.format()
	if err != nil {
		return err
	}
	if err := m.size(); err != nil {
		return err
	}
	switch format {
	case "csr", "csc":
		err = m.compressed(format == "csc")
	case "coo":
		err = m.coordinates()
	default:
		err = fmt.Errorf("a matrix in the format %.20q: expected csr, csc or coo; .tocsr() makes one", format)
	}
	m.said[oneWay] = m.skew != 0
	return err
}

type npz struct {
	*sink
	zip  *zip.Reader
	n    int64  // rows, as many as columns
	skew uint64 // the sum of hashes of entries, less that of the same entries the other way round: 0 of a symmetric matrix
	seed maphash.Seed
}

// array is one of the arrays of the file, read item by item.
type array struct {
	npy.Header
	name string
	r    *bufio.Reader
	item []byte
	left int // items to come
}

// array opens an array of so many dimensions, and of items as asked.
func (m *npz) array(name string, dimensions int, fits func(npy.Type) bool, want string) (*array, error) {
	f, err := m.zip.Open(name + ".npy")
	if err != nil {
		return nil, fmt.Errorf("has no array %q: expected a sparse matrix, as scipy.sparse.save_npz writes it", name)
	}
	a := &array{name: name, r: bufio.NewReaderSize(stopping{m.ctx, f}, 1<<15)}
	if a.Header, err = npy.ReadHeader(a.r); err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	if !fits(a.Type) || a.Size > 64 {
		return nil, fmt.Errorf("array %q is of type %v: expected %s", name, a.Type, want)
	}
	if len(a.Shape) != dimensions {
		return nil, fmt.Errorf("array %q has %d dimensions: expected %d", name, len(a.Shape), dimensions)
	}
	a.item = make([]byte, a.Size)
	if a.left, err = npy.Items(a.Shape); err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	return a, nil
}

// list opens an array of one dimension with whole numbers.
func (m *npz) list(name string) (*array, error) {
	return m.array(name, 1, npy.Type.IsInteger, "whole numbers")
}

// next reads the next item.
func (a *array) next() error {
	_, err := io.ReadFull(a.r, a.item)
	if a.left--; err == nil && a.left == 0 {
		err = npy.End(a.r)
	}
	if err != nil {
		return fmt.Errorf("array %q is damaged or cut off: expected the file as scipy.sparse.save_npz writes it (%w)", a.name, err)
	}
	return nil
}

// whole reads a whole number from 0 to most.
func (a *array) whole(most int64) (int64, error) {
	if err := a.next(); err != nil {
		return 0, err
	}
	x := a.Int(a.item)
	if x < 0 || x > most {
		return 0, fmt.Errorf("array %q has %d: expected numbers from 0 to %d", a.name, x, most)
	}
	return x, nil
}

// format reads the name of the matrix's format.
func (m *npz) format() (string, error) {
	a, err := m.array("format", 0, func(t npy.Type) bool { return t.Kind == 'S' || t.Kind == 'U' }, "text")
	if err != nil {
		return "", err
	}
	err = a.next()
	return strings.ReplaceAll(string(a.item), "\x00", ""), err
}

// size reads the shape of the matrix.
func (m *npz) size() error {
	a, err := m.list("shape")
	if err != nil {
		return err
	}
	if a.Shape[0] != 2 {
		return fmt.Errorf("array %q has %d items: expected 2", a.name, a.Shape[0])
	}
	rows, err := a.whole(math.MaxInt64)
	if err != nil {
		return err
	}
	columns, err := a.whole(math.MaxInt64)
	if err != nil {
		return err
	}
	m.n = rows
	return square(uint64(rows), uint64(columns))
}

// data opens the values of a matrix of so many entries.
func (m *npz) data(entries int) (*array, error) {
	a, err := m.array("data", 1, npy.Type.IsNumber, "integers, bools, float32 or float64")
	if err == nil && a.Shape[0] != entries {
		err = fmt.Errorf("array %q has %d items: expected %d, as many as there are places", a.name, a.Shape[0], entries)
	}
	return a, err
}

// entry adds the link of an entry.
func (m *npz) entry(row, column int64, data *array) error {
	if err := data.next(); err != nil {
		return err
	}
	weight := data.Float(data.item)
	if weight == 0 {
		return nil // stored, but no link
	}
	type place struct {
		row, column int64
		weight      float64
	}
	m.skew += maphash.Comparable(m.seed, place{row, column, weight}) - maphash.Comparable(m.seed, place{column, row, weight})
	if err := m.sink.entry(uint64(row), uint64(column), weight, unsaid); err != nil {
		return fmt.Errorf("entry at row %d, column %d: %w", row, column, err)
	}
	return nil
}

// compressed reads a matrix by rows, or by columns.
func (m *npz) compressed(byColumns bool) error {
	ends, err := m.list("indptr")
	if err != nil {
		return err
	}
	if int64(ends.Shape[0])-1 != m.n {
		return fmt.Errorf("array %q has %d items: expected one more than the %d rows", ends.name, ends.Shape[0], m.n)
	}
	indices, err := m.list("indices")
	if err != nil {
		return err
	}
	n := int64(indices.Shape[0])
	data, err := m.data(indices.Shape[0])
	if err != nil {
		return err
	}
	at, err := ends.whole(0)
	if err != nil {
		return err
	}
	for i := range m.n {
		end, err := ends.whole(n)
		if err != nil {
			return err
		}
		if end < at {
			return fmt.Errorf("array %q goes from %d back to %d: expected numbers that do not fall", ends.name, at, end)
		}
		for ; at < end; at++ {
			j, err := indices.whole(m.n - 1)
			if err != nil {
				return err
			}
			row, column := i, j
			if byColumns {
				row, column = j, i
			}
			if err := m.entry(row, column, data); err != nil {
				return err
			}
		}
	}
	if at != n {
		return fmt.Errorf("array %q ends with %d: expected %d, the number of entries", ends.name, at, n)
	}
	return nil
}

// coordinates reads a matrix by its entries.
func (m *npz) coordinates() error {
	rows, err := m.list("row")
	if err != nil {
		return err
	}
	columns, err := m.list("col")
	if err != nil {
		return err
	}
	if rows.Shape[0] != columns.Shape[0] {
		return fmt.Errorf("arrays %q and %q of %d and %d items: expected as many", rows.name, columns.name, rows.Shape[0], columns.Shape[0])
	}
	data, err := m.data(rows.Shape[0])
	if err != nil {
		return err
	}
	for range rows.Shape[0] {
		row, err := rows.whole(m.n - 1)
		if err != nil {
			return err
		}
		column, err := columns.whole(m.n - 1)
		if err != nil {
			return err
		}
		if err := m.entry(row, column, data); err != nil {
			return err
		}
	}
	return nil
}
