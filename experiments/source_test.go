package experiments

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/network"
)

// folder writes the karate club as a data set folder: edges.tsv and, if wanted, a split.
func folder(t *testing.T, path string, split bool) {
	t.Helper()
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
	n, _ := network.Karate()
	if err := n.WriteFile(filepath.Join(path, "edges.tsv")); err != nil {
		t.Fatal(err)
	}
	if !split {
		return
	}
	s, err := network.MakeSplit(context.Background(), n, network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(filepath.Join(path, "split"), false); err != nil {
		t.Fatal(err)
	}
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
		{"unknown", Source{Dataset: "x"}, "", false, "want one of", 0},
		{"not here", Source{Dataset: "4area", DataDir: data}, "", false, "not here", 0},
		{"typed", Source{Dataset: "DBLP", DataDir: data}, "", false, "papers.tsv", 0},
		{"directed", Source{Dataset: "PPI", DataDir: data, Directed: true}, "", false, "undirected", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := c.source.Load(t.Context())
			if c.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), c.wantErr) {
					t.Errorf("error %v, want %q in it", err, c.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if l.Name != c.wantName || (l.Network != nil) != c.network || (l.Split == nil) != c.network {
				t.Errorf("%+v: want %q, a network: %v", l, c.wantName, c.network)
			}
			n, err := l.Training()
			if err != nil || n.Links() != c.wantTraining {
				t.Errorf("walks go over %d links, %v: want %d", n.Links(), err, c.wantTraining)
			}
		})
	}
}

func TestLoadedData(t *testing.T) {
	n, _ := network.Karate()
	l := Loaded{Name: "karate", Network: n}
	o := graphs.Default()
	ctx := context.Background()
	whole, err := l.Data(ctx, true, o)
	if err != nil || len(whole.Split.Train) != 78 || len(whole.Split.Test) != 0 || len(whole.Split.TrainNeg) != 78 {
		t.Errorf("own network: %+v, %v", whole.Split, err)
	}
	o.Select = graphs.SelectLast
	if last, err := l.Data(ctx, true, o); err != nil || len(last.Split.Train) != 78 || last.Split.TrainNeg != nil {
		t.Errorf("own network, last epoch: want no negatives, %v", err)
	}
	parted, err := l.Data(ctx, false, o)
	if err != nil || parted.Split.Options != (network.SplitOptions{Remove: 0.5, Rule: "ce5", Seed: o.Seed}) || len(parted.Split.Test) == 0 {
		t.Errorf("data set: %+v, %v", parted.Split, err)
	}
}

func TestPublished(t *testing.T) {
	o := graphs.Default()
	for _, c := range []struct {
		name         string
		method       string
		dim, aspects int
		want         string // as printed in Table 1
	}{
		{"Filmtrust", graphs.MethodAsp2vec, 20, 5, "0.7426"}, {"Filmtrust", graphs.MethodDeepWalk, 100, 1, "0.6850"},
		{"Filmtrust", graphs.MethodAsp2vec, 25, 4, ""}, {"Filmtrust", graphs.MethodAsp2vec, 21, 5, ""}, {"karate", graphs.MethodAsp2vec, 20, 5, ""},
	} {
		o.SetMethod(methodOf(c.method))
		o.Dim, o.Aspects = c.dim, c.aspects
		cell, ok := Published(c.name, o)
		if ok != (c.want != "") || cell.Printed != c.want {
			t.Errorf("%s, %s %dx%d: %q, want %q", c.name, c.method, c.aspects, c.dim, cell.Printed, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	o := graphs.Default()
	o.Dim, o.Aspects = 3, 2
	status := func(o graphs.Options) guard.Status {
		t.Helper()
		reports, err := Check(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			if err := r.Err(); err != nil && r.Findings[0].Check != "engines" {
				t.Error(err)
			}
		}
		return reports[len(reports)-1].Findings[0].Status
	}
	if s := status(o); s != guard.OK {
		t.Errorf("engines of the standard model: %s", s)
	}
	o.Tau = 0
	if _, err := Check(o); err == nil {
		t.Error("tau = 0 passes")
	}
}
