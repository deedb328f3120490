package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Whoever looks at records alone needs no data: jobs have the keys that they had when the data were there.
func TestRecordsAlone(t *testing.T) {
	dir := t.TempDir()
	links, file := filepath.Join(dir, "links.tsv"), filepath.Join(dir, "s.yaml")
	write := func(path, text string) {
		t.Helper()
		call.File(t, path, text)
	}
	keys := func(use Use) (keys []string) {
		t.Helper()
		s := call.Of(ReadTable(file, use))(t)
		for _, j := range s.PartJobs(Scope{Seeds: 1, Protocols: []string{"standard"}}) {
			keys = append(keys, j.Key())
		}
		return keys
	}
	write(links, "0\t1\n1\t2\n")
	call.OK(t, os.Mkdir(filepath.Join(dir, "parts"), 0o777))
	write(file, "datasets: [links.tsv, ./parts]\noptions: {epsilon: [.1, .5]}\n")
	before := keys(ToRun)
	for _, gone := range []string{links, filepath.Join(dir, "parts")} {
		call.OK(t, os.Remove(gone))
	}
	if after := keys(ToShow); len(after) != 4 || strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("keys %v without the data, expected %v", after, before)
	}
	call.Refused(t, "links.tsv: no such file")(ReadTable(file, ToRun))
	write(file, "datasets: ./papers\nmethod: camel\noptions: {dim: [8, 16]}\n")
	call.Refused(t, "s.yaml:1: data set ./papers is not there: expected it there, or {bibliography: ./papers}")(ReadTable(file, ToShow))
	write(file, "datasets: {bibliography: ./papers}\nmethod: camel\noptions: {dim: [8, 16]}\n")
	if got := keys(ToShow); len(got) != 2 {
		t.Errorf("of a bibliography: %d jobs", len(got))
	}
}
