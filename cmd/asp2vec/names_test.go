package main

import (
	"strings"
	"testing"
)

// Ids with blanks, quotes and other scripts come out as they went in, or as --names has them; labels are found beside the links.
func TestNamesAndLabels(t *testing.T) {
	enter(t)
	write(t, "data/links.csv", "source,target\n\"Ana \"\"A\"\" Ñandú\",b c\nb c,d\nd,e\ne,\"Ana \"\"A\"\" Ñandú\"\nd,\"Ana \"\"A\"\" Ñandú\"\n")
	write(t, "data/labels.tsv", "b c\tx\nd\ty\ne\tx\nAna \"A\" Ñandú\ty\n")
	must(t, "train", "--network", "data/links.csv", "--dim", "2", "--aspects", "2", "--epochs", "1", "--out", "run", "--results", "none")
	if got := read(t, "run/vertices.txt"); got != "Ana \"A\" Ñandú\nb c\nd\ne\n" {
		t.Errorf("vertices.txt:\n%s", got)
	}
	if r := must(t, "nearest", "b c", "--model", "run", "--top", "3"); !strings.Contains(r.out, `Ana "A" Ñandú`) {
		t.Errorf("%s", r.out)
	}
	for how, want := range map[string]string{"escaped": "\nb\\sc ", "underscores": "\nb_c ", "plain": "\nb c "} {
		must(t, "export", "--model", "run", "--format", "word2vec", "--names", how, "--out", how+".vec")
		if got := read(t, how+".vec"); !strings.Contains(got, want) {
			t.Errorf("--names %s:\n%s", how, got)
		}
	}
	must(t, "export", "--model", "run", "--format", "graphml", "--out", "run.graphml")
	// The file is read again as the same network.
	again := must(t, "data", "import", "run.graphml", "--out", "again", "--json").out
	first := must(t, "data", "import", "data/links.csv", "--out", "first", "--json").out
	type sum struct{ SHA256 string }
	if a, b := decode[sum](t, again), decode[sum](t, first); a != b {
		t.Errorf("through GraphML %v: expected %v", a, b)
	}
	if r := invoke("export", "--model", "run", "--format", "word2vec", "--names", "html", "--out", "html.vec"); r.code != 2 || !strings.Contains(r.err, `--names "html": expected one of escaped`) {
		t.Errorf("%+v", r)
	}
	r := must(t, "evaluate", "labels", "--model", "run", "--shares", "0.5", "--splits", "1")
	if !strings.Contains(r.out, "2 labels of 4 vertices") || !strings.Contains(r.err, "labels.tsv") {
		t.Errorf("%+v", r)
	}
	if r := invoke("evaluate", "labels", "--model", "escaped.vec"); r.code != 2 || !strings.Contains(r.err, "no labels given: expected --labels FILE") {
		t.Errorf("%+v", r)
	}
}
