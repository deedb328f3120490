package formats

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// eachElement calls do with the beginning of each element of an XML text, and checks that there is one graph, which do is told of as well.
func eachElement(t *text, do func(d *xml.Decoder, e xml.StartElement) error) error {
	d := xml.NewDecoder(t.r)
	d.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		switch strings.ToLower(label) {
		case "us-ascii", "ascii": // all of it is UTF-8, too
			return r, nil
		case "iso-8859-1", "latin1":
			return &latin1{r: r}, nil
		}
		return nil, t.errorf("is text in %.40s: expected UTF-8 or ISO-8859-1", label)
	}
	begun := false
	for {
		token, err := d.Token()
		t.line, _ = d.InputPos()
		if err == io.EOF {
			if !begun {
				return t.errorf("has no <graph>: expected one")
			}
			return nil
		}
		e, starts := token.(xml.StartElement)
		if err == nil && starts {
			if e.Name.Local == "graph" && begun {
				return t.errorf("a second <graph>, or one in another: expected one")
			}
			begun = begun || e.Name.Local == "graph"
			err = do(d, e)
		}
		if err != nil {
			return xmlError(t, err)
		}
	}
}

// latin1 makes UTF-8 of text in ISO-8859-1, whose bytes are the numbers of its characters.
type latin1 struct {
	r    io.Reader
	left []byte // of what was made
}

// Read reads on.
func (l *latin1) Read(p []byte) (int, error) {
	for len(l.left) == 0 {
		n, err := l.r.Read(p)
		for _, b := range p[:n] {
			l.left = utf8.AppendRune(l.left, rune(b))
		}
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// xmlError words the errors of the decoder.
func xmlError(t *text, err error) error {
	var wrong *xml.SyntaxError
	switch {
	case !errors.As(err, &wrong):
		return err
	case strings.Contains(wrong.Msg, "unexpected EOF"):
		return io.ErrUnexpectedEOF
	}
	return t.errorf("is not XML: %s", wrong.Msg)
}

// attribute returns the value of an attribute, "" for none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// graphML is what the keys and the graph say of all nodes and edges.
type graphML struct {
	*text
	*sink
	usual  way          // of edges that do not say
	weight graphMLKey   // of weights
	keys   []graphMLKey // of nodes
}

// graphMLKey says what data are.
type graphMLKey struct{ id, name, usually string } // usually is the value of those without one; "" where there is none

// readGraphML reads one graph: its nodes, and its edges, with the data whose key is named weight. Vertices are named by the data
// whose key is named name, as igraph writes them, or label, as Gephi does, or by the label of what yEd draws, if all have one of their own,
// else by their ids.
func readGraphML(t *text, s *sink) error {
	g := graphML{text: t, sink: s}
	return eachElement(t, func(d *xml.Decoder, e xml.StartElement) error {
		switch e.Name.Local {
		case "graph":
			return g.graph(e)
		case "key":
			return g.key(d, e)
		case "node":
			return g.node(d, e)
		case "edge":
			return g.edge(d, e)
		case "hyperedge":
			return g.errorf("a <hyperedge>: expected links of two vertices")
		}
		return nil
	})
}

func (g *graphML) graph(e xml.StartElement) error {
	switch direction := attribute(e, "edgedefault"); direction {
	case "directed":
		g.usual = oneWay
	case "undirected":
		g.usual = bothWays
	default:
		return g.errorf("edgedefault is %.40q: expected directed or undirected", direction)
	}
	return nil
}

// key notes the keys of weights and of nodes.
func (g *graphML) key(d *xml.Decoder, e xml.StartElement) error {
	var key struct {
		Default string `xml:"default"`
	}
	if err := d.DecodeElement(&key, &e); err != nil {
		return err
	}
	k := graphMLKey{attribute(e, "id"), attribute(e, "attr.name"), strings.TrimSpace(key.Default)}
	of := attribute(e, "for")
	if k.name == "weight" && (of == "edge" || of == "all") {
		g.weight = k
	}
	if of == "node" || of == "all" {
		g.keys = append(g.keys, k)
	}
	return nil
}

// graphMLItem is what a node or an edge holds.
type graphMLItem struct {
	Data []struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
		// Shape is how yEd draws a node, with its label.
		Shape []struct {
			Label string `xml:"NodeLabel"`
		} `xml:",any"`
	} `xml:"data"`
	Graph []struct{} `xml:"graph"`
}

// data reads an element to its end.
func (g *graphML) data(d *xml.Decoder, e xml.StartElement) (item graphMLItem, err error) {
	if err = d.DecodeElement(&item, &e); err == nil && item.Graph != nil {
		err = g.errorf("a second <graph>, or one in another: expected one")
	}
	return item, err
}

// value returns the data of a key.
func (i graphMLItem) value(k graphMLKey) (value string, given bool) {
	for _, data := range i.Data {
		if data.Key == k.id && k.id != "" {
			return data.Text, true
		}
	}
	return k.usually, false
}

func (g *graphML) node(d *xml.Decoder, e xml.StartElement) error {
	v, err := g.declare([]byte(attribute(e, "id")))
	if err != nil {
		return err
	}
	item, err := g.data(d, e)
	names := map[string]string{}
	for _, k := range g.keys {
		value, given := item.value(k)
		if given {
			names[k.name] = value
		}
		g.attribute(v, k.name, value)
	}
	for _, data := range item.Data {
		for _, shape := range data.Shape {
			if shape.Label != "" {
				names["label of a shape"] = shape.Label
				g.attribute(v, "label of a shape", shape.Label)
			}
		}
	}
	for _, kind := range []string{"name", "label", "label of a shape"} {
		if name, given := names[kind]; given {
			g.label(v, kind, name)
			break
		}
	}
	return err
}

func (g *graphML) edge(d *xml.Decoder, e xml.StartElement) error {
	w := g.usual
	switch directed := attribute(e, "directed"); directed {
	case "":
	case "true", "1":
		w = oneWay
	case "false", "0":
		w = bothWays
	default:
		return g.errorf("directed is %.40q: expected true or false", directed)
	}
	line := g.line
	item, err := g.data(d, e)
	if err != nil {
		return err
	}
	weight, given := item.value(g.weight)
	if weight = strings.TrimSpace(weight); given && weight == "" {
		return g.errorf("an empty weight: expected a finite number > 0")
	}
	return g.join(attribute(e, "source"), attribute(e, "target"), weight, w, line)
}

// readGEXF reads the graph of a GEXF file: its nodes and its edges, with their weights, which may be an attribute of edges. Nodes are named by their labels if all have one of
// their own, else by their ids.
func readGEXF(t *text, s *sink) error {
	usual := bothWays
	ofNodes, names := false, map[string]string{} // of attributes of nodes, by their ids
	v := int32(-1)                               // the node that values are of; -1 for an edge
	weight := ""                                 // the id of the attribute of edges that is called weight
	type edge struct {
		source, target, weight string
		way                    way
		line                   int
	}
	var open *edge // whose values follow
	flush := func() error {
		if open == nil {
			return nil
		}
		e := *open
		open = nil
		return s.join(e.source, e.target, e.weight, e.way, e.line)
	}
	err := eachElement(t, func(_ *xml.Decoder, e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "graph":
			usual, err = gexfWay(t, attribute(e, "defaultedgetype"), bothWays)
		case "attributes":
			ofNodes = attribute(e, "class") == "node"
		case "attribute":
			if ofNodes {
				names[attribute(e, "id")] = attribute(e, "title")
			} else if strings.EqualFold(attribute(e, "title"), "weight") {
				weight = attribute(e, "id")
			}
		case "node":
			if v, err = s.declare([]byte(attribute(e, "id"))); err != nil {
				return err
			}
			if label := attribute(e, "label"); label != "" {
				s.label(v, "label", label)
				s.attribute(v, "label", label)
			}
		case "attvalue":
			id := attribute(e, "for")
			if id == "" {
				id = attribute(e, "id") // in GEXF 1.1
			}
			switch name := names[id]; {
			case v >= 0 && name != "":
				s.attribute(v, name, attribute(e, "value"))
			case v < 0 && open != nil && weight != "" && id == weight:
				if open.weight != "" {
					return t.errorf("the link of %.40q and %.40q has several weights: expected one, since times are not read", open.source, open.target)
				}
				open.weight = attribute(e, "value")
			}
		case "edge":
			v = -1
			w, err := gexfWay(t, attribute(e, "type"), usual)
			if err == nil {
				err = flush()
			}
			open = &edge{attribute(e, "source"), attribute(e, "target"), attribute(e, "weight"), w, t.line}
			return err
		}
		return err
	})
	if err != nil {
		return err
	}
	return flush()
}

func gexfWay(t *text, name string, usual way) (way, error) {
	switch strings.ToLower(name) {
	case "":
		return usual, nil
	case "directed":
		return oneWay, nil
	case "undirected", "mutual":
		return bothWays, nil
	}
	return 0, t.errorf("edge type %.40q: expected directed, undirected or mutual", name)
}
