package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Whatever a table's file holds, it is a table with jobs that can be told, or an error.
func FuzzReadTable(f *testing.F) {
	files, err := filepath.Glob("../specs/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("title: a\nmethod: deepwalk\nsettings: [{name: b, best: [c], over: d}]\n")
	path := filepath.Join(f.TempDir(), "table.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		call.File(t, path, text)
		if s, err := ReadTable(path, ToRun); err == nil && s.TableName() == "" {
			t.Fatalf("%q: a table without a name", text)
		}
	})
}
