package typed

import (
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// shelf is a schema of readers who borrow books with texts, and of rooms.
func shelf(from, to int) *Network {
	return &Network{
		Schema: Schema{
			Name:  "shelf",
			Types: []Type{{Name: "reader"}, {Name: "book", Content: Text}, {Name: "room"}},
			Links: []LinkType{{Name: "borrows", From: from, To: to}, {Name: "in", From: 1, To: 2}},
			Rank:  "borrows",
		},
		Names: [][]string{{"ann", "bob", "cyd"}, {"x", "y"}, {"hall"}}, Words: []string{"w"},
		Contents: []Content{{}, {Texts: [][]int32{{0}, nil}}, {}}, Links: make([]Links, 2),
	}
}

// Readers are authors and books papers, whichever way the links go; authors of a paper keep the order of links, papers of an author ascend.
func TestAuthorship(t *testing.T) {
	readers, books := []int32{2, 0, 0, 1}, []int32{1, 1, 0, 1}
	n, turned := shelf(0, 1), shelf(1, 0)
	n.Links[0] = Links{From: readers, To: books}
	turned.Links[0] = Links{From: books, To: readers}
	for _, n := range []*Network{n, turned} {
		a := call.Of(n.Authorship())(t)
		if got := fmt.Sprint(a.Author, a.Paper, a.AuthorsOf, a.PapersOf, a.Texts()); got != "0 1 [[0] [2 0 1]] [[0 1] [1] [1]] [[0] []]" {
			t.Error(got)
		}
		if a.Back != "reader-borrows-book-borrows-reader" {
			t.Errorf("there and back by %s", a.Back)
		}
		if p, err := n.ParsePath(a.Back); err != nil || len(p.Steps) != 2 {
			t.Errorf("%+v, %v", p, err)
		}
	}
	n.Paths = []string{"book-reader-book", "reader-book-reader"}
	if a, _ := n.Authorship(); a.Back != "reader-borrows-book-borrows-reader" {
		t.Errorf("there and back by %s: no path of the schema is in initials", a.Back)
	}
	n.Types[1].Name, n.Types[2].Name, n.Paths = "volume", "hall", []string{"VRV", "RVR"}
	if a, _ := n.Authorship(); a.Back != "RVR" {
		t.Errorf("there and back by %s, expected the schema's own initials", a.Back)
	}
}
