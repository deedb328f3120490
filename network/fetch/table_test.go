package fetch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
