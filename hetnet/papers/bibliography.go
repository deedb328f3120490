// Package papers is about bibliographies: networks of authors, venues and papers, with papers whose authors are to be named. It reads,
// writes and draws them, and measures how well authors are told from others. It knows no model.
package papers

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/digest"
	"github.com/asp2vec/asp2vec/network"
)

// Types of vertices and of links of a bibliography, as places in its schema.
const (
	Author = iota
	Venue
	Trained // papers to learn from

	writes = iota - 3
	published
	cites
)

// Paths are the meta-paths of Camel's code.
const Paths = "APA,APVPA,APPA"

// Schema returns that of papers, authors and venues: papers are known by their texts.
func Schema() *typed.Schema {
	return &typed.Schema{
		Types: []typed.Type{{Name: "author"}, {Name: "venue"}, {Name: "paper", Content: typed.Text}},
		Links: []typed.LinkType{
			{Name: "writes", From: Author, To: Trained},
			{Name: "published", From: Trained, To: Venue},
			{Name: "cites", From: Trained, To: Trained, Directed: true},
		},
		Paths: strings.Split(Paths, ","),
		Rank:  "writes",
	}
}

// NewNetwork returns a network of Schema without links and papers.
func NewNetwork(name string, authors, venues, words []string) *typed.Network {
	n := &typed.Network{
		Schema: *Schema(), Words: words,
		Names: [][]string{authors, venues, nil}, Links: make([]typed.Links, 3), Contents: make([]typed.Content, 3),
	}
	n.Name, n.Contents[Trained].Texts = name, [][]int32{}
	return n
}

// Bibliography is a network of authors, venues and training papers, whose authors are those of these papers, since nothing could be learnt
// of others; and test papers, which are not in the network.
type Bibliography struct {
	*typed.Authorship
	Test []Paper // in the order of the source

	places []int32 // of training papers among all papers of the source, ascending
}

// Paper is one whose authors are to be named: those that are in training papers, at least one, among at least one other. Numbers are places
// among the network's vertices.
type Paper struct {
	typed.Question
	Venue int32   // -1 where there is none
	Cites []int32 // training papers, distinct

	place int32 // among all papers of the source
}

// Papers returns how many papers there are, training and test.
func (b *Bibliography) Papers() int { return len(b.Names[Trained]) + len(b.Test) }

// Sizes returns how many papers, authors, venues and different words there are, how many papers are for training and for the test, and how many
// pairs of a training paper and its author, of a test paper and its author, and references, of both kinds of papers.
func (b *Bibliography) Sizes() (sizes network.Notes) {
	pairs, references := 0, len(b.Links[cites].From)
	for _, p := range b.Test {
		pairs, references = pairs+len(p.Own), references+len(p.Cites)
	}
	sizes.Add("papers", b.Papers(), "")
	sizes.Add("authors", b.Vertices(Author), "")
	sizes.Add("venues", b.Vertices(Venue), "")
	sizes.Add("words", len(b.Words), "")
	sizes.Add("train", b.Vertices(Trained), "")
	sizes.Add("test", len(b.Test), "")
	sizes.Add("training_pairs", len(b.Written().From), "")
	sizes.Add("test_pairs", pairs, "")
	sizes.Add("references", references, "")
	return sizes
}

// Find returns the words and the authors of a paper by its name, training or test, and whether it is there.
func (b *Bibliography) Find(name string) (tokens, authors []int32, found bool) {
	if i := slices.Index(b.Names[Trained], name); i >= 0 {
		return b.Texts()[i], b.AuthorsOf[i], true
	}
	for _, p := range b.Test {
		if p.Name == name {
			return p.Text, p.Own, true
		}
	}
	return nil, nil, false
}

// PaperNames returns the names of all papers, the training papers first.
func (b *Bibliography) PaperNames() []string {
	names := slices.Clone(b.Names[Trained])
	for _, p := range b.Test {
		names = append(names, p.Name)
	}
	return names
}

// Written returns the links from authors to their training papers.
func (b *Bibliography) Written() typed.Links { return b.Links[writes] }

// Checksum returns the SHA-256, in hexadecimal, of everything in the bibliography but its name, with papers in the order of the source.
func (b *Bibliography) Checksum() string {
	d := digest.New()
	d.Text("bibliography")
	for _, names := range [][]string{b.Names[Author], b.Names[Venue], b.Words} {
		d.Texts(names)
	}
	var test []int32
	for _, p := range b.Test {
		test = append(test, p.place)
	}
	d.Ints(b.places)
	d.Ints(test)
	d.Uint(uint64(b.Papers()))
	for p := range b.ordered() {
		d.Text(p.Name)
		d.Uint(uint64(p.Venue))
		all := make([]int32, len(p.Cites))
		for i, q := range p.Cites {
			all[i] = b.places[q]
		}
		for _, xs := range [][]int32{p.Own, all, p.Text, p.Among} {
			d.Ints(xs)
		}
	}
	return d.Sum()
}

// ordered gives all papers in the order of the source, training papers as test papers without candidates.
func (b *Bibliography) ordered() func(yield func(Paper) bool) {
	venue, cited := make([]int32, len(b.places)), make([][]int32, len(b.places))
	for i := range venue {
		venue[i] = -1
	}
	for i, p := range b.Links[published].From {
		venue[p] = b.Links[published].To[i]
	}
	for i, p := range b.Links[cites].From {
		cited[p] = append(cited[p], b.Links[cites].To[i])
	}
	return func(yield func(Paper) bool) {
		train, test := 0, 0
		for range b.Papers() {
			var p Paper
			if test == len(b.Test) || train < len(b.places) && b.places[train] < b.Test[test].place {
				p.Question = typed.Question{Name: b.Names[Trained][train], Text: b.Texts()[train], Own: b.AuthorsOf[train]}
				p.Venue, p.Cites = venue[train], cited[train]
				train++
			} else {
				p = b.Test[test]
				test++
			}
			if !yield(p) {
				return
			}
		}
	}
}
