package formats

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/asp2vec/asp2vec/network"
)

// Beginnings of Arrow's IPC formats: a file, which is also Feather's second version, and a stream.
const (
	arrowFileMagic   = "ARROW1"
	arrowStreamMagic = "\xff\xff\xff\xff"
)

// readArrow reads a table with columns of the ends of links, and maybe of weights, which their names or the options tell, from an
// IPC file or stream. Ends are texts or whole numbers, also of a dictionary.
func readArrow(f io.ReaderAt, size int64, o Options, s *sink, r *network.Report) (err error) {
	defer func() {
		if p := recover(); p != nil { // of a damaged file
			err = fmt.Errorf("is a damaged Arrow file: want a whole one; was it cut off? (%v)", p)
		}
	}()
	if o.Header == network.HeaderNo {
		return errors.New("header=false: want none of an Arrow file, whose columns have names")
	}
	table, err := openArrow(f, size, o.Memory)
	if err != nil {
		return fmt.Errorf("is not a complete Arrow file: want a whole one; was it truncated? (%w)", err)
	}
	var names []string
	for _, field := range table.schema.Fields() {
		names = append(names, field.Name)
	}
	r.Columns = len(names)
	layout, err := o.Columns.Locate(names)
	if err != nil {
		return err
	}
	r.Ignored = strings.Join(layout.Ignored(names), ", ")
	row := int64(0)
	for {
		batch, err := table.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("is damaged or cut off after row %d: want the whole file (%w)", row, err)
		}
		err = arrowLinks(batch, layout, s, &row)
		batch.Release()
		if err != nil {
			return err
		}
	}
}

// arrowLinks adds the links of a batch of rows.
func arrowLinks(batch arrow.RecordBatch, layout network.Layout, s *sink, row *int64) error {
	id := make([]byte, 0, 64)
	end := func(place, i int) (int32, error) {
		text, err := arrowID(id, batch.Column(place), i)
		if err != nil {
			return 0, fmt.Errorf("row %d: column %q %w", *row, batch.ColumnName(place), err)
		}
		v, err := s.vertex(text)
		if err != nil {
			return 0, fmt.Errorf("row %d: %w", *row, err)
		}
		return v, nil
	}
	for i := range int(batch.NumRows()) {
		*row++
		from, err := end(layout.Source, i)
		if err != nil {
			return err
		}
		to, err := end(layout.Target, i)
		if err != nil {
			return err
		}
		weight := 1.0
		if layout.Weight >= 0 {
			if weight, err = arrowWeight(batch.Column(layout.Weight), i); err != nil {
				return fmt.Errorf("row %d: column %q %w", *row, batch.ColumnName(layout.Weight), err)
			}
		}
		if err := s.link(from, to, weight, unsaid); err != nil {
			return fmt.Errorf("row %d: %w", *row, err)
		}
	}
	return nil
}

// arrowID appends a value of a column to buf, as the id of a vertex.
func arrowID(buf []byte, column arrow.Array, i int) ([]byte, error) {
	if column.IsNull(i) {
		return nil, errors.New("is null: want an id")
	}
	switch c := column.(type) {
	case array.StringLike:
		return append(buf, c.Value(i)...), nil
	case *array.Dictionary:
		return arrowID(buf, c.Dictionary(), c.GetValueIndex(i))
	case *array.Uint64:
		return strconv.AppendUint(buf, c.Value(i), 10), nil
	}
	if x, ok := arrowInteger(column, i); ok {
		return strconv.AppendInt(buf, x, 10), nil
	}
	return nil, fmt.Errorf("is of %s: want texts or whole numbers", column.DataType())
}

// arrowWeight returns a value of a column as a weight.
func arrowWeight(column arrow.Array, i int) (float64, error) {
	if column.IsNull(i) {
		return 0, errors.New("is null: want a finite number > 0")
	}
	switch c := column.(type) {
	case *array.Float64:
		return c.Value(i), nil
	case *array.Float32:
		return float64(c.Value(i)), nil
	case *array.Float16:
		return float64(c.Value(i).Float32()), nil
	case *array.Uint64:
		return float64(c.Value(i)), nil
	}
	if x, ok := arrowInteger(column, i); ok {
		return float64(x), nil
	}
	return 0, fmt.Errorf("is of %s: want numbers", column.DataType())
}

// arrowInteger returns a value of a column of whole numbers that an int64 can hold.
func arrowInteger(column arrow.Array, i int) (int64, bool) {
	switch c := column.(type) {
	case *array.Int64:
		return c.Value(i), true
	case *array.Int32:
		return int64(c.Value(i)), true
	case *array.Int16:
		return int64(c.Value(i)), true
	case *array.Int8:
		return int64(c.Value(i)), true
	case *array.Uint32:
		return int64(c.Value(i)), true
	case *array.Uint16:
		return int64(c.Value(i)), true
	case *array.Uint8:
		return int64(c.Value(i)), true
	}
	return 0, false
}

// arrowTable is a table in an IPC file or stream.
type arrowTable struct {
	schema *arrow.Schema
	next   func() (arrow.RecordBatch, error) // io.EOF after the last; the caller releases it
}

// openArrow opens a table. The library believes no length that is above the file's own; limit is how many bytes may be
// unpacked of compressed columns, 0 for no matter.
func openArrow(f io.ReaderAt, size int64, limit uint64) (*arrowTable, error) {
	section := io.NewSectionReader(f, 0, size)
	options := []ipc.Option{ipc.WithMetadataSizeLimit(size), ipc.WithBodySizeLimit(size), ipc.WithAllocator(newUnpacked(size, limit))}
	magic := make([]byte, len(arrowFileMagic))
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, size), magic); err != nil {
		return nil, err
	}
	file := string(magic) == arrowFileMagic
	if err := checkSchema(f, size, file); err != nil {
		return nil, err
	}
	if file {
		r, err := ipc.NewFileReader(section, options...)
		if err != nil {
			return nil, err
		}
		i := 0
		return &arrowTable{r.Schema(), func() (arrow.RecordBatch, error) {
			if i == r.NumRecords() {
				return nil, io.EOF
			}
			i++
			return r.RecordBatchAt(i - 1)
		}}, nil
	}
	// NewReader heeds no limit of lengths (arrow-go v18.8.0): 8 bytes could take 2 GiB.
	r, err := ipc.NewReaderFromMessageReader(ipc.NewMessageReader(section, options...), options...)
	if err != nil {
		return nil, err
	}
	return &arrowTable{r.Schema(), func() (arrow.RecordBatch, error) {
		batch, err := r.Read()
		if err == nil {
			batch.Retain()
		}
		return batch, err
	}}, nil
}

// unpacked is memory for what a file holds, of which there is only so much, since a compressed column says itself how long it is.
type unpacked struct {
	memory.Allocator
	left int64
}

// mostUnpacked is how many times as long as the whole file its columns may be.
const mostUnpacked = 1000

func newUnpacked(size int64, limit uint64) *unpacked {
	left := 1<<20 + mostUnpacked*size
	if limit > 0 && uint64(left) > limit {
		left = int64(limit)
	}
	return &unpacked{memory.NewGoAllocator(), left}
}

func (u *unpacked) take(bytes int) {
	if u.left -= int64(bytes); u.left < 0 || bytes < 0 {
		panic(fmt.Sprintf("its columns say that they are at least %d bytes longer than they may be", max(-u.left, 1)))
	}
}

// Allocate returns memory.
func (u *unpacked) Allocate(size int) []byte {
	u.take(size)
	return u.Allocator.Allocate(size)
}

// Reallocate returns more memory, with what the old one held.
func (u *unpacked) Reallocate(size int, old []byte) []byte {
	u.take(size)
	u.left += int64(len(old))
	return u.Allocator.Reallocate(size, old)
}

// Free takes memory back.
func (u *unpacked) Free(b []byte) {
	u.left += int64(len(b))
	u.Allocator.Free(b)
}
