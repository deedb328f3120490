package network

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestLookup(t *testing.T) {
	if d, err := Lookup("CA-hepth"); err != nil || d.Name != "ca-HepTh" {
		t.Errorf("got %s, %v", d.Name, err)
	}
	call.Refused(t, `data set "cora2": expected one of Filmtrust, Wiki-vote, CiaoDVD`)(Lookup("cora2"))
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	d := Dataset{Name: "Toy", Folder: "toy", URL: "https://example.org"}
	for _, data := range []string{dir, ""} {
		call.Refused(t, filepath.Join("toy", "edges.tsv.gz"))(d.Find(data))
	}
	n := randomConnected(t, 20, 40, false, rng.New(1, "test-datasets"))
	call.OK(t, os.Mkdir(filepath.Join(dir, "toy"), 0o777))
	call.OK(t, n.WriteFile(filepath.Join(dir, "toy", "edges.tsv")))
	edges, split, err := d.Find(dir)
	if err != nil || filepath.Base(edges) != "edges.tsv" || split != "" {
		t.Errorf("found %q and %q, %v", edges, split, err)
	}
}
