package fetch

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/network"
)

// Of two fetches at once one does the work.
func TestTwoAtOnce(t *testing.T) {
	mirror, requests := serve(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(100 * time.Millisecond)
		whole(w, r)
	})
	f, told := fetcher(t, mirror, true)
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			if _, err := f.Fetch(context.Background(), toy); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	checkToy(t, f)
	if requests.Load() != 1 || !strings.Contains(told.String(), "waiting for another fetch into") {
		t.Errorf("%d requests, told %q", requests.Load(), told)
	}
}

// What is in the folder of a data set is not replaced unasked, and what is no part of one never.
func TestFolders(t *testing.T) {
	mirror, requests := serve(t, whole)
	f, _ := fetcher(t, mirror, true)
	dir := filepath.Join(f.Dir, "toy")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	put := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("labels.tsv")
	if _, err := f.Fetch(context.Background(), toy); !errors.Is(err, ErrPart) || !strings.Contains(err.Error(), "contains labels.tsv") {
		t.Errorf("error %v", err)
	}
	f.Force = true
	put("thesis.doc")
	if _, err := f.Fetch(context.Background(), toy); err == nil || !strings.Contains(err.Error(), "thesis.doc, which is not part of a data set") {
		t.Errorf("error %v", err)
	}
	if requests.Load() != 0 {
		t.Errorf("%d requests: want none", requests.Load())
	}
	if err := os.Remove(filepath.Join(dir, "thesis.doc")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fetch(context.Background(), toy); err != nil {
		t.Error(err)
	}
	checkToy(t, f)

	g, _ := fetcher(t, mirror, true)
	g.Offline = true
	if _, err := g.Fetch(context.Background(), toy); !errors.Is(err, ErrOffline) {
		t.Errorf("error %v", err)
	}
	if entries, err := os.ReadDir(g.Dir); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, error %v", entries, err)
	}
	if _, err := f.Fetch(context.Background(), network.Dataset{Name: "Other", URL: "https://example.org"}); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v", err)
	}
	for _, mirror := range []string{"file:///etc", "example.org", "http://", ":"} {
		g.Mirror = mirror
		if _, err := g.Fetch(context.Background(), toy); err == nil || !strings.Contains(err.Error(), "want an address such as https://") {
			t.Errorf("mirror %q: error %v", mirror, err)
		}
	}
}

// A link in the folder of published files that leads out of it is not followed.
func TestNothingOutside(t *testing.T) {
	mirror, _ := serve(t, whole)
	f, _ := fetcher(t, mirror, true)
	outside := t.TempDir()
	if err := os.MkdirAll(filepath.Join(f.Dir, Folder), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(f.Dir, Folder, "owner-name")); err != nil {
		t.Skip(err)
	}
	if _, err := f.Fetch(context.Background(), toy); err == nil {
		t.Error("no error")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("%v was written outside", entries)
	}
}

// What a file with the right hash holds may still be no data set: then there is none.
func TestNotADataset(t *testing.T) {
	text := []byte("a b c d e\n")
	mirror, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(text) })
	f, _ := fetcher(t, mirror, true)
	f.Table = []File{entry("data/toy/edges.txt", text, true)}
	if _, err := f.Fetch(context.Background(), toy); err == nil || !strings.Contains(err.Error(), "edges.txt:1") {
		t.Errorf("error %v: want file and line", err)
	}
	f.Table = append(f.Table, entry("data/toy/data_remove_percent_0.5.pkl", text, true))
	if _, err := f.Fetch(context.Background(), toy); err == nil || !strings.Contains(err.Error(), "data_remove_percent_0.5.pkl: ") {
		t.Errorf("error %v: want the file", err)
	}
	if _, err := os.Stat(filepath.Join(f.Dir, "toy")); err == nil {
		t.Error("half a data set is left")
	}
}
