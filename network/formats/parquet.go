package formats

import (
	bin "encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/asp2vec/asp2vec/network"
	"github.com/parquet-go/parquet-go"
)

// readParquet reads a table with columns of the ends of links, and maybe of weights, which their names or the options tell.
// Ends are texts or whole numbers.
func readParquet(f io.ReaderAt, size int64, o Options, s *sink, r *network.Report) (err error) {
	defer func() {
		if p := recover(); p != nil { // of a damaged file
			err = fmt.Errorf("is a damaged Parquet file: want a whole one; was it cut off? (%v)", p)
		}
	}()
	if err := parquetEnd(f, size); err != nil {
		return err
	}
	p, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("is not a complete Parquet file: want a whole one; was it truncated? (%w)", err)
	}
	if o.Header == network.HeaderNo {
		return errors.New("header=false: want none of a Parquet file, whose columns have names")
	}
	t := parquetTable{sink: s, at: map[int]*parquet.Column{}}
	var names []string
	for _, c := range p.Root().Columns() {
		names = append(names, c.Name())
	}
	r.Columns = len(names)
	if t.layout, err = o.Columns.Locate(names); err != nil {
		return err
	}
	r.Ignored = strings.Join(t.layout.Ignored(names), ", ")
	for place, c := range p.Root().Columns() {
		if place != t.layout.Source && place != t.layout.Target && place != t.layout.Weight {
			continue
		}
		if !c.Leaf() || c.Repeated() {
			return fmt.Errorf("column %q is nested: want texts or numbers", c.Name())
		}
		t.at[place] = c
	}
	for _, g := range p.RowGroups() {
		if err := t.group(g); err != nil {
			return err
		}
	}
	return nil
}

// parquetEnd returns an error unless a file ends as one of Parquet does: the library believes the length that stands there.
func parquetEnd(f io.ReaderAt, size int64) error {
	var end [8]byte
	if size < 12 {
		return fmt.Errorf("is not a complete Parquet file: it has only %d bytes: want a whole one", size)
	}
	if _, err := f.ReadAt(end[:], size-8); err != nil {
		return readError(err)
	}
	if length := int64(bin.LittleEndian.Uint32(end[:])); string(end[4:]) != "PAR1" || length > size-12 {
		return errors.New("is not a complete Parquet file: its end is missing: want the whole file; was its copy or download cut off?")
	}
	return nil
}

type parquetTable struct {
	*sink
	layout network.Layout
	at     map[int]*parquet.Column // by their places in the table
	row    int64
}

// group reads a row group.
func (t *parquetTable) group(g parquet.RowGroup) error {
	open := func(place int) *parquetValues {
		if place < 0 {
			return nil
		}
		return &parquetValues{name: t.at[place].Name(), pages: g.ColumnChunks()[t.at[place].Index()].Pages()}
	}
	from, to, weights := open(t.layout.Source), open(t.layout.Target), open(t.layout.Weight)
	for _, v := range []*parquetValues{from, to, weights} {
		if v != nil {
			defer v.pages.Close()
		}
	}
	for range g.NumRows() {
		t.row++
		u, err := t.end(from)
		if err != nil {
			return err
		}
		v, err := t.end(to)
		if err != nil {
			return err
		}
		weight := 1.0
		if weights != nil {
			if weight, err = t.weight(weights); err != nil {
				return err
			}
		}
		if err := t.link(u, v, weight, unsaid); err != nil {
			return fmt.Errorf("row %d: %w", t.row, err)
		}
	}
	return nil
}

// end reads the vertex at an end of a link.
func (t *parquetTable) end(values *parquetValues) (int32, error) {
	x, err := values.next()
	if err != nil {
		return 0, fmt.Errorf("row %d: %w", t.row, err)
	}
	var id []byte
	switch {
	case x.IsNull():
		return 0, fmt.Errorf("row %d: column %q is null: want an id", t.row, values.name)
	case x.Kind() == parquet.ByteArray:
		id = x.ByteArray()
	case x.Kind() == parquet.Int32:
		id = fmt.Append(values.text[:0], x.Int32())
	case x.Kind() == parquet.Int64:
		id = fmt.Append(values.text[:0], x.Int64())
	default:
		return 0, fmt.Errorf("column %q is of %v: want texts or whole numbers", values.name, x.Kind())
	}
	v, err := t.vertex(id)
	if err != nil {
		return 0, fmt.Errorf("row %d: %w", t.row, err)
	}
	return v, nil
}

// weight reads a weight.
func (t *parquetTable) weight(values *parquetValues) (float64, error) {
	x, err := values.next()
	if err != nil {
		return 0, fmt.Errorf("row %d: %w", t.row, err)
	}
	switch {
	case x.IsNull():
		return 0, fmt.Errorf("row %d: column %q is null: want a finite number > 0", t.row, values.name)
	case x.Kind() == parquet.Int32:
		return float64(x.Int32()), nil
	case x.Kind() == parquet.Int64:
		return float64(x.Int64()), nil
	case x.Kind() == parquet.Float:
		return float64(x.Float()), nil
	case x.Kind() == parquet.Double:
		return x.Double(), nil
	}
	return 0, fmt.Errorf("column %q is of %v: want numbers", values.name, x.Kind())
}

// parquetValues are the values of a column in a row group, one after the other.
type parquetValues struct {
	name   string
	pages  parquet.Pages
	page   parquet.Page // of the values in hand
	reader parquet.ValueReader
	buffer [256]parquet.Value
	have   []parquet.Value
	text   [24]byte
}

func (v *parquetValues) next() (parquet.Value, error) {
	for len(v.have) == 0 {
		if v.reader == nil {
			page, err := v.pages.ReadPage()
			if err != nil {
				return parquet.Value{}, fmt.Errorf("column %q is damaged or cut off: want the whole file (%w)", v.name, err)
			}
			v.page, v.reader = page, page.Values()
		}
		n, err := v.reader.ReadValues(v.buffer[:])
		v.have = v.buffer[:n]
		if err != nil && !errors.Is(err, io.EOF) {
			return parquet.Value{}, fmt.Errorf("column %q is damaged: want the whole file (%w)", v.name, err)
		}
		if n == 0 {
			parquet.Release(v.page)
			v.reader = nil
		}
	}
	x := v.have[0]
	v.have = v.have[1:]
	return x, nil
}
