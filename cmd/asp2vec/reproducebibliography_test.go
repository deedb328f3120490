package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// tapem writes a folder as TaPEm's repository has it, with pickled words.
func tapem(t *testing.T) string {
	t.Helper()
	const dir = "TapEM/data/"
	var train, words, papers strings.Builder
	for i := range 30 {
		a := i % 6
		train.WriteString(strconv.Itoa(i+100) + ":" + strconv.Itoa(a) + "," + strconv.Itoa((a+3)%6) + "\n")
		words.WriteString("(lI" + strconv.Itoa(a) + "\naI" + strconv.Itoa(a%3+10) + "\naa")
		papers.WriteString("I" + strconv.Itoa(i+100) + "\na")
	}
	var test strings.Builder
	for i := range 8 {
		test.WriteString(strconv.Itoa(i+200) + ":" + strconv.Itoa(i%6) + "\n")
		words.WriteString("(lI" + strconv.Itoa(i%6) + "\naa")
		papers.WriteString("I" + strconv.Itoa(i+200) + "\na")
	}
	write(t, dir+"paper-author-list-train_top_2013.txt", train.String())
	write(t, dir+"paper-author-list-test_top_2013.txt", test.String())
	write(t, dir+"content_top_2013.pkl", "((l"+words.String()+"(l"+papers.String()+"t.")
	return strings.TrimSuffix(dir, "/")
}

// Tables of papers and authors are made of TaPEm's folder as it is, and of one's own; nothing of these is taken for DBLP.
func TestReproduceBibliography(t *testing.T) {
	enter(t)
	t.Setenv("ASP2VEC_DATA", "data")
	args := []string{"reproduce", "table5", "table6", "--bibliography", tapem(t), "--methods", "m2v++", "--dims", "5", "--seeds", "1"}
	r := must(t, args...)
	for _, want := range []string{"table5-TapEM-standard", "TapEM/data, which is not the paper's", "dim=5/M2V++"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	if !strings.Contains(r.err, "train=30 test=8") {
		t.Errorf("nothing is told of the papers:\n%s", r.err)
	}
	records, _, err := results.ReadStore("results")
	if err != nil || len(records) != 1 || records[0].Dataset.Name != "TapEM" {
		t.Fatalf("%d records, %v", len(records), err)
	}
	shown := must(t, "results", "show", "table5", "--bibliography", "TapEM/data", "--dims", "5").out
	if want := auc(records[0].Metrics["auc"]).String()[1:]; !strings.Contains(shown, want) {
		t.Errorf("no %s in\n%s", want, shown)
	}
	if dblp := must(t, "results", "show", "table5", "--dims", "5", "--methods", "m2v++").out; !strings.Contains(dblp, "No run of this table has been done") {
		t.Errorf("taken for DBLP:\n%s", dblp)
	}
	write(t, "bad/papers.tsv", "p1\ttrain\n")
	write(t, "empty/notes.txt", "none")
	for dir, want := range map[string]string{
		"bad": "bad/papers.tsv:1: 2 columns: expected 6", "empty": "empty has no papers: expected a file", "nowhere": "nowhere: no such file", "": "expected a name",
	} {
		if r := invoke("reproduce", "table5", "--bibliography", dir); r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("--bibliography %q: %+v, expected %q", dir, r, want)
		}
	}
	if r := invoke("reproduce", "table3", "--bibliography", "TapEM/data"); r.code != 2 || !strings.Contains(r.err, "--bibliography TapEM/data: table3 has no such rows") {
		t.Errorf("%+v", r)
	}
}
