package hetnet

import (
	"fmt"

	"github.com/asp2vec/asp2vec/network"
)

// Verify reads the published DBLP from a folder and compares it with what is known of it. It fails when the files cannot be
// read; whatever else is wrong is in the findings.
//
// Sources: counted in the files of TaPEm's repository, with titles for texts. Table 2 of Park et al. has 27,920 authors and
// 21,808 papers: those that are in test papers alone would make up the difference.
func Verify(dir string) ([]network.Finding, error) {
	b, r, err := Read(dir)
	if err != nil {
		return nil, err
	}
	if err := b.Check(); err != nil {
		return nil, err
	}
	var found []network.Finding
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"training papers", r.Train, 19048},
		{"test papers", r.Test, 2302},
		{"authors", r.Authors, 24751},
		{"venues", r.Venues, 18},
		{"words", r.Words, 9555},
		{"training papers and their authors", r.Pairs, 58042},
		{"test papers and their authors", r.TestPairs, 5247},
		{"citations", r.Citations, 31626},
		{"papers without words", r.NoTokens, 16},
		{"test papers whose candidates are not published", r.Drawn, 0},
	} {
		found = append(found, network.Finding{What: c.what, OK: c.got == c.want, Got: fmt.Sprint(c.got), Want: fmt.Sprint(c.want)})
	}
	return found, nil
}
