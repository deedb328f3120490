package vectors

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/gz"
)

// awkward are numbers at the edges of float32: its largest, its smallest normal and subnormal, one that takes nine digits.
var awkward = []float32{0, float32(math.Copysign(0, -1)), math.MaxFloat32, -math.MaxFloat32, 0x1p-126, math.SmallestNonzeroFloat32, 0.1, 16777217, 1. / 3, 8589973504}

func TestVecRoundTrip(t *testing.T) {
	names := []string{"a", "", " ", "two words", `back\slash`, `\s`, "tab\there", "line\nend\r", "żółw", "12", `\e`, "a\u00a0b", "\xff\xfe"}
	d := len(awkward)
	var data []float32
	for i := range names {
		for j := range d {
			data = append(data, awkward[(i+j)%d])
		}
	}
	var buf bytes.Buffer
	call.OK(t, WriteVec(&buf, names, data, d))
	zip := gz.Of(buf.String())
	for name, text := range map[string]string{"plain": buf.String(), "gzip": zip} {
		got, err := ReadVec(strings.NewReader(text), "x.vec")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(got.Names, names) || got.N != len(names) || got.D != d {
			t.Errorf("%s: names %q, N %d, D %d; expected %q, %d, %d", name, got.Names, got.N, got.D, names, len(names), d)
		}
		for i := range data {
			if math.Float32bits(got.Data[i]) != math.Float32bits(data[i]) {
				t.Fatalf("%s: number %d is %v, expected %v to the bit", name, i, got.Data[i], data[i])
			}
		}
	}
	call.Refused(t)(ReadVec(strings.NewReader(zip[:len(zip)-9]), "cut.gz"))
}

func TestWriteVecFormat(t *testing.T) {
	var buf bytes.Buffer
	call.OK(t, WriteVec(&buf, []string{"7", "b c"}, []float32{1, -0.5, 1e-9, 3.4e38}, 2))
	const want = "2 2\n7 1 -0.5\n" + `b\sc 1e-09 3.4e+38` + "\n"
	if buf.String() != want {
		t.Errorf("got %q, expected %q", buf.String(), want)
	}
}

func TestReadVecForms(t *testing.T) {
	for name, text := range map[string]string{
		"header":            "2 3\na 1 2 3\nb 4 5 6\n",
		"no header":         "a 1 2 3\nb 4 5 6\n",
		"no last line end":  "2 3\na 1 2 3\nb 4 5 6",
		"trailing spaces":   "2 3 \na 1 2 3 \nb 4 5 6 \n", // as the original word2vec writes them
		"tabs and CRLF":     "2\t3\r\na\t1\t2\t3\r\nb\t4\t5\t6\r\n",
		"exponents, padded": "2 3\na  1e0 +2 3.\nb 40E-1 5 6\n",
	} {
		v, err := ReadVec(strings.NewReader(text), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(v.Names, []string{"a", "b"}) || !slices.Equal(v.Data, []float32{1, 2, 3, 4, 5, 6}) || v.N != 2 || v.D != 3 {
			t.Errorf("%s: %+v", name, *v)
		}
	}
}

func TestReadVecErrors(t *testing.T) {
	for _, c := range map[string]struct{ text, want string }{
		"empty":             {"", "no vectors"},
		"few numbers":       {"2 3\na 1 2 3\nb 4 5\n", "f.vec:3: 2 numbers: expected 3"},
		"many numbers":      {"1 2\na 1 2 3\n", "f.vec:2: more than 2"},
		"NaN":               {"1 2\na 1 NaN\n", `f.vec:2: number 2: "NaN"`},
		"too large":         {"1 2\na 1e39 1\n", "f.vec:2: number 1"},
		"no number":         {"1 2\na 1 x\n", `f.vec:2: number 2: "x"`},
		"twice":             {"3 1\na 1\nb 1\na 2\n", `f.vec:4: name "a" was given on line 2`},
		"truncated":         {"3 1\na 1\nb 1\n", "ends after 2 vectors: expected the 3"},
		"empty line":        {"2 1\na 1\n\nb 1\n", "f.vec:3: empty line"},
		"negative header":   {"-2 1\na 1\n", "expected both > 0"},
		"a name alone":      {"a\n", "f.vec:1: no numbers"},
		"no names":          {"-1.178842\t-1.148161\t0.669469\n", "f.vec:1: -1.178842 comes first and is no name"},
		"promises too much": {"9223372036854775807 9223372036854775807\na 1\n", "f.vec:2: 1 numbers"},
	} {
		call.Refused(t, c.want)(ReadVec(strings.NewReader(c.text), "f.vec"))
	}
}

// Whatever is read can be written and reads back the same.
func FuzzReadVec(f *testing.F) {
	for _, s := range []string{"2 3\na 1 2 3\nb 4 5 6\n", "a 1 2\n", "1 1\n\\s 0x1p-3\n", "1 1\n\\ 1\n", "\x1f\x8b\x08", "1 2\na\t1 2\r\n", "5 5\n", "1 1\n\\e 1\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := ReadVec(bytes.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var buf bytes.Buffer
		if err := WriteVec(&buf, v.Names, v.Data, v.D); err != nil {
			t.Fatalf("read %q, but cannot write it: %v", text, err)
		}
		again, err := ReadVec(&buf, "again")
		if err != nil {
			t.Fatalf("%q: written and read again: %v", text, err)
		}
		if !slices.Equal(again.Names, v.Names) || !slices.Equal(again.Data, v.Data) || again.D != v.D {
			t.Fatalf("%q: %+v, then %+v", text, v, again)
		}
	})
}

func TestAlign(t *testing.T) {
	v := &Vectors{Names: []string{"a", "b", "c"}, N: 3, D: 2, Data: []float32{1, 2, 3, 4, 5, 6}}
	got, err := v.Align([]string{"c", "a"})
	if err != nil || !slices.Equal(got.Data, []float32{5, 6, 1, 2}) || got.N != 2 || got.D != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	call.Refused(t, `2 of 3 vertices have no vector, the first is "x"`)(v.Align([]string{"a", "x", "y"}))
}
