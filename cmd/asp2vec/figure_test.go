package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/results/render"
)

// asCora puts the karate club where the data set Cora is looked for.
func asCora(t *testing.T) {
	t.Helper()
	enter(t)
	must(t, "data", "generate", "karate", "--out", "karate.tsv")
	must(t, "split", "--network", "karate.tsv", "--remove", "0.3", "--rule", "ce1", "--out", "data/cora/split")
}

// A figure runs what is missing, keeps it, and draws it; the second time it only draws, with the same result.
func TestFigure(t *testing.T) {
	for name, want := range map[string]string{"4": "Cora, asp2vec", "5": "Cora, ε = .9"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "4" {
				t.Skip("PolyDW takes a second")
			}
			asCora(t)
			args := []string{"figure", name, "--datasets", "cora", "--epochs", "1", "--data", "data", "--out", "pictures/here"}
			first := must(t, args...)
			says(t, first.out, "pictures/here/figure-"+name+".svg")
			says(t, first.err, "run 1 of")
			svg := read(t, "pictures/here/figure-"+name+".svg")
			if !strings.Contains(svg, want) || strings.Contains(svg, "not run") {
				t.Errorf("no %q in the picture, or something is missing", want)
			}
			for d := xml.NewDecoder(strings.NewReader(svg)); ; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if _, err := png.Decode(bytes.NewReader([]byte(read(t, "pictures/here/figure-"+name+".png")))); err != nil {
				t.Error(err)
			}
			again := must(t, append(args, "--threads", "1", "--format", "svg")...)
			if strings.Contains(again.err, "run 1 of") || read(t, "pictures/here/figure-"+name+".svg") != svg {
				t.Errorf("the second time something ran, or another picture was drawn: %s", again.err)
			}
		})
	}
}

// figured is what figure prints with --json.
type figured struct {
	Figure        string
	Files         []string
	Runs, Missing int
	Models        []struct {
		Dataset string
		Cosine  *float64 `json:"mean_cosine"`
	}
	Table *render.Table
}

func TestFigureJSON(t *testing.T) {
	asCora(t)
	doc := answer[figured](t, "figure", "5", "--datasets", "cora", "--epochs", "1", "--data", "data", "--out", "p", "--format", "svg")
	if doc.Figure != "5" || doc.Runs != 3 || doc.Missing != 0 || len(doc.Models) != 3 || len(doc.Files) != 1 {
		t.Fatalf("%+v", doc)
	}
	for _, m := range doc.Models {
		if m.Dataset != "Cora" || m.Cosine == nil || math.Abs(*m.Cosine) > 1 {
			t.Errorf("%+v", m)
		}
	}
	doc = answer[figured](t, "figure", "epsilon", "--datasets", "cora", "--no-run", "--out", "p", "--format", "svg")
	if doc.Missing != 6 || doc.Table == nil || doc.Table.Rows[0].Values[0].Printed == "" {
		t.Errorf("%+v", doc)
	}
	says(t, must(t, "figure", "epsilon", "--datasets", "cora", "--no-run", "--out", "p").out, "6 of 6 runs are missing")
}

// A figure that is stopped goes on with what it has.
func TestFigureInterrupted(t *testing.T) {
	asCora(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	args := []string{"figure", "5", "--datasets", "cora", "--epochs", "1", "--data", "data", "--out", "p"}
	if r := invokeWith(ctx, shell.Program{}, args...); r.code != 1 || !strings.Contains(r.err, "interrupted: 3 of 3 runs are left") || exists("p") {
		t.Errorf("%+v", r)
	}
}

// A figure of a sweep that scores held-out links shows these scores, and the sweep's table does not call them those of test links.
func TestFigureOfHeldOut(t *testing.T) {
	karate(t)
	write(t, "s.yaml", "datasets: karate.tsv\noptions: {hold-out: 0.1, aspects: [2, 3], dim: 2, pairs-per-vertex: 20, steps: 5}\n")
	says(t, must(t, "sweep", "s.yaml").out, " validation ", "the test links were not used")
	d := answer[figured](t, "figure", "s.yaml", "--out", "f")
	if d.Table == nil || d.Missing != 0 || d.Table.Rows[0].Values[1].N != 1 {
		t.Errorf("%+v", d)
	}
	says(t, invoke("results", "compare", "--a", "aspects=2", "--b", "aspects=3").err, "only validation_auc, ")
}
