package vectors

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// hostile are names that could break a text format.
var hostile = []string{"a", "two words", "tab\there", "line\nend", `"quoted", 'too'`, "<b>&amp;]]>", "\x1b[31mred", "żółw", `back\slash`, "=1+1", "\u202egnp.exe", ""}

// whole is an embedding with all tables, of hostile names; even says whether vertices have as many aspects as each other.
func whole(even bool) *Embedding {
	n, d := len(hostile), 3
	e := &Embedding{Names: slices.Clone(hostile), D: d}
	s := &MultiVectors{Names: e.Names, First: []int32{0}, D: d}
	for v := range n {
		for j := range d {
			e.Final = append(e.Final, awkward[(v+j)%len(awkward)])
			e.Center = append(e.Center, float32(v)-float32(j)/3)
		}
		k := 2
		if !even {
			k = v % 4
		}
		for r := range k {
			s.Data = append(s.Data, float32(v), float32(r), 0.1)
			s.Share = append(s.Share, float32(r)/2)
		}
		s.First = append(s.First, s.First[v]+int32(k))
	}
	e.MultiVectors = s
	return e
}

func TestNPZ(t *testing.T) {
	for _, even := range []bool{true, false} {
		e := whole(even)
		var buf, again bytes.Buffer
		call.OK(t, WriteNPZ(&buf, e))
		got, err := ReadNPZ(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "x.npz")
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%+v, %v\nwant %+v", got, err, e)
		}
		WriteNPZ(&again, e)
		if !bytes.Equal(buf.Bytes(), again.Bytes()) {
			t.Error("the same embedding gives other bytes")
		}
		path := filepath.Join(t.TempDir(), "e.NPZ")
		call.File(t, path, buf.Bytes())
		final, err := readFinal(path, "")
		if err != nil || !slices.Equal(final.Data, e.Final) {
			t.Errorf("final vectors %v, %v", final, err)
		}
		if s, err := readSeveral(path, ""); err != nil || !reflect.DeepEqual(s, e.MultiVectors) {
			t.Errorf("several %v, %v", s, err)
		}
		call.Refused(t)(ReadWhole(path, "names.txt"))
		for cut := 0; cut < buf.Len(); cut += 97 {
			call.Refused(t)(ReadNPZ(bytes.NewReader(buf.Bytes()[:cut]), int64(cut), "cut.npz"))
		}
	}
	plain := &Embedding{Names: []string{"a"}, D: 1, Final: []float32{1}}
	var buf bytes.Buffer
	call.OK(t, WriteNPZ(&buf, plain))
	if got, err := ReadNPZ(bytes.NewReader(buf.Bytes()), int64(buf.Len()), ""); err != nil || !reflect.DeepEqual(got, plain) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"\xff", "end\x00"} {
		call.Refused(t)(WriteNPZ(io.Discard, &Embedding{Names: []string{bad}, D: 1, Final: []float32{1}}))
	}
}

// A bit that was flipped anywhere is noticed, or changes nothing that is read.
func TestNPZFlipped(t *testing.T) {
	e := whole(true)
	var buf bytes.Buffer
	call.OK(t, WriteNPZ(&buf, e))
	want := call.Of(ReadNPZ(bytes.NewReader(buf.Bytes()), int64(buf.Len()), ""))(t)
	text := func(e *Embedding) string { // but of an array that has another name, and is left alone
		text := fmt.Sprint(e.Names, e.Final)
		if e.Center != nil && e.MultiVectors != nil {
			text += fmt.Sprint(e.Center, e.MultiVectors.First, e.MultiVectors.Data, e.MultiVectors.Share != nil)
		}
		return text
	}
	refused := 0
	for i := range buf.Len() {
		flipped := bytes.Clone(buf.Bytes())
		flipped[i] ^= 1 << (i % 8)
		got, err := ReadNPZ(bytes.NewReader(flipped), int64(len(flipped)), "")
		if err != nil {
			refused++
		} else if x := text(got); !strings.HasPrefix(text(want), x) && !strings.HasPrefix(x, text(want)[:len(text(want))-5]) {
			t.Fatalf("bit %d of byte %d was flipped, and other numbers are read", i%8, i)
		}
	}
	if refused < buf.Len()/2 {
		t.Errorf("%d of %d flipped files are refused", refused, buf.Len())
	}
}

// A small file that unpacks to very much is refused before it takes the memory.
func TestNPZBomb(t *testing.T) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	put := func(name string, fill func(w io.Writer) error) {
		w, err := z.Create(name + ".npy")
		if err == nil {
			err = fill(w)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(npzNames, func(w io.Writer) error { return writeNPYText(w, []string{"a"}) })
	put(npzFinal, func(w io.Writer) error { return WriteNPY(w, make([]float32, 1<<22), 1, 1<<22) })
	call.OK(t, z.Close())
	call.Refused(t, "unpacks to 16777344 bytes")(ReadNPZ(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "x.npz"))
	// Nor can names, which stand there once each.
	buf.Reset()
	z = zip.NewWriter(&buf)
	put(npzNames, func(w io.Writer) error { return writeNPYText(w, make([]string, 1<<20)) })
	call.OK(t, z.Close())
	call.Refused(t, `x.npz: names: name "" given twice`)(ReadNPZ(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "x.npz"))
	call.Refused(t, "has 16384 bytes: expected at most 8192")((&Embedding{Names: []string{strings.Repeat("a", 1<<14)}, D: 1, Final: []float32{1}}).check())
}

// NumPy, where there is one, reads what we write and writes what we read.
func TestNPZAgainstNumPy(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skipf("no NumPy for %s", python)
	}
	dir := t.TempDir()
	e := whole(true)
	path := filepath.Join(dir, "e.npz")
	var buf bytes.Buffer
	call.OK(t, WriteNPZ(&buf, e))
	call.File(t, path, buf.Bytes())
	const script = `
import json, sys, numpy as np
z = np.load(sys.argv[1])
print(json.dumps([z['names'].tolist(), z['center'].tolist(), list(z['aspects'].shape), z['shares'].tolist(), str(z['final'].dtype)]))
np.savez(sys.argv[2], names=z['names'], final=z['final'].astype('f8'), aspects=z['aspects'], other=np.array([1j]))
`
	out := call.Of(exec.Command(python, "-c", script, path, filepath.Join(dir, "again.npz")).Output())(t)
	n := len(e.Names)
	shares := make([][]float32, n)
	center := make([][]float64, n)
	for v := range n {
		shares[v] = e.MultiVectors.Share[2*v:][:2]
		for _, x := range e.Center[3*v:][:3] {
			center[v] = append(center[v], float64(x))
		}
	}
	want, _ := json.Marshal([]any{e.Names, center, []int{n, 2, 3}, shares, "float32"})
	var got, wanted any
	if json.Unmarshal(out, &got) != nil || json.Unmarshal(want, &wanted) != nil || !reflect.DeepEqual(got, wanted) {
		t.Errorf("NumPy reads\n%s\nwant\n%s", out, want)
	}
	again, err := ReadWhole(filepath.Join(dir, "again.npz"), "")
	if err != nil || !slices.Equal(again.Final, e.Final) || !slices.Equal(again.Names, e.Names) || !slices.Equal(again.MultiVectors.Data, e.MultiVectors.Data) || again.Center != nil {
		t.Errorf("from NumPy %+v, %v", again, err)
	}
}

func TestReadWholeRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run := Run{Names: []string{"x", "y"}, D: 2, K: 2, Center: []float32{1, 2, 3, 4}, Final: []float32{5, 6, 7, 8},
		Aspects: []float32{1, 1, 2, 2, 3, 3, 4, 4}, Record: results.Record{Method: "m"}}
	call.OK(t, WriteRun(dir, false, run))
	e, err := ReadWhole(dir, "")
	if err != nil || !slices.Equal(e.Center, run.Center) || !slices.Equal(e.MultiVectors.Data, run.Aspects) || e.Record.Method != "m" || e.Aspects() != 2 || e.Most() != 2 {
		t.Fatalf("%+v, %v", e, err)
	}
	if v := e.Aspect(1); !slices.Equal(v.Data, []float32{2, 2, 4, 4}) || v.N != 2 {
		t.Errorf("second aspects %+v", v)
	}
	for table, want := range map[string][]float32{TableFinal: run.Final, TableCenter: run.Center, TableAspects: run.Aspects} {
		if v, err := e.Table(table); err != nil || !slices.Equal(v.Data, want) || v.D != len(want)/2 {
			t.Errorf("%s: %+v, %v", table, v, err)
		}
	}
	call.Refused(t)(e.Table("all"))
	one, err := ReadWhole(filepath.Join(dir, EmbeddingFile), "")
	if err != nil || one.MultiVectors != nil || one.Aspects() != 0 || one.Record != nil {
		t.Errorf("%+v, %v", one, err)
	}
	for _, table := range []string{TableCenter, TableAspects} {
		call.Refused(t)(one.Table(table))
	}
	if v := whole(false); v.Aspects() != 0 || v.Most() != 3 || v.Aspect(2).N != 3 {
		t.Errorf("uneven: %d, %d, %d", v.Aspects(), v.Most(), v.Aspect(2).N)
	} else if _, err := v.Table(TableAspects); err == nil {
		t.Error("uneven vectors end to end: no error")
	}
	call.File(t, filepath.Join(dir, results.RecordFile), "{")
	call.Refused(t)(ReadWhole(dir, ""))
}

func TestReadLabels(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		names  []string
		vertex []string
		of     [][]int32
	}{
		"lines":                       {"# labels\nv 1\tb\nv2\ta\n\nv 1\ta\r\nv 1\tb\n", []string{"a", "b"}, []string{"v 1", "v2"}, [][]int32{{0, 1}, {0}}},
		"columns":                     {"1\t10\t9\n2\t9\n", []string{"10", "9"}, []string{"1", "2"}, [][]int32{{0, 1}, {1}}},
		"commas":                      {"1, x y\n2,z", []string{"x y", "z"}, []string{"1", "2"}, [][]int32{{0}, {1}}},
		"quotes":                      {"2,\"blue, dark\"\n3, \"bl\"\"ue\"\n4,bl\"ue\n", []string{"bl\"ue", "blue, dark"}, []string{"2", "3", "4"}, [][]int32{{1}, {0}, {0}}},
		"R":                           {"\"1\" \"x y\"\n\"2\" \"z\"\n", []string{"x y", "z"}, []string{"1", "2"}, [][]int32{{0}, {1}}},
		"names":                       {"Id,club\n1,x\n2,z\n", []string{"x", "z"}, []string{"1", "2"}, [][]int32{{0}, {1}}},
		"a node":                      {"node x\n2 x\n", []string{"x"}, []string{"2", "node"}, [][]int32{{0}, {0}}},
		"none":                        {"1,x\n2,\n3,NA\n4,z\n", []string{"x", "z"}, []string{"1", "4"}, [][]int32{{0}, {1}}},
		"0 and 1":                     {"id,red,blue\n1,1,0\n2,0,0\n3,1,1\n", []string{"blue", "red"}, []string{"1", "3"}, [][]int32{{1}, {0, 1}}},
		"the vertex behind its label": {"club,id\nx,1\nz,2\nx,3\n", []string{"x", "z"}, []string{"1", "2", "3"}, [][]int32{{0}, {1}, {0}}},
		"spaces":                      {"1  x\n2 z  x\n", []string{"x", "z"}, []string{"1", "2"}, [][]int32{{0}, {0, 1}}},
	} {
		got, err := ReadLabels(strings.NewReader(c.text), "l")
		column := map[string]string{"names": "club", "the vertex behind its label": "club"}[name]
		if err != nil || !reflect.DeepEqual(got, &Labels{c.names, c.vertex, c.of, column}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for text, want := range map[string]string{
		"": "no labels in 0 lines",
		strings.Repeat("1 2 3 4\n2 5 6\n3 6 1\n4 7 8 9\n5 8 2\n", 2): "lists of members",
		"# x\n":                            "no labels in 1 lines",
		"1\ta\n2\n":                        "l:2",
		"1\t\n":                            "l:1",
		"1\t0\t1\n2\t1\t1\n":               "columns of 0 and 1",
		"id,name,club\n1,ann,x\n2,ben,x\n": "expected --labels-from with the name of one",
		"1,ann,x\n2,ben,x\n3,cy,x\n4,dee,x\n5,eve,x\n": "column 2 has another value on each line",
		"1\t\xff\n": "UTF-8",
	} {
		call.Refused(t, want)(ReadLabels(strings.NewReader(text), "l"))
	}
	var each strings.Builder
	for v := range 20 {
		fmt.Fprintf(&each, "%d\tname %d\n", v, v)
	}
	for text, want := range map[string]string{
		"1\t0\n2\t-1\n3\t1\n4\t-1\n":    "the label -1 of 2 vertices may say that they have none",
		"1\t1\n2\t-1\n3\t1\n4\t-1\n":    "",
		"1\ttrain\n2\ttest\n3\ttrain\n": "labels are test, train, as the parts of a split are called",
		"id,label\n1,a;b\n2,c\n":        `"a;b" is one label`,
		"1,x|y\n2,x\n":                  `"x|y" is one label`,
		"1\t['a', 'b']\n2\tc\n":         `"['a', 'b']" is one label`,
		"1,a,b\n2,a\n":                  `all vertices have the label "a"`,
		each.String():                   "nearly as many as vertices",
	} {
		if l := call.Of(ReadLabels(strings.NewReader(text), "l"))(t); !strings.Contains(l.Doubt(), want) || want == "" && l.Doubt() != "" {
			t.Errorf("%q: doubt %q, expected %q", text, l.Doubt(), want)
		}
	}
	for text, want := range map[string]string{
		"name;Club;x\na;red hat;\nb;;1\nc;blue;2\n":                        "",
		"Club,Id\nred hat,a\n,b\nblue,c\n":                                 "",
		"\"id\" \"club\"\n\"1\" \"a\" \"red hat\"\n\"2\" \"c\" \"blue\"\n": "",
		"id,x\na,b\n":        `l:1: no column "club": expected one of id, x`,
		"id,club\na,\n":      `nothing in the column "club"`,
		"id,club\na,b,c\n":   "l:2: 3 columns: expected 2",
		"id,club\na,b,c,d\n": "l:2: 4 columns: expected 2",
	} {
		got, err := ReadLabelsOf("club")(strings.NewReader(text), "l")
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) || want == "" && !reflect.DeepEqual(got, &Labels{[]string{"blue", "red hat"}, []string{"a", "c"}, [][]int32{{1}, {0}}, "club"}) {
			t.Errorf("%q: %+v, error %v", text, got, err)
		}
	}
	l := &Labels{[]string{"a", "b"}, []string{"x", "y", "z"}, [][]int32{{0}, {1}, {0, 1}}, ""}
	if of, labels, others := l.Align([]string{"z", "nobody", "x"}); others != 1 || !reflect.DeepEqual(of, [][]int32{{0, 1}, nil, {0}}) || len(labels) != 2 {
		t.Errorf("%v, %v, %d others", of, labels, others)
	}
	if of, labels, others := l.Align([]string{"y"}); others != 2 || !reflect.DeepEqual(of, [][]int32{{0}}) || !slices.Equal(labels, []string{"b"}) {
		t.Errorf("%v, %v, %d others: expected no label that nobody has", of, labels, others)
	}
}

// An XML parser gets the names back, but for characters that XML does not have.
func TestGraphML(t *testing.T) {
	g := GraphML{Names: hostile, Directed: true, Links: [][2]int32{{0, 1}, {11, 2}},
		Attributes: []Attribute{{"x<y", "double", func(v int) string { return fmt.Sprint(float64(v) / 2) }}, {"label", "string", func(v int) string { return hostile[len(hostile)-1-v] }}}}
	var buf bytes.Buffer
	call.OK(t, WriteGraphML(&buf, g))
	var doc struct {
		Key []struct {
			ID   string `xml:"id,attr"`
			Name string `xml:"attr.name,attr"`
		} `xml:"key"`
		Graph struct {
			Direction string `xml:"edgedefault,attr"`
			Node      []struct {
				ID   string `xml:"id,attr"`
				Data []struct {
					Key  string `xml:"key,attr"`
					Text string `xml:",chardata"`
				} `xml:"data"`
			} `xml:"node"`
			Edge []struct {
				Source string `xml:"source,attr"`
				Target string `xml:"target,attr"`
			} `xml:"edge"`
		} `xml:"graph"`
	}
	if err := xml.Unmarshal(buf.Bytes(), &doc); err != nil {
		t.Fatalf("%v in\n%s", err, buf.String())
	}
	if len(doc.Key) != 3 || doc.Key[1].Name != "x<y" || doc.Graph.Direction != "directed" || len(doc.Graph.Edge) != 2 || doc.Graph.Edge[1].Source != "n11" {
		t.Errorf("%+v", doc)
	}
	for v, node := range doc.Graph.Node {
		want := hostile[v]
		if strings.Contains(want, "\x1b") {
			want = render.Printable(want)
		}
		got := ""
		for _, d := range node.Data {
			if d.Key == "d0" {
				got = d.Text
			}
		}
		if got != want {
			t.Errorf("vertex %d is called %q, expected %q", v, got, want)
		}
	}
}

// FuzzReadNPZ: whatever the bytes are, reading never panics, and what was read can be written.
func FuzzReadNPZ(f *testing.F) {
	for _, even := range []bool{true, false} {
		var buf bytes.Buffer
		if err := WriteNPZ(&buf, whole(even)); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if e, err := ReadNPZ(bytes.NewReader(b), int64(len(b)), ""); err == nil {
			call.OK(t, WriteNPZ(io.Discard, e))
		}
	})
}
