package vectors

import (
	"bytes"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// What is written is read back, by the format's own library, with an aspect that one vertex has not.
func TestWriteParquet(t *testing.T) {
	e := &Embedding{
		Names: []string{"a", "tab\t\"", ""}, D: 2, Final: []float32{1, 2, 3, 4, 5, 6.5}, Center: []float32{0, 1, 0, 2, 0, 3},
		MultiVectors: &MultiVectors{Names: []string{"a", "tab\t\"", ""}, First: []int32{0, 2, 3, 3}, D: 2, Data: []float32{1, 1, 2, 2, 3, 3}, Share: []float32{.5, .5, 1}},
	}
	var b, again bytes.Buffer
	if err := WriteParquet(&b, e); err != nil {
		t.Fatal(err)
	}
	if err := WriteParquet(&again, e); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("the same embedding is written otherwise, %v", err)
	}
	type vertex struct {
		Name    string    `parquet:"name"`
		Final   []float32 `parquet:"final"`
		Center  []float32 `parquet:"center"`
		Aspect1 []float32 `parquet:"aspect_1"`
		Aspect2 []float32 `parquet:"aspect_2"`
		Share   []float32 `parquet:"share"`
	}
	got, err := parquet.Read[vertex](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for v, name := range e.Names {
		g := got[v]
		lists := parquetLists(e)
		if g.Name != name || !slices.Equal(g.Final, lists["final"](v)) || !slices.Equal(g.Center, lists["center"](v)) ||
			!slices.Equal(g.Aspect1, lists["aspect_1"](v)) || !slices.Equal(g.Aspect2, lists["aspect_2"](v)) || !slices.Equal(g.Share, lists["share"](v)) {
			t.Errorf("row %d is %+v", v, g)
		}
	}
	if got[0].Aspect2[1] != 2 || len(got[1].Aspect2) != 0 || len(got[2].Aspect1) != 0 || got[1].Share[0] != 1 {
		t.Errorf("read %+v", got)
	}
	if err := WriteParquet(&b, &Embedding{Names: []string{"a"}, D: 2, Final: []float32{1}}); err == nil {
		t.Error("a table that does not fit is written")
	}
}
