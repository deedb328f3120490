package typed

import (
	"fmt"
	"math"
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

// Check returns an error unless the schema passes its own, links join vertices that there are with weights above 0, and contents are
// those that the schema says.
func (n *Network) Check() error {
	if err := n.Schema.Check(); err != nil {
		return err
	}
	if len(n.Names) != len(n.Types) || len(n.Links) != len(n.Schema.Links) || len(n.Contents) != len(n.Types) {
		return fmt.Errorf("typed: %s has vertices of %d types, contents of %d and links of %d types: want %d, %d and %d",
			n.Name, len(n.Names), len(n.Contents), len(n.Links), len(n.Types), len(n.Types), len(n.Schema.Links))
	}
	all := 0
	for t, names := range n.Names {
		all += len(names)
		if err := n.checkContent(t); err != nil {
			return err
		}
	}
	if all > math.MaxInt32 {
		return fmt.Errorf("typed: %s has %d vertices: want a number within int32", n.Name, all)
	}
	for i := range n.Links {
		if err := n.checkLinks(i); err != nil {
			return err
		}
	}
	return nil
}

func (n *Network) checkContent(t int) error {
	c, typ, vertices := n.Contents[t], n.Types[t], n.Vertices(t)
	if (c.Texts != nil) != (typ.Content == Text) || (c.Features != nil) != (typ.Content == Features) {
		return fmt.Errorf("typed: %s: contents of %s are not %q: want what the schema says", n.Name, typ.Name, typ.Content)
	}
	if c.Features != nil && len(c.Features.Offsets) != vertices+1 {
		return fmt.Errorf("typed: %s: features of %d vertices of type %s: want those of %d", n.Name, len(c.Features.Offsets)-1, typ.Name, vertices)
	}
	if c.Texts != nil && len(c.Texts) != vertices {
		return fmt.Errorf("typed: %s: texts of %d vertices of type %s: want those of %d", n.Name, len(c.Texts), typ.Name, vertices)
	}
	for v, text := range c.Texts {
		for _, w := range text {
			if w < 0 || int(w) >= len(n.Words) {
				return fmt.Errorf("typed: %s: text of %s %q has word %d: want 0 to %d", n.Name, typ.Name, n.Names[t][v], w, len(n.Words)-1)
			}
		}
	}
	return nil
}

func (n *Network) checkLinks(i int) error {
	l, typ := n.Links[i], n.Schema.Links[i]
	if len(l.From) != len(l.To) || l.Weight != nil && len(l.Weight) != len(l.From) || l.Time != nil && len(l.Time) != len(l.From) {
		return fmt.Errorf("typed: %s: links %s have %d sources, %d targets, %d weights and %d times: want as many of each",
			n.Name, typ.Name, len(l.From), len(l.To), len(l.Weight), len(l.Time))
	}
	from, to := n.Vertices(typ.From), n.Vertices(typ.To)
	for k := range l.From {
		if l.From[k] < 0 || int(l.From[k]) >= from || l.To[k] < 0 || int(l.To[k]) >= to {
			return fmt.Errorf("typed: %s: links %s join %d and %d: want less than %d and %d", n.Name, typ.Name, l.From[k], l.To[k], from, to)
		}
		if l.Weight != nil && (!(l.Weight[k] > 0) || math.IsInf(float64(l.Weight[k]), 0)) {
			return fmt.Errorf("typed: %s: a link %s has the weight %v: want a finite number above 0", n.Name, typ.Name, l.Weight[k])
		}
	}
	return nil
}

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
