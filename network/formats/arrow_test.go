package formats

import (
	"bytes"
	bin "encoding/binary"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/asp2vec/asp2vec/network"
)

// arrowFile is a table of the columns source, target, and weight if its type is not nil, with a column of days before them, in
// two batches. The rows are texts, of JSON if they are no strings.
func arrowFile(t testing.TB, stream bool, id, weight arrow.DataType, rows [][3]string, options ...ipc.Option) []byte {
	t.Helper()
	fields := []arrow.Field{{Name: "day", Type: arrow.PrimitiveTypes.Date32}, {Name: "source", Type: id, Nullable: true}, {Name: "target", Type: id, Nullable: true}}
	if weight != nil {
		fields = append(fields, arrow.Field{Name: "weight", Type: weight, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	options = append(options, ipc.WithSchema(schema))
	var b bytes.Buffer
	var w interface {
		Write(arrow.RecordBatch) error
		io.Closer
	}
	w = ipc.NewWriter(&b, options...)
	if !stream {
		b.Reset()
		f, err := ipc.NewFileWriter(&b, options...)
		if err != nil {
			t.Fatal(err)
		}
		w = f
	}
	// A column is built as a whole, since a file has one dictionary for all batches.
	columns := make([]arrow.Array, len(fields))
	for i := range fields {
		builder := array.NewBuilder(memory.NewGoAllocator(), fields[i].Type)
		for _, row := range rows {
			value := "1"
			if i > 0 {
				value = row[i-1]
			}
			if value == "null" {
				builder.AppendNull()
			} else if err := builder.AppendValueFromString(value); err != nil {
				t.Fatal(err)
			}
		}
		columns[i] = builder.NewArray()
	}
	all := array.NewRecordBatch(schema, columns, int64(len(rows)))
	for _, half := range [][2]int64{{0, 1}, {1, int64(len(rows))}} {
		if err := w.Write(all.NewSlice(half[0], half[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var (
	arrowLetters = [][3]string{{"a", "b", "1"}, {"b", "c", "2"}, {"c", "d", "0.5"}}
	arrowNumbers = [][3]string{{"1", "2", "1"}, {"2", "3", "2"}, {"3", "4", "3"}}
)

func TestArrow(t *testing.T) {
	dictionary := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	for name, data := range map[string][]byte{
		"file":       arrowFile(t, false, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64, arrowLetters),
		"stream":     arrowFile(t, true, arrow.BinaryTypes.LargeString, arrow.PrimitiveTypes.Float32, arrowLetters),
		"views":      arrowFile(t, true, arrow.BinaryTypes.StringView, arrow.PrimitiveTypes.Float64, arrowLetters),
		"dictionary": arrowFile(t, false, dictionary, arrow.FixedWidthTypes.Float16, arrowLetters),
		"lz4":        arrowFile(t, false, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64, arrowLetters, ipc.WithLZ4()),
		"zstd":       arrowFile(t, true, dictionary, arrow.PrimitiveTypes.Float64, arrowLetters, ipc.WithZstd()),
	} {
		n, r, err := ReadFrom(t.Context(), bytes.NewReader(data), "input", Options{})
		if err != nil || n.Checksum() != canonical(t, "a b c d", true) || r.Format != Arrow || r.Ignored != "day" || r.Columns != 4 {
			t.Errorf("%s: error %v, report %+v", name, err, r)
		}
	}
	// Whole numbers of any width are ids and weights.
	for _, id := range []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
	} {
		n, _, err := ReadFrom(t.Context(), bytes.NewReader(arrowFile(t, true, id, id, arrowNumbers)), "input", Options{Direction: Directed})
		if err != nil || n.Links() != 3 || n.Name(3) != "4" || !strings.Contains(written(t, n), "3\t4\t3\n") {
			t.Errorf("%s: error %v", id, err)
		}
	}
}

func TestArrowRefused(t *testing.T) {
	text, double := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	data := arrowFile(t, false, text, double, arrowLetters)
	columns, err := network.ParseColumns("source=who,target=whom")
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		data []byte
		o    Options
	}{
		`no column "who" among day, source`:                                {data, Options{Columns: columns}},
		"header=false: want none of an Arrow file":                         {data, Options{Header: network.HeaderNo}},
		`row 3: column "target" is null: want an id`:                       {arrowFile(t, false, text, nil, [][3]string{{"a", "b"}, {"b", "c"}, {"c", "null"}}), Options{}},
		`row 2: column "weight" is null: want a finite number > 0`:         {arrowFile(t, true, text, double, [][3]string{{"a", "b", "1"}, {"b", "c", "null"}}), Options{}},
		"row 2: weight 0: want a finite number > 0":                        {arrowFile(t, true, text, double, [][3]string{{"a", "b", "1"}, {"b", "c", "0"}}), Options{}},
		"row 2: weight NaN: want a finite number > 0":                      {arrowFile(t, true, text, double, [][3]string{{"a", "b", "1"}, {"b", "c", "NaN"}}), Options{}},
		`row 1: id "" is empty`:                                            {arrowFile(t, true, text, nil, [][3]string{{"", "b"}, {"b", "c"}}), Options{}},
		`row 1: column "source" is of float64: want texts or whole number`: {arrowFile(t, true, double, nil, [][3]string{{"1", "2"}, {"2", "3"}}), Options{}},
		`row 1: column "weight" is of utf8: want numbers`:                  {arrowFile(t, true, text, text, arrowLetters), Options{}},
		"is not a complete Arrow file: want a whole one":                   {data[:len(data)/2], Options{}},
		"want it as an uncompressed file":                                  {[]byte(gzipped(t, string(data))), Options{}},
	} {
		if _, _, err := ReadFrom(t.Context(), bytes.NewReader(c.data), "input", c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
	// A stream that is cut off may be whole by chance, between two batches, but is never read as something larger.
	stream := arrowFile(t, true, text, double, arrowLetters)
	for i := range len(stream) {
		n, _, err := ReadFrom(t.Context(), bytes.NewReader(stream[:i]), "input", Options{})
		if err == nil && n.Links() > 3 || err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("the first %d bytes: %d links, error %v", i, n.Links(), err)
		}
	}
}

// The lengths that a stream claims take no memory. Found by FuzzRead.
func TestArrowLengths(t *testing.T) {
	for _, text := range []string{"A00AAAA ", "\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := ReadFrom(t.Context(), strings.NewReader(text), "input", Options{Format: Arrow})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "exceeds limit") {
			t.Errorf("%q: error %v", text, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 10<<20 {
			t.Errorf("%q: %d bytes", text, took)
		}
	}
}

// A list of a schema that says it has a billion elements takes no memory. Found by FuzzRead, as the file in testdata.
func TestArrowSchemaClaims(t *testing.T) {
	for _, stream := range []bool{false, true} {
		data := arrowFile(t, stream, arrow.BinaryTypes.String, nil, arrowLetters)
		refused := 0
		for at := 0; at+4 <= len(data); at += 4 { // whatever is a length
			claim := slices.Clone(data)
			copy(claim[at:], "\xff\xff\xff\x3f")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := ReadFrom(t.Context(), bytes.NewReader(claim), "input", Options{Format: Arrow})
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 10<<20 {
				t.Fatalf("word %d: %d bytes", at/4, took)
			}
			if err != nil && strings.Contains(err.Error(), "a list of its schema says") {
				refused++
			}
		}
		if refused == 0 {
			t.Error("no list of a schema was too long")
		}
	}
}

// A compressed column that says it is of 2^40 bytes takes no memory, nor does a batch of a billion rows that are not there.
func TestArrowClaims(t *testing.T) {
	data := arrowFile(t, true, arrow.BinaryTypes.String, nil, arrowLetters, ipc.WithLZ4(), ipc.WithMinSpaceSavings(0))
	lz4 := []byte{4, 0x22, 0x4d, 0x18} // a buffer is its length, then this frame
	at := bytes.Index(data, lz4)
	if at < 8 {
		t.Skip("the library has compressed nothing")
	}
	bin.LittleEndian.PutUint64(data[at-8:], 1<<40)
	path := filepath.Join(t.TempDir(), "links.arrows")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), "longer than they may be") {
		t.Errorf("error %v", err)
	}

	plain := arrowFile(t, true, arrow.PrimitiveTypes.Int64, nil, [][3]string{{"1", "2"}, {"2", "3"}, {"3", "4"}, {"5", "6"}, {"7", "8"}, {"9", "10"}, {"11", "12"}, {"1234", "14"}})
	claims := bytes.ReplaceAll(plain, bin.LittleEndian.AppendUint64(nil, 7), bin.LittleEndian.AppendUint64(nil, 1e9)) // rows of the second batch
	if bytes.Equal(claims, plain) {
		t.Fatal("the number of rows is not in the file")
	}
	if _, _, err := ReadFrom(t.Context(), bytes.NewReader(claims), "input", Options{}); err == nil {
		t.Error("a billion rows that are not there were read")
	}
}

// written returns a network as lines of links.
func written(t testing.TB, n *network.Network) string {
	t.Helper()
	var b strings.Builder
	if err := n.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
