package main

import (
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/papers"
)

// A generated bibliography is read back as it was made, and again under the same options.
func TestGenerateBibliography(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"data", "generate", "bibliography", "--authors", "40", "--papers", "120", "--topics", "4", "--author-topics", "1",
		"--vocabulary", "50", "--tokens", "5", "--candidates", "20", "--seed", "3", "--json", "--out"}
	type doc struct {
		Train, Test, Authors int
		SHA256               string
	}
	d := decode[doc](t, must(t, append(args, "data/dblp")...).out)
	b, report, err := papers.Read("data/dblp")
	if err != nil {
		t.Fatal(err)
	}
	if b.Checksum() != d.SHA256 || d.Train != 108 || d.Test != report.Test || d.Authors != report.Authors || report.Drawn > 0 {
		t.Errorf("read %+v (%s), written %+v", report, b.Checksum(), d)
	}
	if topics := read(t, "data/dblp/"+topicsFile); strings.Count(topics, "\n") != d.Authors || strings.Count(topics, "\t") != d.Authors {
		t.Errorf("topics of %d authors: expected one each\n%s", d.Authors, topics)
	}
	if again := decode[doc](t, must(t, append(args, "again")...).out); again != d {
		t.Errorf("the second time %+v, the first %+v", again, d)
	}
	must(t, append(args, "again", "--force")...)
	for _, args := range [][]string{{"data", "show", "dblp"}, {"data", "list"}} {
		if out := must(t, append(args, "--data", "data")...).out; !strings.Contains(out, "papers") {
			t.Errorf("%v: no word of papers in\n%s", args, out)
		}
	}
}
