package main

import (
	"strings"
	"testing"
)

// roles are labels of the karate club: two of vertex 1, and one of each of its neighbours.
const roles = "1\ta\tb\n2\ta\n3\ta\n4\ta\n8\ta\n14\ta\n5\tb\n6\tb\n7\tb\n11\tb\n"

func TestEvaluateAspects(t *testing.T) {
	karate(t)
	write(t, "roles.tsv", roles)
	network := []string{"train", "--network", "karate.tsv", "--dim", "4", "--pairs-per-vertex", "500", "--results", "none", "--out"}
	must(t, append(network, "apart", "--aspects", "2", "--aspect-start", "neighbors")...)
	must(t, append(network, "flat", "--method", "deepwalk")...)
	doc := decode[aspectsEvaluation](t, must(t, "evaluate", "aspects", "apart", "--labels", "roles.tsv", "--json").out)
	if doc.Aspects == nil || doc.Aspects.Count != 1 || doc.Count != 2 || doc.Vertices != 10 || doc.Links < 18 || doc.Groups.NMI < 0.5 {
		t.Errorf("%+v: want one vertex with links of two labels, which groups of its neighbours tell apart", doc)
	}
	for _, row := range []string{"aspects", "k-means of final"} {
		if out := must(t, "evaluate", "aspects", "apart", "--labels", "roles.tsv").out; !strings.Contains(out, row) || !strings.Contains(out, "Over 1 vertices with") {
			t.Errorf("no row of %s in\n%s", row, out)
		}
	}
	if out := must(t, "evaluate", "aspects", "flat", "--labels", "roles.tsv").out; strings.Contains(out, " aspects ") || !strings.Contains(out, "k-means of final") {
		t.Errorf("want a row of deepwalk's groups alone:\n%s", out)
	}
	// In the club's factions no vertex has links of several labels.
	if r := invoke("evaluate", "aspects", "apart", "--labels", "karate.memberships.tsv"); r.code != 2 || !strings.Contains(r.err, "no vertex has links of several labels") {
		t.Errorf("factions: %+v", r)
	}
	if r := invoke("evaluate", "aspects", "apart/embedding.vec", "--labels", "roles.tsv"); r.code != 2 || !strings.Contains(r.err, "want --network or --split") {
		t.Errorf("a file without links: %+v", r)
	}
	// aspects says what would make them say more.
	const hint = "--aspect-start neighbors"
	must(t, append(network, "alike", "--aspects", "2")...)
	if r := must(t, "aspects", "1", "--model", "alike"); !strings.Contains(r.err, hint) {
		t.Errorf("no hint at %s in\n%s", hint, r.err)
	}
	if r := must(t, "aspects", "1", "--model", "apart"); strings.Contains(r.err, hint) {
		t.Errorf("a hint at %s of a model that has it:\n%s", hint, r.err)
	}
	args := append(network, "again", "--aspects", "2", "--init", "apart", "--aspect-start", "neighbors")
	if r := invoke(args...); r.code != 2 || !strings.Contains(r.err, "with --init: want one of them") {
		t.Errorf("a start of aspects with --init: %+v", r)
	}
}
