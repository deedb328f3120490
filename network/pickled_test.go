package network

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// sharedData returns the folder of data sets for development, or skips the test.
func sharedData(t testing.TB) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("ASP2VEC_DATA"), "../../shared/data"} {
		if fi, err := os.Stat(filepath.Join(dir, "published")); dir != "" && err == nil && fi.IsDir() {
			return dir
		}
	}
	t.Skip("no folder of published files: ASP2VEC_DATA is not set, or has none")
	return ""
}

func unzipped(t *testing.T, path string) string {
	t.Helper()
	f := call.Of(os.Open(path))(t)
	defer f.Close()
	z := call.Of(gzip.NewReader(f))(t)
	text := call.Of(io.ReadAll(z))(t)
	return string(text)
}

// The published files give, line by line, what another program made of them.
func TestPublishedPickles(t *testing.T) {
	dir := sharedData(t)
	for _, name := range []string{"filmtrust", "ppi"} {
		from := filepath.Join(dir, "published/pcy1302-asp2vec/data", name)
		p := call.Of(ReadPickled(filepath.Join(from, "data_remove_percent_0.5.pkl")))(t)
		out := filepath.Join(t.TempDir(), name)
		call.OK(t, os.MkdirAll(out, 0o777), p.FillDataset(out, filepath.Join(from, "edges.txt")))
		files := []string{"edges", "split/train", "split/train_neg", "split/test", "split/test_neg"}
		if p.Split.Directed {
			files = append(files, "split/test_neg_directed")
		}
		for _, f := range files {
			if unzipped(t, filepath.Join(out, f+".tsv.gz")) != unzipped(t, filepath.Join(dir, name, f+".tsv.gz")) {
				t.Errorf("%s: %s is another", name, f)
			}
		}
		if (p.Labels != nil) != (name == "ppi") {
			t.Errorf("%s: %d rows of labels", name, len(p.Labels))
		}
	}
}

// Ids that are strings, numbers of numpy and odd ones; labels; a file of links or none.
func TestPickledDataset(t *testing.T) {
	data := call.Of(os.ReadFile("../internal/pickle/testdata/protocol4.pkl"))(t)
	path := filepath.Join(t.TempDir(), "a.pkl")
	call.File(t, path, data)
	call.Refused(t, `a.pkl: id "ü\\\n€" cannot be written: it has a control character`)(ReadPickled(path))
	plain := bytes.Replace(data, []byte("ü\\\n€"), []byte("ü\\ €"), 1)
	call.File(t, path, plain)
	p := call.Of(ReadPickled(path))(t)
	out := t.TempDir()
	call.OK(t, p.FillDataset(out, ""))
	if got, want := unzipped(t, filepath.Join(out, LabelsFile)), "7\t1\n7\t2\na\t0\nü\\ €\t2\n"; got != want {
		t.Errorf("labels %q: expected %q", got, want)
	}
	if got, want := unzipped(t, filepath.Join(out, LinksFile)), "a\t7\n7\tü\\ €\nü\\ €\t3\n7\ta\n"; got != want {
		t.Errorf("links %q: expected %q", got, want)
	}
	links := filepath.Join(t.TempDir(), "links.txt")
	call.File(t, links, "a 7\n7 a\n3 a\n")
	call.Refused(t, "expected the split of these links")(p.FillDataset(t.TempDir(), links))
}

func TestReadPickledErrors(t *testing.T) {
	array := func(rows string, n int, values string) string { // of int8
		return "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(" + rows +
			"tcnumpy\ndtype\n(S'i1'\nI0\nI1\ntR(I3\nS'|'\nNNNI-1\nI-1\nI0\ntbI00\nU" + string(rune(len(values))) + values + "tb"
	}
	pairs := func(values string) string { return array("I"+string(rune('0'+len(values)/2))+"\nI2\n", 0, values) }
	split := map[string]string{
		"isDirected": "I00\n", "index": "(dI10\nI0\nsI11\nI1\nsI12\nI2\nsI13\nI3\ns",
		"train_edges": pairs("\x00\x01\x01\x02\x02\x03"), "train_edges_neg": pairs("\x00\x02"), "test_edges": pairs("\x00\x03"),
		"test_edges_neg": pairs("\x01\x03"),
	}
	write := func(change, to string) string {
		text := "(d"
		for _, key := range []string{"isDirected", "index", "train_edges", "train_edges_neg", "test_edges", "test_edges_neg", "label_matrix"} {
			value, ok := split[key]
			if key == change {
				value, ok = to, to != ""
			}
			if ok {
				text += "S'" + key + "'\n" + value + "s"
			}
		}
		path := filepath.Join(t.TempDir(), "a.pkl")
		call.File(t, path, text+".")
		return path
	}
	call.Of(ReadPickled(write("", "")))(t)
	for _, c := range []struct{ change, to, want string }{
		{"isDirected", "I5\n", "isDirected is a whole number: expected a bool"},
		{"index", "", "index is None: expected a dict"},
		{"index", "(dI10\nI0\nsI11\nI0\ns", `id "11" is number 0: expected each number from 0 to 1 once`},
		{"index", "(dI10\nI0\nsS'10'\nI1\ns", `the id of a vertex is a string "10": expected`},
		{"index", "(dS''\nI0\ns", "expected numbers from 0 to 0"},
		{"index", "(dI10\nI0\nsI11\nI1\nsI12\nI2\nsI13\nI3\nsI14\nI4\ns", `vertex "14" is in no pair`},
		{"train_edges", "", "has no train_edges"},
		{"train_edges", "(l", "train_edges: is a list of 0: expected an array of pairs"},
		{"test_edges", pairs("\x00\x09"), "test_edges: row 0 is 0, 9: expected numbers from 0 to 3"},
		{"test_edges", array("I2\n", 0, "\x00\x01"), "test_edges: an array [2] of i1: expected (N, 2)"},
		{"test_edges", array("I0\nI2\n", 0, ""), "test_edges: contains no pair"},
		{"test_edges", pairs("\x00\x01"), "link"},
		{"test_edges_neg", pairs("\x02\x03"), "expected pairs that are not links"},
		{"label_matrix", "(l", "label_matrix is a list of 0: expected an array with a row for each of 4 vertices"},
	} {
		path := write(c.change, c.to)
		_, err := ReadPickled(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "network: "+path+": ") {
			t.Errorf("%s = %q: error %v: expected one with %q", c.change, c.to, err, c.want)
		}
	}
	for _, file := range []string{"pickled.go", "nothing.pkl"} {
		call.Refused(t, file)(ReadPickled(file))
	}
	list := filepath.Join(t.TempDir(), "list.pkl")
	call.OK(t, os.WriteFile(list, []byte("(lI1\na."), 0o666))
	call.Refused(t, "contains a list of 1: expected a split")(ReadPickled(list))
}

// FuzzReadPickled looks for panics, and for a split that is let through and is not sound.
func FuzzReadPickled(f *testing.F) {
	for _, path := range []string{"../internal/pickle/testdata/protocol2.pkl", "../internal/pickle/testdata/protocol5.pkl",
		"../../shared/data/published/pcy1302-asp2vec/data/filmtrust/data_remove_percent_0.5.pkl"} {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(bytes.Replace(data, []byte("ü\\\n€"), []byte("ü\\ €"), 1))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readPickled(bytes.NewReader(data), "a.pkl")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "network: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q: expected one line", err)
			}
			return
		}
		call.OK(t, p.Split.Check())
		call.OK(t, checkNames(p.Split.Names))
		p.Split.Checksum()
		call.OK(t, p.writeLabels(io.Discard))
	})
}
