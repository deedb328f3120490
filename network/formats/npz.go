package formats

import (
	"archive/zip"
	"bufio"
	"bytes"
	bin "encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/network"
)

// readNPZ reads a sparse matrix, as scipy.sparse.save_npz writes it: csr, csc or coo. Its entries are links from their row to
// their column, which are named by their numbers, from 0.
func readNPZ(f io.ReaderAt, size int64, _ Options, s *sink, _ *network.Report) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("is not a complete .npz file: want one as scipy.sparse.save_npz writes it; was it truncated? (%w)", err)
	}
	m := npz{Reader: z, sink: s}
	format, err := m.format()
	if err != nil {
		return err
	}
	if err := m.size(); err != nil {
		return err
	}
	switch format {
	case "csr", "csc":
		return m.compressed(format == "csc")
	case "coo":
		return m.coordinates()
	}
	return fmt.Errorf("a matrix in the format %.20q: want csr, csc or coo; .tocsr() makes one", format)
}

type npz struct {
	*zip.Reader
	*sink
	n int64 // rows, as many as columns
}

// npyArray is a one-dimensional array that is read from its beginning.
type npyArray struct {
	r     *bufio.Reader
	name  string
	kind  byte // i, u, f, b, S or U
	bytes int  // of an item
	shape []int64
	order bin.ByteOrder
	item  []byte
	close func() error
}

var (
	npyDescr = regexp.MustCompile(`'descr':\s*'([<>|=])([a-zA-Z])(\d+)'`)
	npyShape = regexp.MustCompile(`'shape':\s*\(([\d,\s]*)\)`)
)

// array opens one of the arrays.
func (m *npz) array(name string) (*npyArray, error) {
	f, err := m.Open(name + ".npy")
	if err != nil {
		return nil, fmt.Errorf("has no array %q: want a sparse matrix, as scipy.sparse.save_npz writes it", name)
	}
	a := &npyArray{r: bufio.NewReaderSize(f, 1<<15), name: name, close: f.Close}
	start := make([]byte, 8)
	if _, err := io.ReadFull(a.r, start); err != nil || string(start[:6]) != "\x93NUMPY" {
		return nil, a.damaged()
	}
	length := make([]byte, 2)
	if start[6] > 1 {
		length = make([]byte, 4)
	}
	if _, err := io.ReadFull(a.r, length); err != nil {
		return nil, a.damaged()
	}
	n := int(bin.LittleEndian.Uint16(length))
	if len(length) == 4 && (length[2] > 0 || length[3] > 0) {
		return nil, a.damaged()
	}
	head := make([]byte, n)
	if _, err := io.ReadFull(a.r, head); err != nil {
		return nil, a.damaged()
	}
	descr, shape := npyDescr.FindSubmatch(head), npyShape.FindSubmatch(head)
	if descr == nil || shape == nil {
		return nil, fmt.Errorf("array %q is of %.60q: want numbers", name, bytes.TrimSpace(head))
	}
	a.kind, a.order = descr[2][0], bin.LittleEndian
	if descr[1][0] == '>' {
		a.order = bin.BigEndian
	}
	a.bytes, err = strconv.Atoi(string(descr[3]))
	if a.kind == 'U' {
		a.bytes *= 4
	}
	if err != nil || a.bytes > 64 {
		return nil, a.damaged()
	}
	for word := range strings.SplitSeq(string(shape[1]), ",") {
		if word = strings.TrimSpace(word); word != "" {
			x, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return nil, a.damaged()
			}
			a.shape = append(a.shape, x)
		}
	}
	a.item = make([]byte, a.bytes)
	return a, nil
}

func (a *npyArray) damaged() error {
	return fmt.Errorf("array %q is damaged or cut off: want the file as scipy.sparse.save_npz writes it", a.name)
}

// length returns the number of items of an array with one dimension.
func (a *npyArray) length() (int64, error) {
	if len(a.shape) != 1 {
		return 0, fmt.Errorf("array %q has %d dimensions: want 1", a.name, len(a.shape))
	}
	return a.shape[0], nil
}

// next reads the next item, as bits.
func (a *npyArray) next() (uint64, error) {
	if _, err := io.ReadFull(a.r, a.item); err != nil {
		return 0, a.damaged()
	}
	switch a.bytes {
	case 1:
		return uint64(a.item[0]), nil
	case 2:
		return uint64(a.order.Uint16(a.item)), nil
	case 4:
		return uint64(a.order.Uint32(a.item)), nil
	case 8:
		return a.order.Uint64(a.item), nil
	}
	return 0, fmt.Errorf("array %q has items of %d bytes: want 1, 2, 4 or 8", a.name, a.bytes)
}

// whole reads a whole number from 0 to most.
func (a *npyArray) whole(most int64) (int64, error) {
	x, err := a.next()
	if err != nil {
		return 0, err
	}
	if a.kind != 'i' && a.kind != 'u' {
		return 0, fmt.Errorf("array %q is of type %c: want whole numbers", a.name, a.kind)
	}
	if shift := 64 - 8*a.bytes; a.kind == 'i' {
		x = uint64(int64(x<<shift) >> shift)
	}
	if int64(x) < 0 || int64(x) > most {
		return 0, fmt.Errorf("array %q has %d: want numbers from 0 to %d", a.name, int64(x), most)
	}
	return int64(x), nil
}

// weight reads a number.
func (a *npyArray) weight() (float64, error) {
	x, err := a.next()
	if err != nil {
		return 0, err
	}
	switch {
	case a.kind == 'b', a.kind == 'u':
		return float64(x), nil
	case a.kind == 'i':
		shift := 64 - 8*a.bytes
		return float64(int64(x<<shift) >> shift), nil
	case a.kind == 'f' && a.bytes == 4:
		return float64(math.Float32frombits(uint32(x))), nil
	case a.kind == 'f' && a.bytes == 8:
		return math.Float64frombits(x), nil
	}
	return 0, fmt.Errorf("array %q is of type %c%d: want integers, bools, float32 or float64", a.name, a.kind, a.bytes)
}

// format reads the name of the matrix's format.
func (m *npz) format() (string, error) {
	a, err := m.array("format")
	if err != nil {
		return "", err
	}
	defer a.close()
	if a.kind != 'S' && a.kind != 'U' {
		return "", a.damaged()
	}
	if _, err := io.ReadFull(a.r, a.item); err != nil {
		return "", a.damaged()
	}
	return strings.ReplaceAll(string(a.item), "\x00", ""), nil
}

// size reads the shape of the matrix.
func (m *npz) size() error {
	a, err := m.array("shape")
	if err != nil {
		return err
	}
	defer a.close()
	if n, err := a.length(); err != nil || n != 2 {
		return a.damaged()
	}
	rows, err := a.whole(math.MaxInt64)
	if err != nil {
		return err
	}
	columns, err := a.whole(math.MaxInt64)
	if err != nil {
		return err
	}
	if rows != columns {
		return fmt.Errorf("a matrix of %d rows and %d columns: want as many of both, of links among the same vertices", rows, columns)
	}
	m.n = rows
	return nil
}

// entry adds the link of an entry.
func (m *npz) entry(row, column int64, data *npyArray) error {
	w, err := data.weight()
	if err != nil {
		return err
	}
	from, _, err := m.Integer(uint64(row))
	if err != nil {
		return fmt.Errorf("vertex %d %w", row, err)
	}
	to, _, err := m.Integer(uint64(column))
	if err != nil {
		return fmt.Errorf("vertex %d %w", column, err)
	}
	if err := m.link(from, to, w, unsaid); err != nil {
		return fmt.Errorf("entry at row %d, column %d: %w", row, column, err)
	}
	return nil
}

// open opens arrays of the same length.
func (m *npz) open(names ...string) (arrays []*npyArray, n int64, err error) {
	for i, name := range names {
		a, err := m.array(name)
		if err != nil {
			return nil, 0, err
		}
		length, err := a.length()
		if err != nil {
			return nil, 0, err
		}
		if i > 0 && length != n {
			return nil, 0, fmt.Errorf("arrays %q and %q of %d and %d items: want as many", names[0], name, n, length)
		}
		arrays, n = append(arrays, a), length
	}
	return arrays, n, nil
}

// compressed reads a matrix by rows, or by columns.
func (m *npz) compressed(byColumns bool) error {
	first, err := m.array("indptr")
	if err != nil {
		return err
	}
	if n, err := first.length(); err != nil || n != m.n+1 {
		return fmt.Errorf("array \"indptr\" has %d items: want %d", n, m.n+1)
	}
	arrays, n, err := m.open("indices", "data")
	if err != nil {
		return err
	}
	at, err := first.whole(0)
	if err != nil {
		return err
	}
	for i := range m.n {
		end, err := first.whole(n)
		if err != nil {
			return err
		}
		for ; at < end; at++ {
			j, err := arrays[0].whole(m.n - 1)
			if err != nil {
				return err
			}
			row, column := i, j
			if byColumns {
				row, column = j, i
			}
			if err := m.entry(row, column, arrays[1]); err != nil {
				return err
			}
		}
	}
	if at != n {
		return fmt.Errorf("array \"indptr\" ends with %d: want %d, the number of entries", at, n)
	}
	return nil
}

// coordinates reads a matrix by its entries.
func (m *npz) coordinates() error {
	arrays, n, err := m.open("row", "col", "data")
	if err != nil {
		return err
	}
	for range n {
		row, err := arrays[0].whole(m.n - 1)
		if err != nil {
			return err
		}
		column, err := arrays[1].whole(m.n - 1)
		if err != nil {
			return err
		}
		if err := m.entry(row, column, arrays[2]); err != nil {
			return err
		}
	}
	return nil
}
