package papers

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// dblp reads the real bibliography, or skips.
func dblp(t testing.TB) (*Bibliography, network.Notes) {
	t.Helper()
	dir := os.Getenv("ASP2VEC_DATA")
	if dir == "" {
		t.Skip("ASP2VEC_DATA is not set: no real data to test with")
	}
	b, notes, err := Read(filepath.Join(dir, "dblp"))
	if err != nil {
		t.Fatal(err)
	}
	return b, notes
}

// The counts are those of the published files (TaPEm's repository), counted with other tools: of 58,054 pairs 12 are there
// twice, and of 31,669 references 43 are of papers to themselves. Authors are named by the order of their first appearance.
func TestReadDBLP(t *testing.T) {
	b, notes := dblp(t)
	const want = "authors 24751; given_twice 12; papers 21350; papers_with_candidates_given_twice 407; papers_without_words 16; references 31626; references_left_out 43; test 2302; test_pairs 5247; train 19048; training_pairs 58042; venues 18; words 9555"
	if got := shortly(b, notes); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	sound(t, b)
	for a, name := range b.Names[Author] {
		if name != strconv.Itoa(a) {
			t.Fatalf("author %d is called %s, expected its number", a, name)
		}
	}
	for _, p := range b.Test {
		if n := len(p.Own) + len(p.Among); n != 100 {
			t.Errorf("paper %s has %d authors and candidates, expected 100", p.Name, n)
		}
	}
}
