package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/network"
	"github.com/parquet-go/parquet-go"
)

// parquetFile is a table of rows.
func parquetFile[T any](t testing.TB, rows ...T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.MaxRowsPerRowGroup(2))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type parquetRow struct {
	Day    int32   `parquet:"day"`
	Source string  `parquet:"source,dict"`
	Target string  `parquet:"target"`
	Weight float64 `parquet:"weight"`
}

func parquetLinks(t testing.TB) []byte {
	return parquetFile(t, parquetRow{1, "a", "b", 1}, parquetRow{1, "b", "c", 2}, parquetRow{2, "c", "d", .5})
}

func TestParquet(t *testing.T) {
	data := parquetLinks(t)
	n, r, err := ReadFrom(t.Context(), bytes.NewReader(data), "input", Options{})
	if err != nil || n.Checksum() != canonical(t, "a b c d", true) || r.Ignored != "day" || r.Columns != 4 {
		t.Errorf("error %v, report %+v", err, r)
	}
	type row struct {
		U int64 `parquet:"who"`
		V int32 `parquet:"whom,optional"`
	}
	columns, err := network.ParseColumns("source=who,target=whom")
	if err != nil {
		t.Fatal(err)
	}
	whole := parquetFile(t, row{1, 2}, row{2, 3}, row{3, 4})
	if n, _, err := ReadFrom(t.Context(), bytes.NewReader(whole), "input", Options{Columns: columns, Direction: Directed}); err != nil || n.Links() != 3 || n.Name(3) != "4" {
		t.Errorf("error %v", err)
	}
	for want, c := range map[string]struct {
		data []byte
		o    Options
	}{
		"columns who, whom: want source and target among them": {whole, Options{}},
		`row 3: column "whom" is null: want an id`:             {parquetFile(t, row{1, 2}, row{2, 3}, row{3, 0}), Options{Columns: columns}},
		`no column "who" among day, source`:                    {data, Options{Columns: columns}},
		"row 2: weight 0: want a finite number > 0":            {parquetFile(t, parquetRow{1, "a", "b", 1}, parquetRow{1, "b", "c", 0}), Options{}},
		`row 1: id "" is empty`:                                {parquetFile(t, parquetRow{1, "", "b", 1}), Options{}},
		"is not a complete Parquet file":                       {data[:len(data)/2], Options{}},
	} {
		if _, _, err := ReadFrom(t.Context(), bytes.NewReader(c.data), "input", c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
}
