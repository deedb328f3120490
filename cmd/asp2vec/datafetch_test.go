package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network/fetch"
)

// publishedServer serves the published files that are here for tests, or skips; data is the folder that they lie in.
func publishedServer(t *testing.T) (mirror, data string) {
	t.Helper()
	mirror, data = publishedFiles(t)
	if mirror == "" {
		t.Skip("no folder of published files: ASP2VEC_DATA is not set, or has none")
	}
	return mirror, data
}

// publishedFiles is publishedServer, whose address is "" where there are no published files.
func publishedFiles(t *testing.T) (mirror, data string) {
	t.Helper()
	for _, dir := range []string{os.Getenv("ASP2VEC_DATA"), "../../../shared/data"} {
		if fi, err := os.Stat(filepath.Join(dir, fetch.Folder)); data == "" && dir != "" && err == nil && fi.IsDir() {
			data = dir
		}
	}
	if data == "" {
		return "", ""
	}
	data = call.Of(filepath.Abs(data))(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 4)
		http.ServeFile(w, r, filepath.Join(data, fetch.Folder, parts[0]+"-"+parts[1], filepath.FromSlash(parts[3])))
	}))
	t.Cleanup(s.Close)
	return s.URL, data
}

// From an empty folder to a trained network and a table: nothing is needed but the name of a data set.
func TestFetchAndUse(t *testing.T) {
	mirror, _ := publishedServer(t)
	enter(t)
	t.Setenv("XDG_DATA_HOME", filepath.Join(t.TempDir(), "data"))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	r := invoke("train", "--dataset", "filmtrust")
	r.exits(t, 2, "Filmtrust is not here", "asp2vec data fetch filmtrust gets it")
	r = invoke("reproduce", "table3", "--datasets", "filmtrust")
	r.exits(t, 2, "or asp2vec data fetch filmtrust")
	r = must(t, "reproduce", "table3", "--datasets", "filmtrust", "--dry-run")
	says(t, r.out, "asp2vec data fetch filmtrust")
	got := answer[struct {
		Datasets []struct {
			Name, Folder string
			Here         bool `json:"here_already"`
			Split        bool
			Bytes        int64
		}
	}](t, "data", "fetch", "filmtrust", "dblp", "--mirror", mirror).Datasets
	if len(got) != 2 || got[0].Name != "Filmtrust" || got[0].Here || !got[0].Split || got[0].Bytes != 38894+15905 {
		t.Errorf("fetched %+v", got)
	}
	if runtime.GOOS == "linux" && got[0].Folder != filepath.Join(os.Getenv("XDG_DATA_HOME"), "asp2vec", "filmtrust") {
		t.Errorf("in %s: expected the user's data folder", got[0].Folder)
	}
	says(t, must(t, "data", "fetch", "filmtrust").out, "here already")
	says(t, must(t, "data", "list").out, "data fetch")
	says(t, must(t, "reproduce", "table3", "--datasets", "filmtrust", "--seeds", "1", "--dry-run").out, "Filmtrust")
	says(t, train(t, "--dataset", "filmtrust").out, "test AUC")
	r = invoke("data", "fetch", "filmtrust", "cora", "--mirror", mirror)
	if r.code != 1 || !strings.Contains(r.err, "404 Not Found") || !strings.Contains(r.err, "1 of 2 data sets could not be fetched: Cora") || !strings.Contains(r.out, "FAILED") {
		t.Errorf("one of two: %+v", r)
	}
	if r = invoke("data", "fetch", "cora", "--mirror", mirror); r.code != 1 || strings.Count(r.err, "\n") != 1 || r.out != "" {
		t.Errorf("one: %+v", r)
	}
}

// What the authors published is a data set after import.
func TestImport(t *testing.T) {
	_, data := publishedServer(t)
	enter(t)
	published := filepath.Join(data, fetch.Folder)
	r := must(t, "data", "import", filepath.Join(published, "pcy1302-asp2vec/data/ppi"), "--out", "own")
	if !strings.Contains(r.out, "19,349") || !exists("own/labels.tsv.gz") || !exists("own/edges.tsv.gz") {
		t.Errorf("%+v", r)
	}
	if r := must(t, "data", "import", filepath.Join(published, "pcy1302-asp2vec/data/filmtrust/data_remove_percent_0.5.pkl"), "--out", "trust"); exists("trust/labels.tsv.gz") {
		t.Errorf("%+v", r)
	}
	train(t, "--split", "trust/split")
	must(t, "data", "import", filepath.Join(published, "pcy1302-TapEM/data"), "--out", "papers")
	if b, notes, err := papers.Read("papers"); err != nil || b.Vertices(papers.Trained) != 19048 || len(b.Words) != 9555 {
		t.Errorf("%+v, error %v", notes, err)
	}
}
