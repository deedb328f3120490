package vectors

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/asp2vec/asp2vec/results/render"
)

// The files that TensorFlow's embedding projector reads.
const (
	ProjectorVectorsFile  = "vectors.tsv"
	ProjectorMetadataFile = "metadata.tsv"
)

// Column is what is known of each of N vertices.
type Column struct {
	Name   string
	Values []string // (N)
}

// WriteTSV writes vectors (N,D) as lines of D numbers between tabs, as TensorFlow's embedding projector reads them. It returns
// an error for numbers that are not finite or do not fit.
func WriteTSV(w io.Writer, v *Vectors) error {
	if err := v.check(); err != nil {
		return err
	}
	buf := make([]byte, 0, 1<<16)
	for i, x := range v.Data {
		buf = strconv.AppendFloat(buf, float64(x), 'g', -1, 32)
		if (i+1)%v.D != 0 {
			buf = append(buf, '\t')
			continue
		}
		buf = append(buf, '\n')
		if _, err := w.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	return nil
}

// WriteMetadata writes columns under a line of their names, between tabs. The projector takes a single column to have no such
// line, so that it gets none. Characters that a line cannot hold are written as Printable says. It returns an error for
// columns that are not as long as each other, and for none.
func WriteMetadata(w io.Writer, columns []Column) error {
	if len(columns) == 0 {
		return fmt.Errorf("vectors: metadata without columns: want at least one")
	}
	b := bufio.NewWriter(w)
	line := func(of func(Column) string) {
		for i, c := range columns {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(render.Printable(of(c)))
		}
		b.WriteByte('\n')
	}
	for _, c := range columns {
		if len(c.Values) != len(columns[0].Values) {
			return fmt.Errorf("vectors: metadata: %d values of %q and %d of %q: want one for each vertex", len(c.Values), c.Name, len(columns[0].Values), columns[0].Name)
		}
	}
	if len(columns) > 1 {
		line(func(c Column) string { return c.Name })
	}
	for v := range columns[0].Values {
		line(func(c Column) string { return c.Values[v] })
	}
	return b.Flush()
}
