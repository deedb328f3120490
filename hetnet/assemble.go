package hetnet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// record is a paper as a file has it.
type record struct {
	name, venue            string
	test                   bool
	authors, cites, tokens []string
	line                   int // where it was first seen
}

// given are the candidates of a paper as a file has them.
type given struct {
	paper string
	names []string
	where string // file and line, for errors
}

// naming is how a file calls candidates.
type naming int

const (
	calledByName    naming = iota
	calledByPlace          // by the order of authors' first appearance in the training papers, from 0
	calledByAnyName        // by name, also those who are in no training paper, whom no method can rank
)

// listing is what the files of a bibliography hold.
type listing struct {
	papers     []record
	place      map[string]int // of a paper by its name
	candidates []given
	listed     map[string]string // where the candidates of a paper are
	strangers  int
	texts      string           // file of the words, where it is one of its own
	draw       CandidateOptions // of papers without candidates

	candidatesAre naming
}

func newListing() *listing {
	return &listing{place: map[string]int{}, listed: map[string]string{}, draw: CandidateOptions{Total: 100, Seed: 1}}
}

// add adds a paper.
func (l *listing) add(t *text, r record) error {
	if i, ok := l.place[r.name]; ok {
		return t.errorf("paper %q again, after line %d: want each paper once", r.name, l.papers[i].line)
	}
	r.line = t.Line()
	l.put(r)
	return nil
}

// put adds a paper that is not there.
func (l *listing) put(r record) {
	l.place[r.name] = len(l.papers)
	l.papers = append(l.papers, r)
}

// addCandidates adds the candidates of a paper.
func (l *listing) addCandidates(t *text, paper, authors string) error {
	paper, err := t.name(paper, "paper")
	if err != nil {
		return err
	}
	names, err := t.names(authors, ",", "candidate")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return t.errorf("paper %q has no candidates: want at least one", paper)
	}
	if where, ok := l.listed[paper]; ok {
		return t.errorf("candidates of paper %q again, after %s: want them once", paper, where)
	}
	where := fmt.Sprintf("%s:%d", t.path, t.Line())
	l.listed[paper] = where
	l.candidates = append(l.candidates, given{paper, names, where})
	return nil
}

// numbers gives names numbers in the order in which they come.
type numbers struct {
	names []string
	place map[string]int32
}

func (n *numbers) of(name string) int32 {
	i, ok := n.place[name]
	if !ok {
		if n.place == nil {
			n.place = map[string]int32{}
		}
		i = int32(len(n.names))
		n.names = append(n.names, name)
		n.place[name] = i
	}
	return i
}

// assemble makes a bibliography of what the files hold.
func (l *listing) assemble(name string) (*Bibliography, Report, error) {
	report := Report{Strangers: l.strangers}
	var authors, venues, words, strangers numbers
	for _, r := range l.papers {
		if !r.test {
			for _, a := range r.authors {
				authors.of(a)
			}
		}
	}
	b := &Bibliography{Name: name}
	kept := make(map[string]int32, len(l.papers)) // places in b.Papers
	for _, r := range l.papers {
		p := Paper{Name: r.name, Venue: -1}
		for _, name := range r.authors {
			switch a, ok := authors.place[name]; {
			case !ok:
				strangers.of(name)
			case slices.Contains(p.Authors, a):
				report.Repeated++
			default:
				p.Authors = append(p.Authors, a)
			}
		}
		place := int32(len(b.Papers))
		switch {
		case r.test && len(p.Authors) == 0:
			report.UnknownPapers++
			continue
		case r.test:
			b.Test = append(b.Test, place)
			report.TestPairs += len(p.Authors)
		default:
			b.Train = append(b.Train, place)
			report.Pairs += len(p.Authors)
			if len(p.Authors) == 0 {
				report.NoAuthors++
			}
		}
		if r.venue != "" {
			p.Venue = venues.of(r.venue)
		}
		for _, w := range r.tokens {
			p.Tokens = append(p.Tokens, words.of(w))
		}
		if len(p.Tokens) == 0 {
			report.NoTokens++
		}
		kept[r.name] = place
		b.Papers = append(b.Papers, p)
	}
	if len(b.Train) == 0 {
		return nil, report, fmt.Errorf("hetnet: no training paper among %d papers: want at least one", len(l.papers))
	}
	b.Authors, b.Venues, b.Words = authors.names, venues.names, words.names
	l.cite(b, kept, &report)
	if err := l.offer(b, &authors, kept, &report); err != nil {
		return nil, report, err
	}
	report.Train, report.Test = len(b.Train), len(b.Test)
	report.Authors, report.Venues, report.Words = len(b.Authors), len(b.Venues), len(b.Words)
	report.UnknownAuthors = len(strangers.names)
	return b, report, nil
}

// cite gives papers their references.
func (l *listing) cite(b *Bibliography, kept map[string]int32, report *Report) {
	for _, r := range l.papers {
		i, ok := kept[r.name]
		if !ok {
			continue
		}
		p := &b.Papers[i]
		for _, name := range r.cites {
			q, ok := kept[name]
			switch {
			case !ok || q == i || l.papers[l.place[name]].test:
				report.UnknownCitations++
			case slices.Contains(p.Cites, q):
				report.Repeated++
			default:
				p.Cites = append(p.Cites, q)
			}
		}
		report.Citations += len(p.Cites)
	}
}

// offer gives test papers their candidates, and draws those that no file has.
func (l *listing) offer(b *Bibliography, authors *numbers, kept map[string]int32, report *Report) error {
	for _, g := range l.candidates {
		i, ok := kept[g.paper]
		if _, test := slices.BinarySearch(b.Test, i); ok && !test {
			return fmt.Errorf("hetnet: %s: candidates of the training paper %q: want those of test papers", g.where, g.paper)
		}
		if !ok {
			report.Strangers++
			continue
		}
		p := &b.Papers[i]
		seen := make(map[int32]bool, len(g.names))
		for _, name := range g.names {
			if _, known := authors.place[name]; !known && l.candidatesAre == calledByAnyName {
				report.UnknownCandidates++
				continue
			}
			a, err := l.candidate(authors, name)
			if err == nil && slices.Contains(p.Authors, a) {
				err = fmt.Errorf("candidate %q is an author of paper %q: want authors of other papers", name, g.paper)
			}
			if err != nil {
				return fmt.Errorf("hetnet: %s: %w", g.where, err)
			}
			seen[a] = true
			p.Candidates = append(p.Candidates, a)
		}
		if len(seen) < len(p.Candidates) {
			report.RepeatedCandidates++
		}
	}
	return l.complete(b, report)
}

// complete draws candidates for test papers that have none.
func (l *listing) complete(b *Bibliography, report *Report) error {
	without := func(p int32) bool { return len(b.Papers[p].Candidates) == 0 }
	if !slices.ContainsFunc(b.Test, without) {
		return nil
	}
	draw := l.draw
	draw.Distinct = draw.Distinct || len(b.Authors) <= draw.Total // repeated ones would only count several times
	drawn, err := NewCandidates(b, draw)
	if err != nil {
		return err
	}
	for i, p := range b.Test {
		if without(p) {
			b.Papers[p].Candidates = drawn[i]
			report.Drawn++
		}
	}
	return nil
}

// candidate returns the author that a file names as candidate.
func (l *listing) candidate(authors *numbers, name string) (int32, error) {
	if l.candidatesAre != calledByPlace {
		a, ok := authors.place[name]
		if !ok {
			return 0, fmt.Errorf("candidate %q is in no training paper: want an author of one", name)
		}
		return a, nil
	}
	a, err := strconv.ParseUint(strings.TrimSpace(name), 10, 31)
	if err != nil || a >= uint64(len(authors.names)) {
		return 0, fmt.Errorf("candidate %q: want a number from 0 to %d", name, len(authors.names)-1)
	}
	return int32(a), nil
}
