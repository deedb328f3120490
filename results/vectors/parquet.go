package vectors

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// WriteParquet writes an embedding as Parquet, which pandas, DuckDB, Spark and others read: a row for each vertex, with the
// columns name (text), final, and where there are such center, aspect_1 and on, each a list of numbers, and share, a list of the
// weights of the vertex's several vectors. The list of an aspect that a vertex has not is empty. The same embedding gives
// the same bytes.
//
// It returns an error for tables that do not fit one another.
func WriteParquet(w io.Writer, e *Embedding) error {
	if err := e.check(); err != nil {
		return err
	}
	lists := parquetLists(e)
	group := parquet.Group{"name": parquet.String()}
	for name := range lists {
		group[name] = parquet.Repeated(parquet.Leaf(parquet.FloatType))
	}
	schema := parquet.NewSchema("embedding", group)
	var columns []string // in the order that the schema has them
	for _, path := range schema.Columns() {
		columns = append(columns, path[0])
	}
	pw := parquet.NewWriter(w, schema, parquet.Compression(&parquet.Uncompressed))
	var row parquet.Row
	for v, name := range e.Names {
		row = row[:0]
		for c, column := range columns {
			if column == "name" {
				row = append(row, parquet.ValueOf(name).Level(0, 0, c))
				continue
			}
			list := lists[column](v)
			if len(list) == 0 {
				row = append(row, parquet.NullValue().Level(0, 0, c))
			}
			for i, x := range list {
				row = append(row, parquet.FloatValue(x).Level(min(i, 1), 1, c))
			}
		}
		if _, err := pw.WriteRows([]parquet.Row{row}); err != nil {
			return fmt.Errorf("vectors: Parquet: %w", err)
		}
	}
	if err := pw.Close(); err != nil {
		return fmt.Errorf("vectors: Parquet: %w", err)
	}
	return nil
}

// parquetLists returns the columns that hold lists of numbers, and what they hold of vertex v.
func parquetLists(e *Embedding) map[string]func(v int) []float32 {
	rows := func(x []float32) func(int) []float32 {
		return func(v int) []float32 { return x[v*e.D : (v+1)*e.D] }
	}
	lists := map[string]func(int) []float32{"final": rows(e.Final)}
	if e.Center != nil {
		lists["center"] = rows(e.Center)
	}
	s := e.MultiVectors
	if s == nil {
		return lists
	}
	for k := range e.Most() {
		lists[fmt.Sprintf("aspect_%d", k+1)] = func(v int) []float32 {
			if r := int(s.First[v]) + k; r < int(s.First[v+1]) {
				return s.Data[r*s.D : (r+1)*s.D]
			}
			return nil
		}
	}
	if s.Share != nil {
		lists["share"] = func(v int) []float32 { return s.Share[s.First[v]:s.First[v+1]] }
	}
	return lists
}
