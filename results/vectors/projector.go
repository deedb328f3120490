package vectors

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// The files that TensorFlow's embedding projector reads.
const (
	ProjectorVectorsFile  = "vectors.tsv"
	ProjectorMetadataFile = "metadata.tsv"
)

// WriteTSV writes vectors (N,D) as lines of D numbers between tabs, as TensorFlow's embedding projector reads them. It returns
// an error for numbers that are not finite or do not fit.
func WriteTSV(w io.Writer, v *Vectors) error {
	if err := v.check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for i, x := range v.Data {
		b.Write(strconv.AppendFloat(b.AvailableBuffer(), float64(x), 'g', -1, 32))
		if (i+1)%v.D != 0 {
			b.WriteByte('\t')
		} else {
			b.WriteByte('\n')
		}
	}
	return b.Flush()
}

// inColumn writes what would end a column or a line.
var inColumn = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`)

// WriteMetadata writes the names of vertices and what else is known of them, a line each, between tabs and under a line of headings. The
// projector takes a single column to have no such line, so that it gets none. Tabs and line ends within a text are written as \t, \n and
// \r. It returns an error where w fails.
func WriteMetadata(w io.Writer, names []string, more []Attribute) error {
	columns := append([]Attribute{{Name: "id", Of: func(v int) string { return names[v] }}}, more...)
	b := bufio.NewWriter(w)
	line := func(of func(Attribute) string) {
		for i, c := range columns {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(inColumn.Replace(of(c)))
		}
		b.WriteByte('\n')
	}
	if len(more) > 0 {
		line(func(c Attribute) string { return c.Name })
	}
	for v := range names {
		line(func(c Attribute) string { return c.Of(v) })
	}
	return b.Flush()
}
