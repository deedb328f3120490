package formats

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// xmlReader reads the elements of a file one after the other.
type xmlReader struct {
	*text
	*xml.Decoder
	depth int
}

func newXML(t *text) *xmlReader { return &xmlReader{text: t, Decoder: xml.NewDecoder(t.r)} }

// next returns the next token, or io.EOF after the last.
func (x *xmlReader) next() (xml.Token, error) {
	token, err := x.Token()
	x.line, _ = x.InputPos()
	var wrong *xml.SyntaxError
	switch {
	case err == io.EOF:
		return nil, err
	case errors.As(err, &wrong):
		if strings.Contains(wrong.Msg, "unexpected EOF") {
			return nil, io.ErrUnexpectedEOF
		}
		return nil, x.errorf("is not XML: %s", wrong.Msg)
	case err != nil:
		return nil, readError(err)
	}
	switch token.(type) {
	case xml.StartElement:
		if x.depth++; x.depth > 1000 {
			return nil, x.errorf("more than 1000 elements in each other: want fewer")
		}
	case xml.EndElement:
		x.depth--
	}
	return token, nil
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

// chars returns the text of the element that was begun last.
func (x *xmlReader) chars() (string, error) {
	var out []byte
	for {
		token, err := x.next()
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.CharData:
			out = append(out, token...)
		case xml.StartElement:
			return "", x.errorf("<%.40s> in a value: want text", token.Name.Local)
		case xml.EndElement:
			return strings.TrimSpace(string(out)), nil
		}
	}
}

// readGraphML reads one graph: its nodes, and its edges, with the data whose key is named weight. Vertices are named by the data
// whose key is named name if all have one of their own, as igraph writes them, else by their ids.
func readGraphML(t *text, s *sink) error {
	x := newXML(t)
	g := graphML{xmlReader: x, sink: s, node: -1}
	for {
		token, err := x.next()
		if err == io.EOF {
			if !g.begun {
				return t.errorf("has no <graph>: want one")
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			err = g.start(e)
		case xml.EndElement:
			err = g.end(e.Name.Local)
		}
		if err != nil {
			return err
		}
	}
}

type graphML struct {
	*xmlReader
	*sink
	begun     bool
	usual     way    // of edges that do not say
	weightKey string // id of the key of weights
	nameKey   string // id of the key of names
	node      int32  // that is open, -1 for none
	usually   string // weight of edges without one

	edge struct {
		open     bool
		from, to int32
		way      way
		weight   string
	}
}

func (g *graphML) start(e xml.StartElement) (err error) {
	switch e.Name.Local {
	case "graph":
		if g.begun {
			return g.errorf("a second <graph>, or one in another: want one")
		}
		g.begun = true
		switch direction := attribute(e, "edgedefault"); direction {
		case "directed":
			g.usual = oneWay
		case "undirected":
			g.usual = bothWays
		default:
			return g.errorf("edgedefault is %.40q: want directed or undirected", direction)
		}
	case "key":
		if attribute(e, "attr.name") == "weight" && (attribute(e, "for") == "edge" || attribute(e, "for") == "all") {
			g.weightKey = attribute(e, "id")
		}
		if attribute(e, "attr.name") == "name" && (attribute(e, "for") == "node" || attribute(e, "for") == "all") {
			g.nameKey = attribute(e, "id")
		}
	case "default":
		text, err := g.chars()
		if err == nil && g.weightKey != "" && g.usually == "" {
			g.usually = text
		}
		return err
	case "node":
		g.node, err = g.declare([]byte(attribute(e, "id")))
	case "edge":
		g.node = -1
		if g.edge.from, err = g.sink.end([]byte(attribute(e, "source")), g.line); err != nil {
			return err
		}
		if g.edge.to, err = g.sink.end([]byte(attribute(e, "target")), g.line); err != nil {
			return err
		}
		g.edge.open, g.edge.weight, g.edge.way = true, "", g.usual
		switch directed := attribute(e, "directed"); directed {
		case "":
		case "true", "1":
			g.edge.way = oneWay
		case "false", "0":
			g.edge.way = bothWays
		default:
			return g.errorf("directed is %.40q: want true or false", directed)
		}
	case "data":
		switch key := attribute(e, "key"); {
		case key == "":
		case g.edge.open && key == g.weightKey:
			g.edge.weight, err = g.chars()
			if err == nil && g.edge.weight == "" {
				err = g.errorf("an empty weight: want a finite number > 0")
			}
		case !g.edge.open && g.node >= 0 && key == g.nameKey:
			var name string
			name, err = g.chars()
			g.label(g.node, name)
		}
	case "hyperedge":
		return g.errorf("a <hyperedge>: want links of two vertices")
	}
	return err
}

func (g *graphML) end(name string) error {
	if name == "node" {
		g.node = -1
	}
	if name != "edge" || !g.edge.open {
		return nil
	}
	g.edge.open = false
	weight, text := 1.0, g.edge.weight
	if text == "" {
		text = g.usually
	}
	if text != "" {
		var err error
		if weight, err = g.number(text); err != nil {
			return err
		}
	}
	return g.link(g.edge.from, g.edge.to, weight, g.edge.way)
}

// readGEXF reads the graph of a GEXF file: its nodes, under their ids, and its edges, with their weights.
func readGEXF(t *text, s *sink) error {
	x := newXML(t)
	begun, usual := false, bothWays
	for {
		token, err := x.next()
		if err == io.EOF {
			if !begun {
				return t.errorf("has no <graph>: want one")
			}
			return nil
		}
		if err != nil {
			return err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "graph":
			if begun {
				return t.errorf("a second <graph>: want one")
			}
			begun = true
			if usual, err = gexfWay(t, attribute(e, "defaultedgetype"), bothWays); err != nil {
				return err
			}
		case "node":
			if _, err := s.declare([]byte(attribute(e, "id"))); err != nil {
				return err
			}
		case "edge":
			from, err := s.end([]byte(attribute(e, "source")), t.line)
			if err != nil {
				return err
			}
			to, err := s.end([]byte(attribute(e, "target")), t.line)
			if err != nil {
				return err
			}
			w, err := gexfWay(t, attribute(e, "type"), usual)
			if err != nil {
				return err
			}
			weight := 1.0
			if text := attribute(e, "weight"); text != "" {
				if weight, err = t.number(text); err != nil {
					return err
				}
			}
			if err := s.link(from, to, weight, w); err != nil {
				return err
			}
		}
	}
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
	return 0, t.errorf("edge type %.40q: want directed, undirected or mutual", name)
}
