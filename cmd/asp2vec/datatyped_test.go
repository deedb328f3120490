package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A data set with types is counted by type, and compared with what is known of it.
func TestTypedData(t *testing.T) {
	data := os.Getenv("ASP2VEC_DATA")
	karate(t)
	for name, text := range map[string]string{"train": "1\t1\n1\t2\n2\t1\n3\t2\n", "test": "2\t2\n9\t1\n", "friends": "1\t2\n2\t1\n2\t3\n"} {
		write(t, "data/lastfm/"+name+".tsv.gz", text)
	}
	shown := must(t, "data", "show", "lastfm", "--data", "data").out
	for line := range strings.Lines(shown) {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	shown = strings.Join(strings.Fields(shown), " ")
	for _, want := range []string{"vertices: user", "links: friends", "2 from user to user, and 1 repetitions", "4 from user to artist", "2 of type listens, from 2 vertices; 1 with a vertex without links, 0 that are training links"} {
		if !strings.Contains(shown, want) {
			t.Errorf("data show has no %q:\n%s", want, shown)
		}
	}
	write(t, "data/lastfm/friends.tsv.gz", "1\n")
	refused(t, "show", []string{"data", "show", "lastfm", "--data", "data"}, "friends.tsv.gz:1")
	if err := os.Remove("data/lastfm/friends.tsv.gz"); err != nil {
		t.Fatal(err)
	}
	refused(t, "without a file", []string{"data", "show", "lastfm", "--data", "data"}, "friends.tsv.gz")

	if _, err := os.Stat(filepath.Join(data, "lastfm")); data == "" || err != nil {
		t.Skip("no lastfm in ASP2VEC_DATA")
	}
	if out := must(t, "data", "show", "lastfm", "--data", data).out; !strings.Contains(strings.Join(strings.Fields(out), " "), "as measured yes") {
		t.Errorf("%s", out)
	}
}
