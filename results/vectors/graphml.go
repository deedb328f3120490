package vectors

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/results/render"
)

// Attribute is what is known of each of N vertices.
type Attribute struct {
	Name string
	Type string           // in GraphML: string, int or double
	Of   func(int) string // vertex v; "" for none
}

// GraphML is a network with attributes of its vertices.
type GraphML struct {
	Names      []string // (N)
	Directed   bool
	Links      [][2]int32 // positions in Names
	Attributes []Attribute
}

// WriteGraphML writes a network as GraphML, which networkx, Gephi, Cytoscape and yEd read. A vertex is the node n0, n1, ... and
// has its name as the attribute "name"; characters that XML cannot hold are written as Printable says.
//
// Source: Brandes et al., Graph Drawing 2001; http://graphml.graphdrawing.org/primer/graphml-primer.html.
func WriteGraphML(w io.Writer, g GraphML) error {
	attributes := append([]Attribute{{"name", "string", func(v int) string { return g.Names[v] }}}, g.Attributes...)
	direction := "undirected"
	if g.Directed {
		direction = "directed"
	}
	b := bufio.NewWriter(w)
	b.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	for i, a := range attributes {
		fmt.Fprintf(b, `  <key id="d%d" for="node" attr.name="%s" attr.type="%s"/>`+"\n", i, xmlText(a.Name), a.Type)
	}
	fmt.Fprintf(b, `  <graph edgedefault="%s">`+"\n", direction)
	for v := range g.Names {
		fmt.Fprintf(b, `    <node id="n%d">`, v)
		for i, a := range attributes {
			if value := a.Of(v); value != "" {
				fmt.Fprintf(b, `<data key="d%d">%s</data>`, i, xmlText(value))
			}
		}
		b.WriteString("</node>\n")
	}
	for _, l := range g.Links {
		fmt.Fprintf(b, `    <edge source="n%d" target="n%d"/>`+"\n", l[0], l[1])
	}
	b.WriteString("  </graph>\n</graphml>\n")
	return b.Flush()
}

// xmlText escapes a text for XML, where a few characters cannot stand in any form.
func xmlText(s string) string {
	legal := func(r rune) bool {
		return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r != 0xfffe && r != 0xffff
	}
	if !utf8.ValidString(s) || strings.IndexFunc(s, func(r rune) bool { return !legal(r) }) >= 0 {
		s = render.Printable(s)
	}
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a strings.Builder takes all
	return b.String()
}
