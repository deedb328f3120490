package hetnet

import (
	"errors"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// Input is what a model learns from.
type Input struct {
	Network *typed.Network
	Words   *encode.Words // of the vocabulary; nil where no type has texts
	Types   []int         // whose vertices are embedded, as embeddedTypes has it; nil for all

	made *typed.Authorship // whose authors are made of their papers; nil for none
}

// OfPapers returns the input that a bibliography is: of its vertices the authors are embedded.
func OfPapers(n *typed.Network, w *encode.Words) Input {
	return Input{Network: n, Words: w, Types: []int{papers.Author}}
}

// OfNetwork returns the input that another network is for a method, without words: a network without contents for metapath2vec, whose vertices all have
// vectors of their own.
func OfNetwork(n *typed.Network, m *graphs.Method) Input {
	if m.Name == MethodMetapath2vec {
		n = n.WithoutContents()
	}
	return Input{Network: n, Types: embeddedTypes(n, m)}
}

// as returns the input as the options have it: with authors that are made of their papers, if they are to be. It returns an error where there are no
// such authors.
func (in Input) as(o graphs.Options) (Input, error) {
	if Own(o).Authors != AuthorsPapers || in.made != nil {
		return in, nil
	}
	if len(in.Types) != 1 {
		return in, fmt.Errorf("hetnet: authors = %q of %s: expected papers and authors, of which the authors alone are embedded", AuthorsPapers, in.Network.Name)
	}
	b, err := in.authorship(o.Method.Name)
	if err != nil {
		return in, err
	}
	in.made, in.Network = b, in.Network.MadeOfLinked(b.Author)
	return in, nil
}

// embedded returns the types whose vertices are in an Embedding: those whose vertices have vectors of their own before those whose vectors
// encoders make.
func (in Input) embedded() (free, encoded []int) {
	for t, typ := range in.Network.Types {
		if in.Types != nil && !slices.Contains(in.Types, t) {
			continue
		}
		if typ.Content == typed.NoContent {
			free = append(free, t)
		} else {
			encoded = append(encoded, t)
		}
	}
	return free, encoded
}

// VertexNames returns the names of the vertices that get vectors in an Embedding. The type stands before each, as in user:17, unless it is
// known to be the only one, as for the authors of a bibliography.
func (in Input) VertexNames() []string {
	if len(in.Types) == 1 {
		return in.Network.Names[in.Types[0]]
	}
	free, encoded := in.embedded()
	var names []string
	for _, t := range append(free, encoded...) {
		names = append(names, in.Network.VertexNames(t)...)
	}
	return names
}

// inputOf returns what a method of this package learns from.
func inputOf(in graphs.Input) (Input, error) {
	i, ok := in.Typed.(Input)
	switch {
	case !ok || i.Network == nil:
		return Input{}, errors.New("hetnet: a network with one type of vertices: expected a heterogeneous one, such as papers and authors")
	case i.Words == nil && i.Network.Has(typed.Text):
		return Input{}, errors.New("hetnet: texts without word vectors: expected some")
	}
	return i, nil
}

// ofTexts says whether a method matches texts with vertices.
func ofTexts(m *graphs.Method) bool {
	return m.Name == MethodCamel || m.Name == MethodTaPEm
}

// authorship returns the input as papers and authors, for a method that knows no others.
func (in Input) authorship(method string) (*typed.Authorship, error) {
	a, err := in.Network.Authorship()
	if err != nil {
		return nil, fmt.Errorf("hetnet: %s matches texts with vertices, but %w", method, err)
	}
	return a, nil
}

// embeddedTypes returns the types whose vertices a method embeds, as Input.Types: nil for all.
func embeddedTypes(n *typed.Network, m *graphs.Method) []int {
	if !ofTexts(m) {
		return nil
	}
	a, err := n.Authorship()
	if err != nil {
		return nil // which training will say
	}
	return []int{a.Author, a.Paper}
}
