package hetnet

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// Input is what a model learns from: papers and authors, or another heterogeneous network.
type Input struct {
	Bibliography *Bibliography  // nil for other networks
	Typed        *typed.Network // nil for a bibliography, whose Network it is
	Words        *Words         // of the vocabulary; nil where no type has texts
	Types        []int          // of Typed, whose vertices are embedded, as EmbeddedTypes has it; nil for all
}

// network returns the heterogeneous network.
func (in Input) network() *typed.Network {
	if in.Typed != nil {
		return in.Typed
	}
	return in.Bibliography.Network()
}

// embedded returns the types whose vertices are in an Embedding: authors, or the types of Types, those whose vertices have vectors of their own
// before those whose vectors encoders make.
func (in Input) embedded(n *typed.Network) (free, encoded []int) {
	if in.Typed == nil {
		return []int{typeAuthor}, nil
	}
	for t, typ := range n.Types {
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

// VertexNames returns the names of the vertices that get vectors in an Embedding: those of authors; of other networks the type
// stands before each, as in user:17.
func (in Input) VertexNames() []string {
	if in.Typed == nil {
		return in.Bibliography.Authors
	}
	var names []string
	free, encoded := in.embedded(in.Typed)
	for _, t := range append(free, encoded...) {
		for _, name := range in.Typed.Names[t] {
			names = append(names, typed.VertexName(in.Typed.Types[t].Name, name))
		}
	}
	return names
}

// inputOf returns what a method of this package learns from.
func inputOf(in graphs.Input) (Input, error) {
	i, ok := in.Typed.(Input)
	switch {
	case !ok || i.Bibliography == nil && i.Typed == nil:
		return Input{}, fmt.Errorf("hetnet: a network with one type of vertices: want a heterogeneous one, such as papers and authors")
	case i.Words == nil && (i.Bibliography != nil || i.Typed.Has(typed.Text)):
		return Input{}, fmt.Errorf("hetnet: texts without word vectors: want some")
	}
	return i, nil
}

// bibliographyOf is inputOf for methods that know papers and authors, and other heterogeneous networks as such.
func bibliographyOf(in graphs.Input, method string) (Input, error) {
	i, err := inputOf(in)
	if err == nil && i.Bibliography == nil {
		i.Bibliography, err = seenAsBibliography(i.Typed, method)
	}
	return i, err
}
