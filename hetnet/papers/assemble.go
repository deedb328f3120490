package papers

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/network"
)

// Bibliography returns what the table says, and what of it was left out. Authors are those of the training papers, in the order of their
// first appearance; venues and words those of all papers that are kept, likewise. Test papers keep the authors that are among these, and
// are left out where none is. References are kept to training papers. Who or what is given twice for one paper counts once, but candidates
// count as often as they are there, and words stay as they are. Test papers without candidates get some as Draw has it.
//
// It returns an error for a table without training papers, and for a candidate who is an author of the paper or of no training paper.
func (t *Table) Bibliography(name string) (*Bibliography, network.Notes, error) {
	a := &assembly{Table: t, notes: slices.Clone(t.Notes)}
	for _, r := range t.Rows {
		if r.Test {
			continue
		}
		a.train.Of(r.Name)
		for _, name := range r.Authors {
			a.authors.Of(name)
		}
	}
	for _, r := range t.Rows {
		a.add(r)
	}
	if len(a.trained) == 0 {
		return nil, nil, fmt.Errorf("papers: no training paper among %d papers: expected at least one", len(t.Rows))
	}
	b, err := a.network(name)
	if err == nil {
		err = a.offer(b)
	}
	a.notes.Add("authors_of_test_papers_alone", len(a.strangers.Names), "")
	return b, a.notes, err
}

// strangers notes lines about papers that are in no list, or were left out.
const strangers = "lines_about_no_paper"

// assembly is a bibliography in the making.
type assembly struct {
	*Table
	notes                                    network.Notes
	train, authors, venues, words, strangers typed.Numbers // train: of training papers
	trained, tested                          []Paper
}

// add adds a paper without its candidates, or leaves it out.
func (a *assembly) add(r Row) {
	p := Paper{Question: typed.Question{Name: r.Name}, Venue: -1, place: int32(len(a.trained) + len(a.tested))}
	for _, name := range r.Authors {
		switch author, ok := a.authors.Place[name]; {
		case !ok:
			a.strangers.Of(name)
		case slices.Contains(p.Own, author):
			a.notes.Add("given_twice", 1, "")
		default:
			p.Own = append(p.Own, author)
		}
	}
	switch {
	case r.Test && len(p.Own) == 0:
		a.notes.Add("test_papers_without_others", 1, "")
		return
	case !r.Test && len(p.Own) == 0:
		a.notes.Add("papers_without_authors", 1, "")
	}
	if r.Venue != "" {
		p.Venue = a.venues.Of(r.Venue)
	}
	for _, w := range r.Words {
		p.Text = append(p.Text, a.words.Of(w))
	}
	if len(p.Text) == 0 {
		a.notes.Add("papers_without_words", 1, "")
	}
	for _, name := range r.Cites {
		switch q, ok := a.train.Place[name]; {
		case !ok || name == p.Name:
			a.notes.Add("references_left_out", 1, "")
		case slices.Contains(p.Cites, q):
			a.notes.Add("given_twice", 1, "")
		default:
			p.Cites = append(p.Cites, q)
		}
	}
	if r.Test {
		a.tested = append(a.tested, p)
	} else {
		a.trained = append(a.trained, p)
	}
}

// network returns the training papers as a network, and the test papers.
func (a *assembly) network(name string) (*Bibliography, error) {
	n := NewNetwork(name, a.authors.Names, a.venues.Names, a.words.Names)
	b := &Bibliography{Test: a.tested}
	add := func(link int, from, to int32) {
		l := &n.Links[link]
		l.From, l.To = append(l.From, from), append(l.To, to)
	}
	content := &n.Contents[Trained]
	for i, p := range a.trained {
		n.Names[Trained], content.Texts = append(n.Names[Trained], p.Name), append(content.Texts, p.Text)
		b.places = append(b.places, p.place)
		for _, author := range p.Own {
			add(writes, author, int32(i))
		}
		if p.Venue >= 0 {
			add(published, int32(i), p.Venue)
		}
		for _, q := range p.Cites {
			add(cites, int32(i), q)
		}
	}
	var err error
	b.Authorship, err = n.Authorship()
	return b, err
}

// offer gives test papers their candidates, and draws those that the table has none for.
func (a *assembly) offer(b *Bibliography) error {
	at := map[string]*Paper{}
	for i := range b.Test {
		at[b.Test[i].Name] = &b.Test[i]
	}
	for _, l := range a.Candidates {
		if _, train := a.train.Place[l.Paper]; train {
			return fmt.Errorf("papers: %s: candidates of the training paper %q: expected those of test papers", l.where, l.Paper)
		}
		p := at[l.Paper]
		if p == nil {
			a.notes.Add(strangers, 1, "")
			continue
		}
		seen := make(map[int32]bool, len(l.Authors))
		for _, name := range l.Authors {
			author, known := a.authors.Place[name]
			switch {
			case !known:
				return fmt.Errorf("papers: %s: candidate %q is in no training paper: expected an author of one", l.where, name)
			case slices.Contains(p.Own, author):
				return fmt.Errorf("papers: %s: candidate %q is an author of paper %q: expected authors of other papers", l.where, name, l.Paper)
			}
			seen[author] = true
			p.Among = append(p.Among, author)
		}
		if len(seen) < len(p.Among) {
			a.notes.Add("papers_with_candidates_given_twice", 1, "")
		}
	}
	for i := range b.Test {
		p := &b.Test[i]
		if len(p.Among) > 0 {
			continue
		}
		var err error
		if p.Among, err = a.Draw.candidates(p, b.Vertices(Author)); err != nil {
			return err
		}
		a.notes.Add("candidates_drawn_for", 1, "")
	}
	return nil
}
