package bibfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/network"
)

// Options say how works become a table of papers.
type Options struct {
	TestFrom int  // papers of this year and later ones are test papers; 0 for the latest years that have a tenth of the papers
	Title    bool // the words of a paper are those of its title
	Abstract bool // and those of its abstract
}

// Dated says what the years of works say.
type Dated struct {
	TestFrom int `json:"test_from"` // year
	NoYear   int `json:"no_year"`   // papers without a year, which are training papers
}

// Rows makes a table of works: those before a year are training papers, those from it on test papers. Its words are
// those of papers.Tokens. Names of papers and of authors, which are separated by commas in files, have spaces for them; persons of one name
// with different ids have these behind it.
//
// It returns an error for a work without an id or with that of another one, and no works at all; file is what errors call their source.
func Rows(file string, works []Work, o Options) (*papers.Table, Dated, error) {
	report := Dated{TestFrom: o.TestFrom}
	if !o.Title && !o.Abstract {
		return nil, report, errors.New("bibfile: words of neither titles nor abstracts: expected one of them")
	}
	if len(works) == 0 {
		return nil, report, fmt.Errorf("bibfile: %s: no paper: expected at least one", file)
	}
	if report.TestFrom == 0 {
		report.TestFrom = latest(works)
	}
	names := personNames(works)
	t := papers.NewTable()
	for _, w := range works {
		r := papers.Row{Name: plainName(w.ID), Venue: strings.TrimSpace(w.Venue), Test: w.Year >= report.TestFrom, Line: w.Line}
		where := fmt.Sprintf("bibfile: %s:%d", file, w.Line)
		if err := network.CheckID([]byte(r.Name)); err != nil {
			return nil, report, fmt.Errorf("%s: the id %.60q of a paper %w: expected text", where, w.ID, err)
		}
		if w.Year == 0 {
			report.NoYear++
		}
		if network.CheckID([]byte(r.Venue)) != nil {
			r.Venue = strings.Join(strings.FieldsFunc(r.Venue, isControl), " ")
		}
		for _, p := range w.Authors {
			if name := names[p]; name != "" {
				r.Authors = append(r.Authors, name)
			}
		}
		for _, id := range w.Cites {
			if id = plainName(id); id != "" {
				r.Cites = append(r.Cites, id)
			}
		}
		if o.Title {
			r.Words = papers.Tokens(w.Title)
		}
		if o.Abstract {
			r.Words = append(r.Words, papers.Tokens(w.Abstract)...)
		}
		if err := t.Add(r); err != nil {
			return nil, report, fmt.Errorf("%s: %w", where, err)
		}
	}
	return t, report, nil
}

// latest returns the year from which on there are a tenth of the papers, or more.
func latest(works []Work) int {
	var years []int
	for _, w := range works {
		if w.Year != 0 {
			years = append(years, w.Year)
		}
	}
	if len(years) == 0 {
		return maxYear
	}
	slices.Sort(years)
	return years[len(years)-max(1, (len(years)+9)/10)]
}

// maxYear is later than all years.
const maxYear = 1 << 30

// personNames returns the name of each person: one that several ids have has the id behind it.
func personNames(works []Work) map[Person]string {
	names := map[Person]string{}
	ids := map[string]string{} // of a name, the first
	ambiguous := map[string]bool{}
	for _, w := range works {
		for _, p := range w.Authors {
			name := plainName(p.Name)
			if network.CheckID([]byte(name)) != nil {
				continue
			}
			names[p] = name
			if id, ok := ids[name]; ok && id != p.ID {
				ambiguous[name] = true
			} else {
				ids[name] = p.ID
			}
		}
	}
	for p, name := range names {
		if id := plainName(p.ID); ambiguous[name] && id != "" {
			names[p] = fmt.Sprintf("%s (%s)", name, id)
		}
	}
	return names
}

// plainName returns a name without commas, semicolons, control characters and blanks that say nothing.
func plainName(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\u00a0' || isControl(r) }), " ")
}

func isControl(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\ufeff' || r == '\ufffd'
}
