package hetnet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/network"
)

// Work is a paper as a file of references has it.
type Work struct {
	ID       string
	Title    string
	Abstract string
	Venue    string // "" where it is not known
	Year     int    // 0 where it is not known
	Authors  []Person
	Cites    []string // ids
	Line     int      // where it stands, 0 where that is not known
}

// Person is an author of a work.
type Person struct {
	ID   string // tells persons of one name apart; "" for the name itself
	Name string
}

// WorkOptions say how works become a bibliography.
type WorkOptions struct {
	TestFrom int  // papers of this year and later ones are test papers; 0 for the latest years that have a tenth of the papers
	Title    bool // the words of a paper are those of its title
	Abstract bool // and those of its abstract
	Seed     uint64
}

// WorksReport says what became of the works.
type WorksReport struct {
	Report
	TestFrom int `json:"test_from"` // year
	NoYear   int `json:"no_year"`   // papers without a year, which are training papers
}

// FromWorks makes a bibliography of works: those before a year are training papers, those from it on test papers. Its words are
// those of Tokens. Names of papers and of authors, which are separated by commas in files, have spaces for them; persons of one name
// with different ids have these behind it. Candidates are drawn as Read draws them.
//
// It returns an error for a work without an id or with that of another one, years that leave no training paper, and no
// works at all; file is what errors call their source.
func FromWorks(name, file string, works []Work, o WorkOptions) (*Bibliography, WorksReport, error) {
	var report WorksReport
	if !o.Title && !o.Abstract {
		return nil, report, errors.New("hetnet: words of neither titles nor abstracts: want one of them")
	}
	if len(works) == 0 {
		return nil, report, fmt.Errorf("hetnet: %s: no paper: want at least one", file)
	}
	report.TestFrom = o.TestFrom
	if report.TestFrom == 0 {
		report.TestFrom = latest(works)
	}
	names := personNames(works)
	l := newListing()
	if o.Seed != 0 {
		l.draw.Seed = o.Seed
	}
	for _, w := range works {
		where := fmt.Sprintf("hetnet: %s:%d", file, w.Line)
		if w.Line == 0 {
			where = "hetnet: " + file
		}
		r := record{name: plainName(w.ID), venue: strings.TrimSpace(w.Venue), test: w.Year >= report.TestFrom, line: w.Line}
		if err := network.CheckID([]byte(r.name)); err != nil {
			return nil, report, fmt.Errorf("%s: the id %.60q of a paper %w: want text", where, w.ID, err)
		}
		if i, ok := l.place[r.name]; ok {
			return nil, report, fmt.Errorf("%s: paper %.60q again, after line %d: want each paper once", where, r.name, l.papers[i].line)
		}
		if w.Year == 0 {
			report.NoYear++
		}
		if network.CheckID([]byte(r.venue)) != nil {
			r.venue = strings.Join(strings.FieldsFunc(r.venue, isControl), " ")
		}
		for _, p := range w.Authors {
			if name := names[p]; name != "" {
				r.authors = append(r.authors, name)
			}
		}
		for _, id := range w.Cites {
			r.cites = append(r.cites, plainName(id))
		}
		if o.Title {
			r.tokens = Tokens(w.Title)
		}
		if o.Abstract {
			r.tokens = append(r.tokens, Tokens(w.Abstract)...)
		}
		l.put(r)
	}
	b, assembled, err := l.assemble(name)
	report.Report = assembled
	if err != nil {
		return nil, report, fmt.Errorf("%w (in %s, with test papers from %d on)", err, file, report.TestFrom)
	}
	return b, report, nil
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
