package bibfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/papers"
)

// works are ten papers of 2010 to 2019 by six authors.
func works() []Work {
	var out []Work
	for i := range 10 {
		w := Work{ID: fmt.Sprintf("p%d", i), Title: "On Things", Abstract: "Many things.", Venue: "J", Year: 2010 + i, Line: i + 1}
		for _, a := range []int{i % 6, (i + 1) % 6} {
			w.Authors = append(w.Authors, Person{ID: fmt.Sprint("A", a), Name: fmt.Sprintf("Author, No %d", a)})
		}
		if i > 0 {
			w.Cites = []string{fmt.Sprintf("p%d", i-1), "elsewhere"}
		}
		out = append(out, w)
	}
	return out
}

// readRows makes a bibliography of works by way of the files that are written of them.
func readRows(t *testing.T, ws []Work, o Options) (*papers.Bibliography, papers.Report, Dated) {
	t.Helper()
	table, dated, err := Rows("refs.bib", ws, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := table.Write(dir); err != nil {
		t.Fatal(err)
	}
	b, report, err := papers.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return b, report, dated
}

func TestRows(t *testing.T) {
	b, r, dated := readRows(t, works(), Options{Title: true, Abstract: true})
	if dated != (Dated{TestFrom: 2019}) || r.Train != 9 || r.Test != 1 || r.Authors != 6 || r.Words != 3 {
		t.Errorf("%+v, %+v", r, dated)
	}
	if b.Names[papers.Author][0] != "Author No 0" {
		t.Errorf("author %q", b.Names[papers.Author][0])
	}
	// Six authors, two of them the paper's own: the other four once each, where a hundred with repetitions were drawn.
	c := slices.Sorted(slices.Values(b.Test[0].Candidates))
	if len(c) != 4 || len(slices.Compact(c)) != 4 {
		t.Errorf("candidates %v: expected four different ones", c)
	}
	b, r, _ = readRows(t, works(), Options{Title: true, TestFrom: 2015})
	if r.Train != 5 || r.Test != 5 || len(b.Texts()[0]) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestRowsNames(t *testing.T) {
	ws := works()
	ws[0].Authors = []Person{{ID: "A7", Name: "Same Name"}, {ID: "A8", Name: "Same  Name;"}, {ID: "A9", Name: "Other"}}
	b, _, _ := readRows(t, ws, Options{Title: true})
	if got, want := b.Names[papers.Author][:3], []string{"Same Name (A7)", "Same Name (A8)", "Other"}; !slices.Equal(got, want) {
		t.Errorf("authors %q: expected %q", got, want)
	}
}

func TestRowsErrors(t *testing.T) {
	for want, change := range map[string]func([]Work) ([]Work, Options){
		"no paper: expected at least one": func([]Work) ([]Work, Options) { return nil, Options{Title: true} },
		"f:2: paper \"p0\" again, after line 1": func(ws []Work) ([]Work, Options) {
			ws[1].ID = "p0"
			return ws, Options{Title: true}
		},
		`f:3: the id "" of a paper is empty`: func(ws []Work) ([]Work, Options) {
			ws[2].ID = ""
			return ws, Options{Title: true}
		},
		"words of neither titles nor abstracts": func(ws []Work) ([]Work, Options) { return ws, Options{} },
	} {
		ws, o := change(works())
		if _, _, err := Rows("f", ws, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
}
