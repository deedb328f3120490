package main

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
)

// roles are labels of the karate club: two of vertex 1, and one of each of its neighbours.
const roles = "1\ta\tb\n2\ta\n3\ta\n4\ta\n8\ta\n14\ta\n5\tb\n6\tb\n7\tb\n11\tb\n"

func TestEvaluateAspects(t *testing.T) {
	karate(t)
	write(t, "roles.tsv", roles)
	network := []string{"train", "--network", "karate.tsv", "--dim", "4", "--pairs-per-vertex", "500", "--results", "none", "--out"}
	must(t, append(network, "several", "--aspects", "2")...)
	must(t, append(network, "flat", "--method", "deepwalk")...)
	doc := decode[aspectsEvaluation](t, must(t, "evaluate", "aspects", "several", "--labels", "roles.tsv", "--json").out)
	if doc.Aspects.Count != 1 || doc.Count != 2 || doc.Vertices != 10 || doc.Links < 18 || doc.Aspects.NMI < 0.5 || doc.KMeans.NMI < 0.5 || doc.Learned == nil {
		t.Errorf("%+v: expected one vertex with links of two labels, which its aspects and groups of its neighbours tell apart", doc)
	}
	for _, row := range []string{" aspects ", "learned aspects", "k-means of final", "ego-splitting", "groups of aspects"} {
		if out := must(t, "evaluate", "aspects", "several", "--labels", "roles.tsv").out; !strings.Contains(out, row) || !strings.Contains(out, "over 1 vertices with") {
			t.Errorf("no row of %s in\n%s", row, out)
		}
	}
	if out := must(t, "evaluate", "aspects", "flat", "--labels", "roles.tsv").out; strings.Contains(out, "learned") || !strings.Contains(out, " aspects ") {
		t.Errorf("expected aspects by deepwalk's vectors, and none that it has learned:\n%s", out)
	}
	for want, args := range map[string][]string{
		"no vertex has links of several labels": {"several", "--labels", "karate.memberships.tsv"}, // factions
		"expected --network or --split":         {"several/embedding.vec", "--labels", "roles.tsv"},
		"--hidden without --origins":            {"several", "--labels", "roles.tsv", "--hidden"},
		"line 1: \"1\\ta\\tb\": expected":       {"several", "--origins", "wrong.tsv"},
		"no such file":                          {"several", "--origins", "nowhere.tsv"},
		"expected vertices of the network":      {"several", "--origins", "others.tsv"},
	} {
		write(t, "wrong.tsv", "1\ta\tb\tc\n")
		write(t, "others.tsv", "1\tnobody\tx\n")
		if r := invoke(append([]string{"evaluate", "aspects"}, args...)...); r.code != 2 || !strings.Contains(r.err, want) && !strings.Contains(want, "line 1") {
			t.Errorf("%v: %+v, expected an error that says %q", args, r, want)
		}
	}
}

// Origins of generated networks are read back: links of communities, and of merged vertices, among the training links and among hidden ones.
func TestEvaluateOrigins(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "200", "--communities", "10", "--memberships", "2", "--mean-degree", "14", "--out", "links.tsv")
	must(t, "data", "generate", "merged", "--network", "links.tsv", "--share", "0.5", "--out", "merged.tsv")
	must(t, "split", "--network", "links.tsv", "--remove", "0.2", "--rule", "ce1", "--out", "parted")
	for data, origins := range map[string]string{"--network links.tsv": "links", "--network merged.tsv": "merged", "--split parted": "links"} {
		args := append([]string{"train", "--pairs-per-vertex", "2000", "--results", "none", "--force", "--out", "model"}, strings.Fields(data)...)
		must(t, args...)
		evaluate := []string{"evaluate", "aspects", "model", "--origins", origins + ".origins.tsv", "--json"}
		doc := decode[aspectsEvaluation](t, must(t, evaluate...).out)
		least := map[string]float64{"links": 0.5, "merged": 0.15}[origins] // merged vertices have four communities in two roles
		if doc.Aspects.Adjusted() < least || doc.Aspects.Count < 10 || doc.Aspects.Adjusted() < doc.KMeans.Adjusted() {
			t.Errorf("%s: %+v: expected aspects that tell the links of a vertex apart", data, doc)
		}
		if data == "--split parted" {
			if hidden := decode[aspectsEvaluation](t, must(t, append(evaluate, "--hidden")...).out); hidden.Links == 0 || hidden.Links > doc.Links/2 || hidden.Overall.NMI < 0.5 {
				t.Errorf("hidden links: %+v", hidden)
			}
		}
	}
}

// What the README shows of vertex 42 is what its commands give: the links of each aspect, and the label that most vertices near it have.
func TestAspectsOfTheReadme(t *testing.T) {
	readme := read(t, "../../README.md")
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "500", "--communities", "25", "--memberships", "2", "--mean-degree", "16", "--out", "links.tsv")
	must(t, "train", "links.tsv", "--results", "none", "--out", "embedding")
	args := []string{"42", "--model", "embedding", "--labels", "links.memberships.tsv", "--top", "5", "--json"}
	doc := decode[aspectsDoc](t, must(t, append([]string{"aspects"}, args...)...).out)
	if len(doc.Aspects) != 3 {
		t.Fatalf("%d aspects: expected the README's three", len(doc.Aspects))
	}
	for _, a := range doc.Aspects {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^ %d +%d +\d+ .*\)  +%s ×`, a.Aspect, *a.Links, a.Labels[0].Label))
		if !row.MatchString(readme) {
			t.Errorf("no row of %+v in the README", a)
		}
	}
	found := decode[aspectsEvaluation](t, must(t, "evaluate", "aspects", "embedding", "--origins", "links.origins.tsv", "--json").out)
	if math.Abs(found.Overall.Adjusted()-.97) > .02 || !strings.Contains(readme, "groups have .97 of normalised mutual information") {
		t.Errorf("groups %+v: expected the README's .97", found.Overall)
	}
}
