package experiments

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
)

// Whatever a table's file holds, it is a table with jobs that can be told, or an error.
func FuzzReadTable(f *testing.F) {
	files, err := filepath.Glob("specs/*.yaml")
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
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := ReadTable(path); err == nil && s.Name == "" {
			t.Fatalf("%q: a table without a name", text)
		}
	})
}

// Whatever an option says that is given as a text, it is taken or an error.
func FuzzOptionTexts(f *testing.F) {
	for _, text := range []string{"p=0.25,1", "tau=.1,.5", "selection=gumbel,softmax", "epsilon=nan", "dim=1e9", "method=x", "5m", "1epoch", "10epochs", "off", "1/8", "8/1", "commit=a,seed=1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if grid, err := grid.Try(graphs.Default(), []string{text}); err == nil && len(grid) == 0 {
			t.Fatalf("%q: no candidate and no error", text)
		}
		if e, err := run.ParseEvery(text); err == nil && !e.Off && e.Time <= 0 && e.Epochs <= 0 {
			t.Fatalf("%q: never, and no error", text)
		}
		_, _ = store.ParseFilter(text)
	})
}
