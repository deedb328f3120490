package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

func toyRun() Run {
	return Run{
		Names: []string{"x", "two words", "z"}, D: 2, K: 2,
		Center: []float32{1, 2, 3, 4, 5, 6}, Aspects: []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Final: []float32{2, 3, 4, 5, 6, 7},
		Record: sampleRecord(),
	}
}

func TestWriteRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run := toyRun()
	call.OK(t, WriteRun(dir, false, run))
	if err := WriteRun(dir, false, run); !errors.Is(err, ErrExists) {
		t.Errorf("again: %v: expected ErrExists", err)
	}
	run.Final[0] = 9
	call.OK(t, WriteRun(dir, true, run))
	rec, err := results.ReadRecord(dir)
	if err != nil || !reflect.DeepEqual(compact(t, rec), compact(t, run.Record)) {
		t.Errorf("record %+v, %v", rec, err)
	}
	for _, path := range []string{dir, filepath.Join(dir, EmbeddingFile)} {
		v, err := readFinal(path, "")
		if err != nil || !slices.Equal(v.Names, run.Names) || !slices.Equal(v.Data, run.Final) || v.D != 2 {
			t.Errorf("%s: %+v, %v", path, v, err)
		}
	}
	for _, vertices := range []string{"", filepath.Join(dir, VerticesFile)} {
		v, err := readFinal(filepath.Join(dir, CenterFile), vertices)
		if err != nil || !slices.Equal(v.Names, run.Names) || !slices.Equal(v.Data, run.Center) {
			t.Errorf("centres, vertices %q: %+v, %v", vertices, v, err)
		}
	}
	f := call.Of(os.Open(filepath.Join(dir, AspectsFile)))(t)
	defer f.Close()
	data, shape, err := ReadNPY(f, "aspects")
	if err != nil || !slices.Equal(shape, []int{3, 2, 2}) || !slices.Equal(data, run.Aspects) {
		t.Errorf("aspects: %v, %v, %v", data, shape, err)
	}
	call.Refused(t, "no final one")(readFinal(filepath.Join(dir, AspectsFile), ""))
}

// compact is the record's line: indentation of options is not part of it.
func compact(t *testing.T, r results.Record) string {
	t.Helper()
	b := call.Of(r.Line())(t)
	return string(b)
}

func TestWriteRunLeavesNothingOnFailure(t *testing.T) {
	for name, change := range map[string]func(*Run){
		"NaN":              func(r *Run) { var zero float32; r.Final[3] = zero / zero },
		"line end in name": func(r *Run) { r.Names[1] = "a\nb" },
		"aspects":          func(r *Run) { r.K = 3 },
		"names":            func(r *Run) { r.Names = r.Names[:2]; r.Center, r.Aspects = nil, nil },
		"record":           func(r *Run) { r.Record.Method = "" },
	} {
		root := t.TempDir()
		run := toyRun()
		change(&run)
		call.Refused(t)(WriteRun(filepath.Join(root, "run"), false, run))
		if left, _ := os.ReadDir(root); len(left) != 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

// --force must never cost a user a folder that is not a run's.
func TestForceSparesOtherFolders(t *testing.T) {
	dir := t.TempDir()
	thesis := filepath.Join(dir, "thesis.tex")
	call.File(t, thesis, "x")
	call.Refused(t, "thesis.tex")(WriteRun(dir, true, toyRun()))
	call.Of(os.Stat(thesis))(t)
}

func TestVerticesRoundTrip(t *testing.T) {
	names := []string{"a b", "", `\n`, "żółw"}
	var buf bytes.Buffer
	call.OK(t, WriteVertices(&buf, names))
	if got, err := ReadVertices(&buf, "v"); err != nil || !slices.Equal(got, names) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ReadVertices(strings.NewReader("\ufeffa\nb\n"), "v"); err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("with a byte order mark: %q, %v", got, err)
	}
	call.Refused(t, "v.txt:3")(ReadVertices(strings.NewReader("a\r\nb\r\na\r\n"), "v.txt"))
}

func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, fill func(*bytes.Buffer)) string {
		var b bytes.Buffer
		fill(&b)
		path := filepath.Join(dir, name)
		call.File(t, path, b.Bytes())
		return path
	}
	text := write("e.vec", func(b *bytes.Buffer) { b.WriteString("1 1\na 1\n") })
	array := write("e.npy", func(b *bytes.Buffer) { WriteNPY(b, []float32{1, 2}, 2, 1) })
	one := write("one.txt", func(b *bytes.Buffer) { b.WriteString("a\n") })
	for _, c := range map[string]struct{ path, vertices, want string }{
		"nothing there":        {filepath.Join(dir, "no"), "", "no such file"},
		"folder without a run": {dir, "", EmbeddingFile},
		"text with vertices":   {text, one, "contains names"},
		"array without names":  {array, "", VerticesFile},
		"too few names":        {array, one, "1 names"},
	} {
		call.Refused(t, c.want)(readFinal(c.path, c.vertices))
	}
}

// readFinal returns the final vectors of an embedding.
func readFinal(path, vertices string) (*Vectors, error) {
	e, err := ReadWhole(path, vertices)
	if err != nil {
		return nil, err
	}
	return e.Table(TableFinal)
}

// readSeveral returns the several vectors of an embedding.
func readSeveral(path, vertices string) (*MultiVectors, error) {
	e, err := ReadWhole(path, vertices)
	if err == nil && e.MultiVectors == nil {
		err = errors.New("one vector per vertex")
	}
	if err != nil {
		return nil, err
	}
	return e.MultiVectors, nil
}

func sampleRecord() results.Record {
	return results.Record{Schema: results.Schema, Method: "asp2vec", Protocol: "default", Options: json.RawMessage(`{"aspects":2}`), Seed: 7, Metrics: results.Metrics{"auc": 0.75}}
}
