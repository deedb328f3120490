package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/asp2vec/asp2vec/results"
)

// Of files as TaPEm's repository has them comes the data set of abstracts, which each method of Table 5 takes with the published word vectors,
// and whose table has the paper's numbers and no word of titles.
func TestAbstracts(t *testing.T) {
	enter(t)
	t.Setenv("ASP2VEC_DATA", "data")
	d, err := network.Lookup("dblp-abstracts")
	if err != nil {
		t.Fatal(err)
	}
	published := map[string]bool{}
	for _, f := range fetch.Files(d) {
		published[f.Path] = true
	}
	for _, name := range []string{"content_top_2013.pkl", "word_embedding_top_2013.txt", "id_conf_top_2013.txt"} {
		if !published["data/"+name] {
			t.Errorf("%s is not fetched", name)
		}
	}

	from := tapem(t)
	vectors := from + "/word_embedding_top_2013.txt"
	var lines strings.Builder
	for _, word := range []int{0, 1, 2, 3, 4, 5, 10, 11} { // not 12
		lines.WriteString(strconv.Itoa(word) + strings.Repeat(" "+strconv.Itoa(word+1), 3) + "\n")
	}
	write(t, vectors, "8 3\n"+lines.String())
	if err := os.MkdirAll("data/dblp-abstracts", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := convertPapers(d, from, "data/dblp-abstracts"); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"m2v++", "camel", "tapem", "asp2vec-het"} {
		r := must(t, "train", "--out", "none", "--results", "results", "--dataset", "dblp-abstracts", "--method", method, "--dim", "5", "--encoder", "gru", "--epochs", "1", "--word-vectors", vectors, "--json")
		if got := decode[struct{ Record results.Record }](t, r.out).Record; got.Dataset.Name != d.Name || got.Dataset.WordsMissing != 1 || got.Metrics["auc"] == 0 {
			t.Errorf("%s: %+v", method, got)
		}
	}
	r := must(t, "reproduce", "table5", "--datasets", "dblp-abstracts", "--seeds", "1", "--dry-run")
	if !strings.Contains(r.out, "8 runs, 8 to do") {
		t.Errorf("%+v", r)
	}
	for table, want := range map[string]string{"table5": ".6474", "table6": ".7627"} {
		r := must(t, "results", "show", table, "--datasets", "dblp-abstracts", "--protocol", "standard")
		if !strings.Contains(r.out, want) || strings.Contains(r.out, "titles") {
			t.Errorf("expected the paper's %s, and nothing of titles:\n%s", want, r.out)
		}
	}
}
