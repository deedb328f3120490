package main

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// roles are labels of the karate club: two of vertex 1, and one of each of its neighbours.
const roles = "1\ta\tb\n2\ta\n3\ta\n4\ta\n8\ta\n14\ta\n5\tb\n6\tb\n7\tb\n11\tb\n"

// agreements are what evaluate aspects prints with --json.
type agreements struct {
	Count    int `json:"labels_count"`
	Vertices int
	Links    int         `json:"labelled_links"`
	Each     []agreesRow `json:"links_of_a_vertex"`
	All      []agreesRow `json:"all_links"`
}

type agreesRow struct {
	By     string `json:"grouped_by"`
	NMI    float64
	Beyond float64 `json:"beyond_chance"`
	Count  int
}

func TestEvaluateAspects(t *testing.T) {
	karate(t)
	write(t, "roles.tsv", roles)
	network := []string{"train", "--network", "karate.tsv", "--dim", "4", "--pairs-per-vertex", "500", "--results", "none", "--out"}
	must(t, append(network, "several", "--aspects", "2")...)
	must(t, append(network, "flat", "--method", "deepwalk")...)
	doc := answer[agreements](t, "evaluate", "aspects", "several", "--labels", "roles.tsv")
	if doc.Count != 2 || doc.Vertices != 10 || doc.Links < 18 || len(doc.Each) != 4 || doc.Each[0].Count != 1 || doc.Each[0].NMI < 0.5 || doc.Each[1].By != "learned aspects" || doc.Each[2].NMI < 0.5 {
		t.Errorf("%+v: expected one vertex with links of two labels, which its aspects and groups of its neighbours tell apart", doc)
	}
	for _, row := range []string{" aspects ", "learned aspects", "k-means of final", "ego-splitting", "groups of aspects"} {
		says(t, must(t, "evaluate", "aspects", "several", "--labels", "roles.tsv").out, row, "of 1 vertices with")
	}
	if out := must(t, "evaluate", "aspects", "flat", "--labels", "roles.tsv").out; strings.Contains(out, "learned") || !strings.Contains(out, " aspects ") {
		t.Errorf("expected aspects by deepwalk's vectors, and none that it has learned:\n%s", out)
	}
	for want, args := range map[string][]string{
		"no vertex has links of several labels": {"several", "--labels", "karate.memberships.tsv"}, // factions
		"expected --network or --split":         {"several/embedding.vec", "--labels", "roles.tsv"},
	} {
		invoke(append([]string{"evaluate", "aspects"}, args...)...).exits(t, 2, want)
	}
}

// What the README shows of vertex 42 is what its commands give: the links of each aspect, and the label that most vertices near it have.
func TestAspectsOfTheReadme(t *testing.T) {
	golden.StillPaper(t)
	readme := read(t, "../../README.md")
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "500", "--communities", "25", "--memberships", "2", "--mean-degree", "16", "--out", "links.tsv")
	must(t, "train", "links.tsv", "--results", "none", "--out", "embedding")
	args := []string{"42", "--model", "embedding", "--labels", "links.memberships.tsv", "--top", "5", "--json"}
	doc := answer[struct {
		Aspects []struct {
			Aspect, Links int
			Labels        []struct{ Label string }
		}
	}](t, append([]string{"aspects"}, args...)...)
	if len(doc.Aspects) != 3 {
		t.Fatalf("%d aspects: expected the README's three", len(doc.Aspects))
	}
	for _, a := range doc.Aspects {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^ +%d +%d +\d+ .*\)  +%s ×`, a.Aspect, a.Links, a.Labels[0].Label))
		if !row.MatchString(readme) {
			t.Errorf("no row of %+v in the README", a)
		}
	}
	found := answer[agreements](t, "evaluate", "aspects", "embedding", "--labels", "links.memberships.tsv")
	if math.Abs(found.All[0].Beyond-.98) > .01 || !strings.Contains(readme, "groups have .98 of normalised mutual information") {
		t.Errorf("groups %+v: expected the README's .98", found.All)
	}
}
