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

	"github.com/asp2vec/asp2vec/internal/test/call"
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
	entries := call.Of(os.ReadDir(dir))(t)
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
				call.OK(t, WriteRun(dir, force, run))
			}
			if got := files(t, dir); got != c.files {
				t.Errorf("files %s, expected %s", got, c.files)
			}
			got, err := readSeveral(dir, "")
			if want := (&MultiVectors{run.Names, c.first, run.D, run.Aspects, run.Share}); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v; expected %+v", got, err, want)
			}
		})
	}
}

func TestReadMultiVectorsArray(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run := toyRun()
	call.OK(t, WriteRun(dir, false, run))
	for _, vertices := range []string{"", filepath.Join(dir, VerticesFile)} {
		got, err := readSeveral(filepath.Join(dir, AspectsFile), vertices)
		if want := (&MultiVectors{run.Names, []int32{0, 2, 4, 6}, run.D, run.Aspects, nil}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; expected %+v", got, err, want)
		}
	}
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	call.File(t, filepath.Join(dir, name), text)
}

func array(t testing.TB, data []float32, shape ...int) string {
	t.Helper()
	var b bytes.Buffer
	call.OK(t, WriteNPY(&b, data, shape...))
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
				call.OK(t, os.Remove(filepath.Join(dir, n)))
			}
		}
	}
	with := func(name, text string) func(string) { return func(dir string) { put(t, dir, name, text) } }
	for name, c := range map[string]struct {
		change func(dir string)
		want   string
	}{
		"none":           {remove(PersonasFile, OwnersFile), "one vector per vertex"},
		"both":           {with(AspectsFile, array(t, ten, 1, 5, 2)), "expected one of them"},
		"no owners":      {remove(OwnersFile), OwnersFile},
		"no vertices":    {remove(VerticesFile), VerticesFile},
		"unknown owner":  {with(OwnersFile, "x\nx\ny\nz\nz\n"), `personas.txt:3: name "y" is not in vertices.txt, or not in that order`},
		"huge header":    {with(PersonasFile, huge), "ends before"},
		"NaN":            {with(PersonasFile, array(t, []float32{1, 2, 3, 4, 5, 6, 7, nan, 9, 10}, 5, 2)), `vector 1 of "z": dimension 1 is NaN`},
		"few shares":     {with(ShareFile, array(t, ten[:4], 4)), "4 shares for 5"},
		"negative share": {with(ShareFile, array(t, []float32{1, 1, 1, -1, 1}, 5)), `vector 1 of "z": share -1`},
		"aspects, huge K": {func(dir string) {
			remove(PersonasFile)(dir)
			put(t, dir, AspectsFile, empty("(3, 1152921504606846, 0)"))
		}, "no more than 2^31"},
		"aspects, shares": {func(dir string) {
			remove(PersonasFile)(dir)
			put(t, dir, AspectsFile, array(t, make([]float32, 12), 3, 2, 2))
		}, "5 shares for 6"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			call.OK(t, WriteRun(dir, false, personas()))
			c.change(dir)
			if got, err := readSeveral(dir, ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, error %v: expected one with %q", got, err, c.want)
			}
		})
	}
}

func TestAlignMultiVectors(t *testing.T) {
	s := &MultiVectors{[]string{"a", "b", "c"}, []int32{0, 2, 2, 3}, 2, []float32{1, 2, 3, 4, 5, 6}, []float32{.1, .2, .3}}
	got, err := s.Align([]string{"c", "b", "a"})
	if want := (&MultiVectors{[]string{"c", "b", "a"}, []int32{0, 1, 1, 3}, 2, []float32{5, 6, 1, 2, 3, 4}, []float32{.3, .1, .2}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; expected %+v", got, err, want)
	}
	s.Share = nil
	if got, err := s.Align([]string{"c"}); err != nil || got.Share != nil || len(got.First) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	call.Refused(t, `2 of 3 vertices`, `"x"`)(s.Align([]string{"a", "x", "y"}))
}
