package vectors

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// personas is a run whose vertices have two vectors, none and three.
func personas() Run {
	r := toyRun()
	r.K, r.First = 0, []int32{0, 2, 2, 5}
	r.Aspects = []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	r.Share = []float32{0.5, 0.5, 0.25, 0, 0.75}
	return r
}

func files(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// What is written is read, as many vectors for each vertex or not.
func TestMultiVectorsRoundTrip(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Run)
		files  string
		first  []int32
	}{
		"uneven":             {func(*Run) {}, "center.npy embedding.vec personas.npy personas.txt record.json share.npy vertices.txt", []int32{0, 2, 2, 5}},
		"uneven, no shares":  {func(r *Run) { r.Share = nil }, "center.npy embedding.vec personas.npy personas.txt record.json vertices.txt", []int32{0, 2, 2, 5}},
		"even":               {func(r *Run) { *r = toyRun() }, "aspects.npy center.npy embedding.vec record.json vertices.txt", []int32{0, 2, 4, 6}},
		"even by first rows": {func(r *Run) { *r = toyRun(); r.K, r.First = 0, []int32{0, 2, 4, 6} }, "aspects.npy center.npy embedding.vec record.json vertices.txt", []int32{0, 2, 4, 6}},
		"even, shares": {func(r *Run) { *r = toyRun(); r.Share = make([]float32, 6) },
			"aspects.npy center.npy embedding.vec record.json share.npy vertices.txt", []int32{0, 2, 4, 6}},
		"all on one": {func(r *Run) { r.First = []int32{0, 0, 0, 5} }, "center.npy embedding.vec personas.npy personas.txt record.json share.npy vertices.txt", []int32{0, 0, 0, 5}},
		"awkward names": {func(r *Run) { r.Names = []string{"", " b\t", `\e`} },
			"center.npy embedding.vec personas.npy personas.txt record.json share.npy vertices.txt", []int32{0, 2, 2, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			run := personas()
			c.change(&run)
			for _, force := range []bool{false, true} { // a run's own files do not keep it from being replaced
				if err := WriteRun(dir, force, run); err != nil {
					t.Fatal(err)
				}
			}
			if got := files(t, dir); got != c.files {
				t.Errorf("files %s, want %s", got, c.files)
			}
			got, err := readSeveral(dir, "")
			if want := (&MultiVectors{run.Names, c.first, run.D, run.Aspects, run.Share}); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		})
	}
}

func TestReadMultiVectorsArray(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run := toyRun()
	if err := WriteRun(dir, false, run); err != nil {
		t.Fatal(err)
	}
	for _, vertices := range []string{"", filepath.Join(dir, VerticesFile)} {
		got, err := readSeveral(filepath.Join(dir, AspectsFile), vertices)
		if want := (&MultiVectors{run.Names, []int32{0, 2, 4, 6}, run.D, run.Aspects, nil}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func array(t testing.TB, data []float32, shape ...int) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteNPY(&b, data, shape...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadMultiVectorsErrors(t *testing.T) {
	nan := float32(math.NaN())
	ten := personas().Aspects
	huge := npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 2), }\n", binary.LittleEndian, ten)
	empty := func(shape string) string {
		return npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': "+shape+", }\n", binary.LittleEndian, []float32{})
	}
	remove := func(names ...string) func(string) {
		return func(dir string) {
			for _, n := range names {
				if err := os.Remove(filepath.Join(dir, n)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	with := func(name, text string) func(string) { return func(dir string) { put(t, dir, name, text) } }
	for name, c := range map[string]struct {
		change func(dir string)
		want   string
	}{
		"none":          {remove(PersonasFile, OwnersFile), "one vector per vertex"},
		"both":          {with(AspectsFile, array(t, ten, 1, 5, 2)), "want one of them"},
		"no owners":     {remove(OwnersFile), OwnersFile},
		"no vertices":   {remove(VerticesFile), VerticesFile},
		"few owners":    {with(OwnersFile, "x\nx\nz\nz\n"), "10 numbers for 4 vectors"},
		"unknown owner": {with(OwnersFile, "x\nx\ny\nz\nz\n"), `personas.txt:3: name "y" is not in vertices.txt, or not in that order`},
		"name twice":    {with(VerticesFile, "x\nz\nx\n"), "vertices.txt:3"},
		"no names":      {with(VerticesFile, ""), "have not the same vertices"},
		"nothing at all": {func(dir string) {
			put(t, dir, VerticesFile, "")
			put(t, dir, OwnersFile, "")
			put(t, dir, PersonasFile, empty("(0, 2)"))
		}, "have not the same vertices"},
		"three axes":     {with(PersonasFile, array(t, ten, 1, 5, 2)), "want (R,D)"},
		"no dimension":   {with(PersonasFile, empty("(5, 0)")), "dimension 0"},
		"huge header":    {with(PersonasFile, huge), "ends before"},
		"no array":       {with(PersonasFile, "hello"), "no NumPy file"},
		"NaN":            {with(PersonasFile, array(t, []float32{1, 2, 3, 4, 5, 6, 7, nan, 9, 10}, 5, 2)), `vector 1 of "z": dimension 1 is NaN`},
		"few shares":     {with(ShareFile, array(t, ten[:4], 4)), "4 shares for 5"},
		"negative share": {with(ShareFile, array(t, []float32{1, 1, 1, -1, 1}, 5)), `vector 1 of "z": share -1`},
		"infinite share": {with(ShareFile, array(t, []float32{1, 1, 1, 1, float32(math.Inf(1))}, 5)), "share +Inf"},
		"aspects, two":   {func(dir string) { remove(PersonasFile)(dir); put(t, dir, AspectsFile, array(t, ten, 5, 2)) }, "want (N,K,D)"},
		"aspects, N":     {func(dir string) { remove(PersonasFile)(dir); put(t, dir, AspectsFile, array(t, ten, 5, 1, 2)) }, "with 3 names"},
		"aspects, K = 0": {func(dir string) { remove(PersonasFile)(dir); put(t, dir, AspectsFile, empty("(3, 0, 2)")) }, "at least one"},
		"aspects, huge K": {func(dir string) {
			remove(PersonasFile)(dir)
			put(t, dir, AspectsFile, empty("(3, 1152921504606846, 0)"))
		}, "no more than 2^31"},
		"aspects, shares": {func(dir string) {
			remove(PersonasFile)(dir)
			put(t, dir, AspectsFile, array(t, make([]float32, 12), 3, 2, 2))
		}, "5 shares for 6"},
		"a folder for one": {func(dir string) { remove(OwnersFile)(dir); os.Mkdir(filepath.Join(dir, OwnersFile), 0o777) }, OwnersFile},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if err := WriteRun(dir, false, personas()); err != nil {
				t.Fatal(err)
			}
			c.change(dir)
			if got, err := readSeveral(dir, ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, error %v: want one with %q", got, err, c.want)
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "run")
	if err := WriteRun(dir, false, personas()); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, vertices, want string }{
		"nothing there":        {"no", "", "no such file"},
		"text":                 {EmbeddingFile, "", "one vector per vertex"},
		"two axes":             {CenterFile, "", "one vector per vertex"},
		"personas by name":     {PersonasFile, "", "3 names"},
		"folder with vertices": {"", VerticesFile, "contains names"},
	} {
		if c.vertices != "" {
			c.vertices = filepath.Join(dir, c.vertices)
		}
		if _, err := readSeveral(filepath.Join(dir, c.path), c.vertices); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v: want one with %q", name, err, c.want)
		}
	}
}

func TestWriteMultiVectorsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Run)
		want   string
	}{
		"no first rows":   {func(r *Run) { r.First = []int32{} }, "0 first rows"},
		"begins late":     {func(r *Run) { r.First[0] = 1 }, "from 0"},
		"falls":           {func(r *Run) { r.First[2] = 1 }, `those of "two words"`},
		"ends early":      {func(r *Run) { r.First[3] = 4 }, "10 numbers for 4 vectors"},
		"short":           {func(r *Run) { r.Aspects = r.Aspects[1:] }, "9 numbers"},
		"NaN":             {func(r *Run) { r.Aspects[2] = float32(math.NaN()) }, `vector 1 of "x": dimension 0 is NaN`},
		"few shares":      {func(r *Run) { r.Share = r.Share[1:] }, "4 shares"},
		"negative share":  {func(r *Run) { r.Share[4] = -1 }, `vector 2 of "z": share -1`},
		"rows of nothing": {func(r *Run) { r.Aspects = nil }, "without aspects"},
		"no names":        {func(r *Run) { r.Names, r.Center = nil, nil }, "0 names"},
	} {
		root := t.TempDir()
		run := personas()
		c.change(&run)
		if err := WriteRun(filepath.Join(root, "run"), false, run); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v: want one with %q", name, err, c.want)
		}
		if left := files(t, root); left != "" {
			t.Errorf("%s: left %s", name, left)
		}
	}
}

func TestAlignMultiVectors(t *testing.T) {
	s := &MultiVectors{[]string{"a", "b", "c"}, []int32{0, 2, 2, 3}, 2, []float32{1, 2, 3, 4, 5, 6}, []float32{.1, .2, .3}}
	got, err := s.Align([]string{"c", "b", "a"})
	if want := (&MultiVectors{[]string{"c", "b", "a"}, []int32{0, 1, 1, 3}, 2, []float32{5, 6, 1, 2, 3, 4}, []float32{.3, .1, .2}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	s.Share = nil
	if got, err := s.Align([]string{"c"}); err != nil || got.Share != nil || len(got.First) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := s.Align([]string{"a", "x", "y"}); err == nil || !strings.Contains(err.Error(), `2 of 3 vertices`) || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("missing names: %v", err)
	}
}
