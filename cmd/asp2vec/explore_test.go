package main

import (
	"strings"
	"testing"
)

// The page holds the run's vertices and all that colours can say, whatever the number of threads.
func TestExplore(t *testing.T) {
	karate(t)
	train(t, "--network", "karate.tsv", "--out", "run")
	must(t, "train", "--network", "karate.tsv", "--method", "splitter", "--dim", "4", "--epochs", "2", "--out", "personas")
	d := answer[struct {
		Vertices, Bytes int
		Colors          []string
	}](t, "explore", "run", "--labels", "karate.memberships.tsv", "--out", "a.html", "--threads", "1")
	must(t, "explore", "--model", "run", "--labels", "karate.memberships.tsv", "--out", "b.html", "--threads", "2")
	if page := read(t, "a.html"); page != read(t, "b.html") || len(page) != d.Bytes {
		t.Error("another number of threads gives another page")
	}
	if d.Vertices != 34 || strings.Join(d.Colors, ", ") != "label, community, group of aspects" {
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
