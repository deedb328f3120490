package network

import (
	"bytes"
	"errors"
	"testing"
)

// Whatever a file of features holds, it is features of the vertices, each within its columns, or an error that says where.
func FuzzReadFeatures(f *testing.F) {
	for _, text := range []string{"a 1 2\nb 0:.5 7:1\n", "a\t3\nb\n", "c 1\n", "\ufeffa 1\n", "# x\n\na 4294967295\nb -1\n", "a 1:nan\nb 1:inf\n"} {
		f.Add([]byte(text))
	}
	names := []string{"a", "b"}
	f.Fuzz(func(t *testing.T, text []byte) {
		features, err := readFeatures(bytes.NewReader(text), "features", names)
		if err != nil {
			if p := new(ParseError); !errors.As(err, &p) {
				t.Fatalf("%v is no ParseError", err)
			}
			return
		}
		for _, column := range features.Index {
			if column < 0 || int(column) >= features.Columns {
				t.Fatalf("%q: column %d of %d", text, column, features.Columns)
			}
		}
	})
}

// Whatever --columns says, it is columns that name a source and a target, or an error.
func FuzzParseColumns(f *testing.F) {
	for _, text := range []string{"source,target", "source,target,weight,time", "-,target,source", "source=a,target=b", "source=a", ",", "source,source", "=", "source=,target="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseColumns(text)
		if err == nil && !c.Given() && text != "" {
			t.Fatalf("%q: neither columns nor an error", text)
		}
	})
}
