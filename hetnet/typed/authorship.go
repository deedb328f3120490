package typed

import (
	"fmt"
	"strings"
)

// Authorship is a network seen as papers and authors: ranked links join vertices with texts, the papers, with vertices that have vectors
// of their own, the authors.
type Authorship struct {
	*Network
	Author, Paper int       // types
	AuthorsOf     [][]int32 // of each paper, distinct, in the order of links
	PapersOf      [][]int32 // of each author, ascending
	Back          string    // meta-path from an author to a paper and back
}

// Authorship returns the network as papers and authors. It returns an error unless its schema is as CheckAuthorship wants it.
func (n *Network) Authorship() (*Authorship, error) {
	author, paper, err := n.Schema.authorship()
	if err != nil {
		return nil, err
	}
	link := n.Link(n.Rank)
	a := &Authorship{
		Network: n, Author: author, Paper: paper, Back: n.back(link, author, paper),
		AuthorsOf: make([][]int32, n.Vertices(paper)), PapersOf: make([][]int32, n.Vertices(author)),
	}
	for i, from := range n.Links[link].From {
		to := n.Links[link].To[i]
		if n.Schema.Links[link].From == paper {
			from, to = to, from
		}
		a.AuthorsOf[to] = append(a.AuthorsOf[to], from)
	}
	for p, authors := range a.AuthorsOf {
		for _, v := range authors {
			a.PapersOf[v] = append(a.PapersOf[v], int32(p))
		}
	}
	return a, nil
}

// CheckAuthorship returns an error unless the schema's ranked links join a type with texts with one without content.
func (s *Schema) CheckAuthorship() error {
	_, _, err := s.authorship()
	return err
}

func (s *Schema) authorship() (author, paper int, err error) {
	want := fmt.Sprintf("expected links to be ranked that join a type with %s with one without content", Text)
	link := s.Link(s.Rank)
	if link < 0 {
		return 0, 0, fmt.Errorf("the schema of %s ranks no links: %s", s.Name, want)
	}
	author, paper = s.Links[link].From, s.Links[link].To
	if s.Types[author].Content == Text {
		author, paper = paper, author
	}
	if s.Types[author].Content != NoContent || s.Types[paper].Content != Text {
		return 0, 0, fmt.Errorf("links %s of %s do not join texts with vertices without content: %s", s.Rank, s.Name, want)
	}
	return author, paper, nil
}

// back returns the meta-path from an author to a paper and back: the schema's own in initials, such as APA, or else one that names the links.
func (s *Schema) back(link, author, paper int) string {
	for _, text := range s.Paths {
		p, err := s.ParsePath(text)
		if err == nil && !strings.Contains(text, "-") && len(p.Steps) == 2 && p.Steps[0].Link == link && p.Steps[0].From == author {
			return text
		}
	}
	a, name := s.Types[author].Name, s.Links[link].Name
	return strings.Join([]string{a, name, s.Types[paper].Name, name, a}, "-")
}

// Texts returns the words of each paper, as places in Words.
func (a *Authorship) Texts() [][]int32 { return a.Contents[a.Paper].Texts }
