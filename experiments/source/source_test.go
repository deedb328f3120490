package source

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// folder writes the karate club as a data set folder: edges.tsv and, if wanted, a split.
func folder(t *testing.T, path string, split bool) {
	t.Helper()
	call.OK(t, os.MkdirAll(path, 0o777))
	n, _ := network.Karate()
	call.OK(t, n.WriteFile(filepath.Join(path, "edges.tsv")))
	if !split {
		return
	}
	s := call.Of(network.MakeSplit(context.Background(), n, network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: 1}))(t)
	call.OK(t, s.Write(filepath.Join(path, "split"), false))
}

func TestSourceLoad(t *testing.T) {
	data := t.TempDir()
	folder(t, filepath.Join(data, "cora"), false)
	folder(t, filepath.Join(data, "ppi"), true)
	edges := filepath.Join(data, "cora", "edges.tsv")
	for _, c := range []struct {
		name         string
		source       Source
		wantName     string
		network      bool // and else a split
		wantErr      string
		wantTraining int
	}{
		{"network", Source{Network: edges}, "edges", true, "", 78},
		{"standard input", Source{Network: "-", Input: strings.NewReader("a b\nb c\n")}, "stdin", true, "", 2},
		{"data set without split", Source{Dataset: "CORA", DataDir: data}, "Cora", true, "", 78},
		{"data set with split", Source{Dataset: "PPI", DataDir: data}, "PPI", false, "", 55}, // 78 less three tenths
		// The folder has the name of a registered one, but not its size.
		{"split", Source{Split: filepath.Join(data, "ppi", "split")}, "ppi (another split)", false, "", 55},
		{"none", Source{}, "", false, "0 sources", 0},
		{"two", Source{Network: "a", Split: "b"}, "", false, "2 sources", 0},
		{"unknown", Source{Dataset: "x"}, "", false, "expected one of", 0},
		{"not here", Source{Dataset: "4area", DataDir: data}, "", false, "not here", 0},
		{"typed", Source{Dataset: "DBLP", DataDir: data}, "", false, "papers.tsv", 0},
		{"directed", Source{Dataset: "PPI", DataDir: data, Directed: true}, "", false, "undirected", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := c.source.Load(t.Context())
			if c.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), c.wantErr) {
					t.Errorf("error %v, expected %q in it", err, c.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if l.Name != c.wantName || (l.Network != nil) != c.network || (l.Split == nil) != c.network {
				t.Errorf("%+v: expected %q, a network: %v", l, c.wantName, c.network)
			}
			n, err := l.Training()
			if err != nil || n.Links() != c.wantTraining {
				t.Errorf("walks go over %d links, %v: expected %d", n.Links(), err, c.wantTraining)
			}
		})
	}
}

// A user's own data never have the name of a data set.
func TestOwnName(t *testing.T) {
	for name, want := range map[string]string{"DBLP": "DBLP (another one)", "cora": "cora (another one)", "mine": "mine"} {
		if got := ownName(name); got != want {
			t.Errorf("%s: %q, expected %q", name, got, want)
		}
	}
	if got := bibliographyName("TapEM/data"); got != "TapEM" {
		t.Errorf("TaPEm's folder is called %q", got)
	}
}
