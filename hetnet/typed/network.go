package typed

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/digest"
	"github.com/asp2vec/asp2vec/network"
)

// Network is a heterogeneous network. Vertices are places among those of their type.
type Network struct {
	Schema
	Names    [][]string // of the vertices of each type
	Links    []Links    // of each type of links
	Words    []string   // the vocabulary of texts
	Contents []Content  // of each type
}

// Links are the links of a type, in order.
type Links struct {
	From, To []int32
	Weight   []float32 // above 0; nil where all are alike
	Time     []int64   // nil where it is not known
}

// Content is what is known of the vertices of a type beside their links.
type Content struct {
	Texts    [][]int32         // of each vertex, as places in Words; nil for other types
	Features *network.Features // of all vertices; nil for other types
}

// Vertices returns the number of vertices of a type. t is its place in the schema, from 0.
func (n *Network) Vertices(t int) int { return len(n.Names[t]) }

// Has says whether a type has contents of a kind.
func (n *Network) Has(content string) bool {
	return slices.ContainsFunc(n.Types, func(t Type) bool { return t.Content == content })
}

// WithoutContents returns the network as if nothing were known of vertices but their links; itself where that is so.
func (n *Network) WithoutContents() *Network {
	if !n.Has(Text) && !n.Has(Features) {
		return n
	}
	bare := *n
	bare.Types, bare.Contents, bare.Words = nil, make([]Content, len(n.Types)), nil
	for _, t := range n.Types {
		bare.Types = append(bare.Types, Type{Name: t.Name})
	}
	return &bare
}

// MadeOfLinked returns the network with the vertices of a type known by the texts that they are linked to, and their aspect by the context.
func (n *Network) MadeOfLinked(typ int) *Network {
	other := *n
	other.Types = slices.Clone(n.Types)
	other.Types[typ].Content, other.Types[typ].Aspect = Linked, AspectByContext
	return &other
}

// Spelt returns the words of a text.
func (n *Network) Spelt(tokens []int32) []string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = n.Words[t]
	}
	return words
}

// VertexNames returns the names of a type's vertices, with the type before each.
func (n *Network) VertexNames(t int) []string {
	names := make([]string, n.Vertices(t))
	for v, name := range n.Names[t] {
		names[v] = VertexName(n.Types[t].Name, name)
	}
	return names
}

// VertexName returns a name of a vertex that tells its type.
func VertexName(typ, name string) string { return typ + ":" + name }

// Checksum returns the SHA-256, in hexadecimal, of everything in the network but its name and the meta-paths.
func (n *Network) Checksum() string {
	d := digest.New()
	d.Text("typed " + n.Rank)
	for t, typ := range n.Types {
		d.Text(typ.Name + " " + typ.Content)
		if typ.Content != NoContent && typ.ByContext() {
			d.Text("aspect " + AspectByContext)
		}
		d.Texts(n.Names[t])
		for _, tokens := range n.Contents[t].Texts {
			d.Ints(tokens)
		}
		if f := n.Contents[t].Features; f != nil {
			d.Text(f.Checksum())
		}
	}
	for i, typ := range n.Schema.Links {
		d.Text(fmt.Sprint(typ.Name, typ.From, typ.To, typ.Directed))
		l := n.Links[i]
		d.Ints(l.From)
		d.Ints(l.To)
		for _, x := range l.Weight {
			d.Float(x)
		}
		for _, x := range l.Time {
			d.Uint(uint64(x))
		}
	}
	for _, word := range n.Words {
		d.Text(word)
	}
	return d.Sum()
}
