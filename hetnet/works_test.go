package hetnet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTokensOfTexts(t *testing.T) {
	got := Tokens("Multi-aspect Network\tEmbedding: d'Été 2.0 — ΣΙΓΜΑ")
	if want := []string{"multi", "aspect", "network", "embedding", "d", "été", "2", "0", "σιγμα"}; !slices.Equal(got, want) {
		t.Errorf("%q: want %q", got, want)
	}
}

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

func TestFromWorks(t *testing.T) {
	b, r, err := FromWorks("name", "refs.bib", works(), WorkOptions{Title: true, Abstract: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	if r.TestFrom != 2019 || r.Train != 9 || r.Test != 1 || r.Authors != 6 || r.Words != 3 || r.NoYear != 0 {
		t.Errorf("%+v", r)
	}
	if b.Authors[0] != "Author No 0" {
		t.Errorf("author %q", b.Authors[0])
	}
	// Six authors, two of them the paper's own: the other four once each, where a hundred with repetitions were drawn.
	c := slices.Sorted(slices.Values(b.Papers[b.Test[0]].Candidates))
	if len(c) != 4 || len(slices.Compact(c)) != 4 {
		t.Errorf("candidates %v: want four different ones", c)
	}
	b, r, err = FromWorks("name", "refs.bib", works(), WorkOptions{Title: true, TestFrom: 2015})
	if err != nil || r.Train != 5 || r.Test != 5 || len(b.Papers[0].Tokens) != 2 {
		t.Errorf("error %v, %+v", err, r)
	}
	if err := Write(t.TempDir(), b); err != nil {
		t.Error(err)
	}
}

func TestFromWorksNames(t *testing.T) {
	ws := works()
	ws[0].Authors = []Person{{ID: "A7", Name: "Same Name"}, {ID: "A8", Name: "Same  Name;"}, {ID: "A9", Name: "Other"}}
	b, _, err := FromWorks("name", "f", ws, WorkOptions{Title: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Same Name (A7)", "Same Name (A8)", "Other"}; !slices.Equal(b.Authors[:3], want) {
		t.Errorf("authors %q: want %q", b.Authors[:3], want)
	}
}

func TestFromWorksErrors(t *testing.T) {
	for want, change := range map[string]func([]Work) ([]Work, WorkOptions){
		"no paper: want at least one": func([]Work) ([]Work, WorkOptions) { return nil, WorkOptions{Title: true} },
		"f:2: paper \"p0\" again, after line 1": func(ws []Work) ([]Work, WorkOptions) {
			ws[1].ID = "p0"
			return ws, WorkOptions{Title: true}
		},
		`f:3: the id "" of a paper is empty`: func(ws []Work) ([]Work, WorkOptions) {
			ws[2].ID = ""
			return ws, WorkOptions{Title: true}
		},
		"no training paper among 10 papers: want at least one (in f, with test papers from 1990 on)": func(ws []Work) ([]Work, WorkOptions) {
			return ws, WorkOptions{Title: true, TestFrom: 1990}
		},
		"words of neither titles nor abstracts": func(ws []Work) ([]Work, WorkOptions) { return ws, WorkOptions{} },
	} {
		ws, o := change(works())
		if _, _, err := FromWorks("name", "f", ws, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
}

// A list of authors with semicolons is not one author.
func TestSemicolons(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "papers.tsv"), []byte("p\ttrain\t\ta; b\t\tw\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(dir); err == nil || !strings.Contains(err.Error(), `papers.tsv:1: author "a; b" has a semicolon: want "," between names`) {
		t.Errorf("error %v", err)
	}
}
