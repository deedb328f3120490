package main

import (
	"os"
	"strings"
	"testing"
)

// The page holds the run's vertices and all that colours can say, whatever the number of threads.
func TestExplore(t *testing.T) {
	karate(t)
	train(t, "--network", "karate.tsv", "--out", "run")
	must(t, "train", "--network", "karate.tsv", "--method", "splitter", "--dim", "4", "--epochs", "2", "--out", "personas")
	d := decode[exploreDoc](t, must(t, "explore", "run", "--labels", "karate.memberships.tsv", "--out", "a.html", "--threads", "1", "--json").out)
	must(t, "explore", "--model", "run", "--labels", "karate.memberships.tsv", "--out", "b.html", "--threads", "2")
	if page := read(t, "a.html"); page != read(t, "b.html") || len(page) != d.Bytes {
		t.Error("another number of threads gives another page")
	}
	if d.Vertices != 34 || strings.Join(d.Colors, ", ") != "label, community, most used aspect" {
		t.Errorf("%+v", d)
	}
	for _, model := range []string{"personas", "run/embedding.vec"} { // several vectors each, and one without a record
		must(t, "explore", model, "--map", "pca", "--out", "c.html", "--force")
	}
	hostileVectors(t)
	must(t, "explore", "hostile.vec", "--out", "h.html")
	if page := read(t, "h.html"); strings.Contains(page, "<b>") || strings.Contains(page, "\x1b") {
		t.Error("a name stands in the page as it is")
	}
}

func TestExploreBadInput(t *testing.T) {
	enter(t)
	write(t, "v.vec", "3 2\na 1 0\nb 3 4\nc 2 0\n")
	write(t, "mine.html", "mine")
	for args, want := range map[string]string{
		"v.vec":                            "nowhere to write the page",
		"v.vec --out mine.html":            "--force",
		"v.vec --out x.html --top 0":       "--top 0",
		"--out x.html":                     "no embedding given",
		"none.vec --out x.html":            "none.vec",
		"v.vec --out x.html --labels none": "none",
		"v.vec --out x.html --map no":      "want one of tsne, pca",
	} {
		if r := invoke(append([]string{"explore"}, strings.Fields(args)...)...); r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("explore %s: exit code %d, %q: want 2 and %q", args, r.code, r.err, want)
		}
	}
	if _, err := os.Stat("x.html"); err == nil || read(t, "mine.html") != "mine" {
		t.Error("a command that was refused has written")
	}
}
