package formats

import (
	"html"
	"io"
	"strings"
)

// readGML reads the one graph of a file. Vertices are named by their labels if all have one of their own, else by their ids; the
// weight of an edge is its weight or value.
//
// Source: Himsolt, GML: A portable Graph File Format.
func readGML(t *text, s *sink) error {
	g := gml{text: t, sink: s, way: bothWays}
	for {
		key, err := g.word()
		if err == io.EOF {
			if !g.begun {
				return t.errorf("has no graph: want one")
			}
			return nil
		}
		if err != nil {
			return err
		}
		if key.kind != gmlKey {
			return t.errorf("%.40q: want a key such as graph", key.text)
		}
		value, err := g.word()
		if err != nil {
			return unexpected(err)
		}
		switch {
		case value.kind == gmlOpen && strings.EqualFold(key.text, "graph"):
			if g.begun {
				return t.errorf("a second graph: want one")
			}
			g.begun = true
			err = g.graph()
		case value.kind == gmlOpen:
			err = g.skip(1)
		case value.kind == gmlClose:
			err = t.errorf("]: want a value of %.40s", key.text)
		case strings.EqualFold(key.text, "directed"):
			err = g.direction(value)
		}
		if err != nil {
			return err
		}
	}
}

// unexpected returns the error for an end of the file where more must follow.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

type gml struct {
	*text
	*sink
	begun bool
	way   way
}

type gmlKind int

const (
	gmlKey gmlKind = iota
	gmlNumber
	gmlString
	gmlOpen
	gmlClose
)

type gmlWord struct {
	kind gmlKind
	text string
}

// word returns the next word of the file.
func (g *gml) word() (gmlWord, error) {
	for {
		b, err := g.next()
		if err != nil {
			return gmlWord{}, err
		}
		switch {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
		case b == '#': // a comment
			for b != '\n' {
				if b, err = g.next(); err != nil {
					return gmlWord{}, err
				}
			}
		case b == '[':
			return gmlWord{gmlOpen, "["}, nil
		case b == ']':
			return gmlWord{gmlClose, "]"}, nil
		case b == '"':
			return g.quoted()
		default:
			return g.plain(b)
		}
	}
}

func (g *gml) quoted() (gmlWord, error) {
	var out []byte
	for {
		b, err := g.next()
		if err != nil {
			return gmlWord{}, unexpected(err)
		}
		if b == '"' {
			return gmlWord{gmlString, html.UnescapeString(string(out))}, nil
		}
		if out = append(out, b); len(out) > longest {
			return gmlWord{}, g.errorf("a string is longer than %d bytes: want shorter ones", longest)
		}
	}
}

func (g *gml) plain(b byte) (gmlWord, error) {
	kind := gmlKey
	if b >= '0' && b <= '9' || b == '-' || b == '+' || b == '.' {
		kind = gmlNumber
	}
	out := []byte{b}
	for {
		b, err := g.next()
		if err == io.EOF {
			return gmlWord{kind, string(out)}, nil
		}
		if err != nil {
			return gmlWord{}, err
		}
		if b == ' ' || b == '\t' || b == '\r' || b == '\n' || b == '[' || b == ']' || b == '"' {
			g.back(b)
			return gmlWord{kind, string(out)}, nil
		}
		if out = append(out, b); len(out) > longest {
			return gmlWord{}, g.errorf("a word is longer than %d bytes: want shorter ones", longest)
		}
	}
}

// skip reads up to the end of a list, of which so many are open.
func (g *gml) skip(open int) error {
	for open > 0 {
		w, err := g.word()
		if err != nil {
			return unexpected(err)
		}
		switch w.kind {
		case gmlOpen:
			open++
		case gmlClose:
			open--
		}
	}
	return nil
}

func (g *gml) direction(value gmlWord) error {
	switch {
	case g.Links() > 0:
		return g.errorf("directed after links: want it before")
	case value.text == "1":
		g.way = oneWay
	case value.text == "0":
		g.way = bothWays
	default:
		return g.errorf("directed %.40s: want 0 or 1", value.text)
	}
	return nil
}

// list calls do with the keys and values of a list up to its end; lists among the values are skipped unless inside reads them.
func (g *gml) list(do func(key string, value gmlWord) error, inside func(key string) error) error {
	for {
		key, err := g.word()
		if err != nil {
			return unexpected(err)
		}
		if key.kind == gmlClose {
			return nil
		}
		if key.kind != gmlKey {
			return g.errorf("%.40q: want a key", key.text)
		}
		value, err := g.word()
		if err != nil {
			return unexpected(err)
		}
		switch value.kind {
		case gmlOpen:
			if inside == nil {
				err = g.skip(1)
			} else {
				err = inside(strings.ToLower(key.text))
			}
		case gmlClose:
			err = g.errorf("]: want a value of %.40s", key.text)
		default:
			err = do(strings.ToLower(key.text), value)
		}
		if err != nil {
			return err
		}
	}
}

func (g *gml) graph() error {
	return g.list(func(key string, value gmlWord) error {
		if key == "directed" {
			return g.direction(value)
		}
		return nil
	}, func(key string) error {
		switch key {
		case "node":
			return g.node()
		case "edge":
			return g.edge()
		}
		return g.skip(1)
	})
}

func (g *gml) node() error {
	var id, label string
	err := g.list(func(key string, value gmlWord) error {
		switch key {
		case "id":
			id = value.text
		case "label":
			label = value.text
		}
		return nil
	}, nil)
	if err != nil {
		return err
	}
	v, err := g.declare([]byte(id))
	g.label(v, label)
	return err
}

func (g *gml) edge() error {
	var ends [2]string
	var weight, value string
	err := g.list(func(key string, w gmlWord) error {
		switch key {
		case "source":
			ends[0] = w.text
		case "target":
			ends[1] = w.text
		case "weight":
			weight = w.text
		case "value":
			value = w.text
		}
		return nil
	}, nil)
	if err != nil {
		return err
	}
	if weight == "" {
		weight = value
	}
	x := 1.0
	if weight != "" {
		if x, err = g.number(weight); err != nil {
			return err
		}
	}
	from, err := g.end([]byte(ends[0]), g.line)
	if err != nil {
		return err
	}
	to, err := g.end([]byte(ends[1]), g.line)
	if err != nil {
		return err
	}
	return g.link(from, to, x, g.way)
}
