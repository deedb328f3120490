package network

import (
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/gz"
)

func TestReadFeatures(t *testing.T) {
	want := &Features{Columns: 8, Offsets: []int64{0, 2, 2, 4}, Index: []int32{2, 7, 0, 5}, Value: []float32{1, 1, 2, 1}, Missing: 1, Unknown: 2}
	for name, text := range map[string]string{
		"tab and spaces": "c\t5 0 0\nx\t9\n\n# note\na\t7 2\ny\t1\n",
		"tabs":           "a\t2\t7\nb\nc\t0\t5\t0\nx\ny\t\n",
		"spaces":         "a 2 7\r\nc 0 5 0\r\nx 1\r\n y  3 4 \r\n",
		"commas":         "a,2,7\nb,\nc, 0, 5, 0\nx,1\ny,1\n",
		"gzip":           gz.Of("x\t9\ny\t8\nc\t0 5 0\na\t2 7"),
	} {
		got := call.Of(readFeatures(strings.NewReader(text), "input", []string{"a", "b", "c"}))(t)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\n want %+v", name, got, want)
		}
		if err := got.Check(); err != nil {
			t.Error(name, err)
		}
	}
	got, err := readFeatures(strings.NewReader("New York\t3\n"), "input", []string{"New York"})
	if err != nil || got.Columns != 4 {
		t.Errorf("an id with a space: %+v, %v", got, err)
	}
}

func TestReadFeaturesErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":             {"", "input: no feature of any of the 2 vertices in 0 lines: expected lines of an id and numbers from 0 up"},
		"no features":       {"a\nb\n", "input: no feature of any of the 2 vertices in 2 lines"},
		"others":            {"x\t1\ny\t2\n", `2 are of others, the first of "x": expected ids such as "a"`},
		"twice":             {"a\t1\nb\t1\na\t2\n", `input:3: vertex "a" again, after line 1`},
		"a word":            {"a\t1 two\n", `input:1: feature "two": expected an integer from 0 to 16777215`},
		"a negative number": {"a\t1\nb\t-1\n", `input:2: feature "-1"`},
		"too large":         {"a\t16777216\n", `input:1: feature "16777216"`},
		"a fraction":        {"x\t.5\n", `input:1: feature ".5"`},
		"binary":            {"a\x01\t1\n", "input:1: id"},
		"a table of values": {"a 1 0 1\nb 0 0 1\n", "input: each line has 3 numbers, most of them 0 or all of them 0 or 1"},
		"a table of counts": {"x\t0\t0\t7\na\t0\t3\t0\n", "as tables of values have: expected the numbers of the features"},
	} {
		_, err := readFeatures(strings.NewReader(c.text), "input", []string{"a", "b"})
		var parse *ParseError
		if !errors.As(err, &parse) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %q in it", name, err, c.want)
		}
	}
	if _, err := ReadFeatures(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v", err)
	}
}

func TestAdjacency(t *testing.T) {
	n := call.Of(New([]string{"a", "b", "c"}, []Link{{0, 1}, {2, 1}}, []float32{2, 3}, true))(t)
	want := &Features{Columns: 3, Offsets: []int64{0, 1, 1, 2}, Index: []int32{1, 1}, Value: []float32{1, 1}, Missing: 1}
	if got := Adjacency(n); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, expected %+v", got, want)
	}
	both := Adjacency(n.Simple())
	if want := []int32{1, 0, 2, 1}; !slices.Equal(both.Index, want) || both.Check() != nil {
		t.Errorf("both ways %v, expected %v", both.Index, want)
	}
}

// A vertex is no feature of its own: a convolution adds it anyway.
func TestAdjacencyWithoutSelfLoops(t *testing.T) {
	for _, directed := range []bool{true, false} {
		n := call.Of(New([]string{"a", "b", "c"}, []Link{{0, 0}, {0, 1}, {1, 1}, {2, 2}}, nil, directed))(t)
		want := &Features{Columns: 3, Offsets: []int64{0, 1, 1, 1}, Index: []int32{1}, Value: []float32{1}, Missing: 2}
		if !directed {
			want = &Features{Columns: 3, Offsets: []int64{0, 1, 2, 2}, Index: []int32{1, 0}, Value: []float32{1, 1}, Missing: 1}
		}
		if got := Adjacency(n); !reflect.DeepEqual(got, want) || got.Check() != nil || n.Arcs() != 4+map[bool]int{false: 1}[directed] {
			t.Errorf("directed %v: %+v, expected %+v", directed, got, want)
		}
	}
}

func TestNormalized(t *testing.T) {
	f := &Features{Columns: 3, Offsets: []int64{0, 2, 2, 3, 4}, Index: []int32{0, 2, 1, 1}, Value: []float32{1, 3, 7, 0}}
	before := slices.Clone(f.Value)
	g := f.Normalized()
	if want := []float32{.25, .75, 1, 0}; !slices.Equal(g.Value, want) {
		t.Errorf("%v, expected %v", g.Value, want)
	}
	if !slices.Equal(f.Value, before) {
		t.Error("the original has changed")
	}
}

// TestCoraFeatures: the words of Cora belong to the ids of its links. They come from another publication, but the two lists
// of links are the same one, so that every vertex of the largest component has words. 1433 is the number that the paper says.
func TestCoraFeatures(t *testing.T) {
	dir := dataDir(t)
	edges := filepath.Join(dir, "cora", "edges.tsv.gz")
	n := call.First(Read(edges, ReadOptions{}))(t)
	other := call.First(Read(filepath.Join(dir, "cora-features", "edges.tsv.gz"), ReadOptions{}))(t)
	if n.Checksum() != other.Checksum() {
		t.Error("the links of cora and of cora-features differ: do the ids still mean the same papers?")
	}
	c := n.LargestComponent()
	f := call.Of(ReadFeatures(filepath.Join(dir, "cora-features", "features.tsv.gz"), c.Names()))(t)
	if f.Rows() != 2485 || f.Columns != 1433 || f.Missing != 0 || f.Unknown != 2708-2485 {
		t.Errorf("%d rows, %d columns, %d missing, %d unknown: expected 2485, 1433, 0, 223", f.Rows(), f.Columns, f.Missing, f.Unknown)
	}
}
