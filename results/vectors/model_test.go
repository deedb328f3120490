package vectors

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

func toyModel() *Model {
	return &Model{
		Authors: []string{"Ada L.", "Grace"}, Words: []string{"graph", "wörd", "x"},
		WordDim: 2, WordVectors: []float32{1, 2, 3, 4, 0, 0},
		Parameters: []Array{{"authors", []int{2, 3}, []float32{1, 2, 3, 4, 5, 6}}, {"bias_ih", []int{1}, []float32{-0.1}}, {"gru 2.weight", []int{1, 1, 2}, []float32{7, 8}}},
	}
}

func TestModelFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run := toyRun()
	run.Model = toyModel()
	call.OK(t, WriteRun(dir, false, run))
	m, record, err := ReadModel(dir)
	if err != nil || !reflect.DeepEqual(m, run.Model) {
		t.Errorf("read %+v, %v: expected %+v", m, err, run.Model)
	}
	if record.Method != run.Record.Method || record.Seed != run.Record.Seed {
		t.Errorf("record %+v", record)
	}
	if v, err := readFinal(dir, ""); err != nil || v.N != 3 {
		t.Errorf("the vectors beside it: %+v, %v", v, err)
	}
	// It can be replaced by another run, and leaves no parameters behind then.
	call.OK(t, CheckRun(dir, true))
	call.OK(t, WriteRun(dir, true, toyRun()))
	if _, _, err := ReadModel(dir); !errors.Is(err, ErrNoModel) {
		t.Errorf("a run without a model: %v", err)
	}
	call.Refused(t)(os.Stat(filepath.Join(dir, ParametersDir)))
	if _, _, err := ReadModel(filepath.Join(dir, "no")); err == nil || errors.Is(err, ErrNoModel) {
		t.Errorf("no folder: %v", err)
	}
}

// A folder of parameters with something else in it is not thrown away.
func TestForeignParametersAreKept(t *testing.T) {
	for _, other := range []string{"parameters/thesis.doc", "parameters/deep/x.npy", "parameters"} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(other))
		call.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
		call.File(t, path, "")
		run := toyRun()
		run.Model = toyModel()
		call.Refused(t, "not a file of a run")(WriteRun(dir, true, run))
	}
}

func TestBrokenModelFolders(t *testing.T) {
	for name, c := range map[string]struct {
		file, text, want string
	}{
		"authors":   {AuthorsFile, "", "of 0 authors"},
		"words":     {WordsFile, "graph\nx\n", "for 2 words"},
		"twice":     {WordsFile, "graph\nx\nx\n", "words.txt:3"},
		"vectors":   {WordVectorsFile, "text", "words.npy"},
		"parameter": {ParametersDir + "/authors.npy", "", "authors.npy"},
		"record":    {results.RecordFile, "{", "record.json"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		run := toyRun()
		run.Model = toyModel()
		call.OK(t, WriteRun(dir, false, run))
		path := filepath.Join(dir, filepath.FromSlash(c.file))
		if c.text == "" {
			call.OK(t, os.Truncate(path, 0))
		} else if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		call.Refused(t, c.want)(ReadModel(dir))
		call.OK(t, os.Remove(path))
		if _, _, err := ReadModel(dir); err == nil && name != "parameter" {
			t.Errorf("%s missing: no error", name)
		}
	}
}
