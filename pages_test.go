package asp2vec

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var pageLink = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)

// The files that pages link to are there.
func TestLinksOfPages(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, link := range pageLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(link[1], ":") {
				continue // of the web
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", path, link[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
