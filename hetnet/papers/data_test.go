package papers

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// dblp reads the real bibliography, or skips.
func dblp(t testing.TB) (*Bibliography, Report) {
	t.Helper()
	dir := os.Getenv("ASP2VEC_DATA")
	if dir == "" {
		t.Skip("ASP2VEC_DATA is not set: no real data to test with")
	}
	b, report, err := Read(filepath.Join(dir, "dblp"))
	if err != nil {
		t.Fatal(err)
	}
	return b, report
}

// The counts are those of the published files (TaPEm's repository), counted with other tools: of 58,054 pairs 12 are there
// twice, and of 31,669 references 43 are of papers to themselves. Authors are named by the order of their first appearance.
func TestReadDBLP(t *testing.T) {
	b, got := dblp(t)
	want := Report{Layout: LayoutTable, Train: 19048, Test: 2302, Authors: 24751, Venues: 18, Words: 9555, Pairs: 58042,
		TestPairs: 5247, Citations: 31626, UnknownCitations: 43, Repeated: 12, NoTokens: 16, RepeatedCandidates: 407}
	got.UnknownAuthors = 0
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
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
