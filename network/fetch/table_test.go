package fetch

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// The table is sound, and every data set of the paper is in it, with links and a split but for Flickr, which has none.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, f := range published() {
		if !filepath.IsLocal(f.Local()) || strings.Count(f.Repository, "/") != 1 || len(f.Commit) != 40 || (len(f.SHA256) == 64) == (len(f.Git) == 40) {
			t.Errorf("%+v: expected a path inside of a repository, a commit and one hash", f)
		}
		for _, name := range f.Sets {
			if d, err := network.Lookup(name); err != nil || d.Name != name {
				t.Errorf("%s: %s, error %v", f.Path, name, err)
			}
			names[name] = true
		}
	}
	for _, d := range network.Datasets() {
		files := Files(d)
		if d.InPaper && !names[d.Name] {
			t.Errorf("%s has no files", d.Name)
		}
		if !names[d.Name] || d.Typed {
			continue
		}
		if !slices.ContainsFunc(files, File.isLinks) || HasSplit(files) != (d.Name != "Flickr") || len(files) > 2 {
			t.Errorf("%s has %+v", d.Name, files)
		}
	}
}

// From a server that has the published files, the data sets come as another program made them of the same files.
func TestPublished(t *testing.T) {
	data := ""
	for _, dir := range []string{os.Getenv("ASP2VEC_DATA"), "../../../shared/data"} {
		if fi, err := os.Stat(filepath.Join(dir, Folder)); data == "" && dir != "" && err == nil && fi.IsDir() {
			data = dir
		}
	}
	if data == "" {
		t.Skip("no folder of published files: ASP2VEC_DATA is not set, or has none")
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 4)
		http.ServeFile(w, r, filepath.Join(data, Folder, parts[0]+"-"+parts[1], filepath.FromSlash(parts[3])))
	}))
	t.Cleanup(s.Close)
	for _, name := range []string{"Filmtrust", "PPI"} {
		d := call.Of(network.Lookup(name))(t)
		f := Fetcher{Dir: t.TempDir(), Mirror: s.URL}
		r := call.Of(f.Fetch(context.Background(), d))(t)
		if !r.Split {
			t.Errorf("%+v", r)
		}
		got := call.Of(network.ReadSplit(filepath.Join(f.Dir, d.Folder, network.SplitFolder), d.Directed))(t)
		want := call.Of(network.ReadSplit(filepath.Join(data, d.Folder, network.SplitFolder), d.Directed))(t)
		if got.Checksum() != want.Checksum() {
			t.Errorf("%s: another split", name)
		}
		if _, err := os.Stat(filepath.Join(f.Dir, d.Folder, network.LabelsFile)); (err == nil) != (name == "PPI") {
			t.Errorf("%s: labels: %v", name, err)
		}
	}
}
