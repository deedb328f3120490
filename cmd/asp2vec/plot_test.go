package main

import (
	"slices"
	"strings"
	"testing"
)

// Pictures of an embedding are the same bytes for any number of threads, and say what their colours are.
func TestPlot(t *testing.T) {
	karate(t)
	train(t, "--network", "karate.tsv", "--out", "run")
	must(t, "train", "--network", "karate.tsv", "--method", "splitter", "--dim", "4", "--epochs", "2", "--out", "personas")
	pictures := map[string][]string{
		"labels":    {"run", "--labels", "karate.memberships.tsv"},
		"community": {"--model", "run", "--map", "pca"},
		"aspect":    {"run", "--color", "aspect", "--vectors", "aspects"},
		"vertex":    {"run", "--vertex", "1", "--top", "3"},
		"persona":   {"personas", "--vertex", "1"},
	}
	for name, args := range pictures {
		for _, threads := range []string{"1", "2"} {
			must(t, slices.Concat([]string{"plot"}, args, []string{"--out", name + threads + ".svg", "--threads", threads})...)
		}
		svg := read(t, name+"1.svg")
		if svg != read(t, name+"2.svg") {
			t.Errorf("%s: another number of threads gives another picture", name)
		}
		for key, want := range map[string]string{"labels": ">label:<", "community": "community 1", "aspect": "group of aspects", "vertex": "aspect 2, ", "persona": "near in"} {
			if key == name && !strings.Contains(svg, want) {
				t.Errorf("%s: no %q in the picture", name, want)
			}
		}
	}
	d := answer[struct {
		Files  []string
		Color  string
		Groups []struct{ Vertices int }
	}](t, "plot", "run", "--map", "pca", "--labels", "karate.memberships.tsv", "--out", "pictures")
	if len(d.Files) != 2 || d.Color != "label" || len(d.Groups) != 2 || d.Groups[0].Vertices != 17 || !exists("pictures/embedding.png") {
		t.Errorf("%+v", d)
	}
}

// A map of few vertices has their names, and says which a PNG cannot show.
func TestPlotNames(t *testing.T) {
	enter(t)
	write(t, "few.vec", "4 2\nZoë\\sMüller 1 0\n李明 1 1\nb 0 1\nc -1 0\n")
	r := must(t, "plot", "few.vec", "--out", "few.svg")
	if svg := read(t, "few.svg"); !strings.Contains(svg, ">Zoë Müller<") || !strings.Contains(svg, ">李明<") || strings.Contains(r.err, "warn") {
		t.Errorf("names are missing, or a warning is too much: %s", r.err)
	}
	r = must(t, "plot", "few.vec", "--out", "few.png")
	says(t, r.err, "lacks letters of some names; svg shows them names=1 such_as=李明")
}
