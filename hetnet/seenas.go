package hetnet

import (
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// seenAs says of which network a bibliography is a view: one whose ranked links join vertices with texts, seen as papers, with vertices
// that have vectors of their own, seen as authors.
type seenAs struct {
	network       *typed.Network
	author, paper int    // types
	path          string // from an author to a paper and back
}

// ofTexts says whether a method knows papers and authors, or what it can see as such.
func ofTexts(m *graphs.Method) bool {
	return m.Name == MethodCamel || m.Name == MethodTaPEm || m.Name == MethodPrototype
}

// authorship returns the types of a schema that are as authors and papers are: those that the ranked links join, of which one has texts and
// the other no content.
func authorship(n *typed.Schema, method string) (author, paper int, err error) {
	want := fmt.Sprintf("want links to be ranked that join a type with %s with one without content", typed.Text)
	link := n.Link(n.Rank)
	if link < 0 {
		return 0, 0, fmt.Errorf("hetnet: %s matches texts with vertices, but the schema of %s ranks no links: %s", method, n.Name, want)
	}
	author, paper = n.Links[link].From, n.Links[link].To
	if n.Types[author].Content == typed.Text {
		author, paper = paper, author
	}
	if n.Types[author].Content != typed.NoContent || n.Types[paper].Content != typed.Text {
		return 0, 0, fmt.Errorf("hetnet: %s matches texts with vertices, but links %s of %s do not join texts with vertices without content: %s", method, n.Rank, n.Name, want)
	}
	return author, paper, nil
}

// EmbeddedTypes returns the types whose vertices a method embeds, as Input.Types: nil for all.
func EmbeddedTypes(n *typed.Network, m *graphs.Method) []int {
	if !ofTexts(m) {
		return nil
	}
	author, paper, err := authorship(&n.Schema, m.Name)
	if err != nil {
		return nil // which training will say
	}
	return []int{author, paper}
}

// seenAsBibliography returns a network as a bibliography: vertices with texts are training papers, in their order, those that ranked links
// join them with are their authors, and names have the type before them.
func seenAsBibliography(n *typed.Network, method string) (*Bibliography, error) {
	author, paper, err := authorship(&n.Schema, method)
	if err != nil {
		return nil, err
	}
	link := n.Link(n.Rank)
	typ := n.Schema.Links[link]
	a, p := n.Types[author].Name, n.Types[paper].Name
	b := &Bibliography{Name: n.Name, Words: n.Words, seen: &seenAs{n, author, paper, a + "-" + typ.Name + "-" + p + "-" + typ.Name + "-" + a}}
	for _, name := range n.Names[author] {
		b.Authors = append(b.Authors, typed.VertexName(a, name))
	}
	for i, name := range n.Names[paper] {
		b.Papers = append(b.Papers, Paper{Name: typed.VertexName(p, name), Venue: -1, Tokens: n.Contents[paper].Texts[i]})
		b.Train = append(b.Train, int32(i))
	}
	for i, from := range n.Links[link].From {
		to := n.Links[link].To[i]
		if typ.From == paper {
			from, to = to, from
		}
		b.Papers[to].Authors = append(b.Papers[to].Authors, from)
	}
	return b, nil
}

// types returns the types of authors and papers in Network.
func (b *Bibliography) types() (author, paper int) {
	if b.seen != nil {
		return b.seen.author, b.seen.paper
	}
	return typeAuthor, typePaper
}

// thereAndBack is the meta-path from an author to a paper and to an author of it.
func (b *Bibliography) thereAndBack() string {
	if b.seen != nil {
		return b.seen.path
	}
	return "APA"
}

// encoding is what makes vectors (B,D) of texts.
type encoding interface {
	Encode(ctx context.Context, texts [][]int32, threads int) ([]float32, error)
}

// trainVectors returns the encoder's vectors (P,D) of all training papers.
func (b *Bibliography) trainVectors(e encoding, threads int) ([]float32, error) {
	return e.Encode(context.Background(), b.texts(), threads)
}

// embedding returns the vectors of authors and, of a network that is seen as a bibliography, of what are its papers. It returns
// an error where the encoder fails.
func (b *Bibliography) embedding(authors *graphs.Table, e encoding, threads int) (graphs.Embedding, error) {
	out := graphs.Embedding{D: authors.Width(), Final: slices.Clone(authors.X)}
	if b.seen == nil {
		return out, nil
	}
	papers, err := b.trainVectors(e, threads)
	if err != nil {
		return graphs.Embedding{}, fmt.Errorf("hetnet: vectors of texts: %w", err)
	}
	out.Final = append(out.Final, papers...)
	return out, nil
}
