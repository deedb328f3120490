package formats

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"io"
	"strings"
)

// gml reads the one graph of a file, word by word.
type gml struct {
	*text
	*sink
	words *bufio.Scanner
	begun bool
	way   way
}

// readGML reads the one graph of a file. Vertices are named by their labels, or names, if all have one of
// their own, else by their ids; the weight of an edge is its weight or value.
//
// Source: Himsolt, GML: A portable Graph File Format.
func readGML(t *text, s *sink) error {
	g := gml{text: t, sink: s, way: bothWays}
	g.words = t.scan(func(data []byte, atEOF bool) (int, []byte, error) {
		advance, word, err := gmlWord(data, atEOF)
		t.line += bytes.Count(data[:advance], []byte("\n"))
		return advance, word, err
	})
	_, err := g.list(true, g.top)
	switch {
	case err == nil:
		return t.errorf("]: expected a key such as graph")
	case errors.Is(err, io.EOF) && !g.begun:
		return t.errorf("has no graph: expected one")
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// gmlWord cuts the next word off a text: [ or ], a text with the quote that begins it, a key or a number. A # begins a comment.
func gmlWord(data []byte, atEOF bool) (advance int, word []byte, err error) {
	i := 0
	for i < len(data) && (isBlank(data[i]) || data[i] == '#') {
		if data[i] != '#' {
			i++
			continue
		}
		end := bytes.IndexByte(data[i:], '\n')
		if end < 0 && !atEOF {
			return i, nil, nil
		}
		if i += end; end < 0 {
			i = len(data)
		}
	}
	if i == len(data) {
		return i, nil, nil
	}
	switch data[i] {
	case '[', ']':
		return i + 1, data[i : i+1], nil
	case '"':
		if end := bytes.IndexByte(data[i+1:], '"'); end >= 0 {
			return i + end + 2, data[i : i+end+1], nil
		}
		if atEOF {
			return 0, nil, io.ErrUnexpectedEOF
		}
		return i, nil, nil
	}
	if end := bytes.IndexAny(data[i:], " \t\r\n[]\""); end >= 0 {
		return i + end, data[i : i+end], nil
	}
	if atEOF {
		return len(data), data[i:], nil
	}
	return i, nil, nil
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// word returns the next word, or io.EOF.
func (g *gml) word() (string, error) {
	if !g.words.Scan() {
		if err := g.words.Err(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
	return g.words.Text(), nil
}

// list reads the pairs of a list up to its end, and returns the texts and numbers among them, by keys in lower case. Lists among them
// inside reads, up to their ends. It returns io.EOF where the file ends between two pairs. directs says whether the list may hold the
// direction of all links.
func (g *gml) list(directs bool, inside func(key string) error) (map[string]string, error) {
	values := map[string]string{}
	for {
		key, err := g.word()
		if err != nil || key == "]" {
			return values, err
		}
		if strings.ContainsAny(key[:1], `["0123456789+-.`) {
			return nil, g.errorf("%.40q: expected a key such as graph", key)
		}
		key = strings.ToLower(key)
		value, err := g.word()
		switch {
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case value == "]":
			return nil, g.errorf("]: expected a value of %.40s", key)
		case value != "[":
			if text, quoted := strings.CutPrefix(value, `"`); quoted {
				value = html.UnescapeString(text)
			}
			values[key] = value
			if directs && key == "directed" {
				err = g.direction(value)
			}
		default:
			if err = inside(key); errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// top reads a list outside of the graph.
func (g *gml) top(key string) error {
	if key != "graph" {
		return g.skip(key)
	}
	if g.begun {
		return g.errorf("a second graph: expected one")
	}
	g.begun = true
	_, err := g.list(true, g.inside)
	return err
}

// inside reads a list of the graph.
func (g *gml) inside(key string) error {
	switch key {
	case "node":
		node, err := g.list(false, g.skip)
		if err != nil {
			return err
		}
		v, err := g.declare([]byte(node["id"]))
		for _, kind := range []string{"label", "name"} { // igraph writes names
			if name, given := node[kind]; err == nil && given {
				g.label(v, kind, name)
				break
			}
		}
		for key, value := range node {
			if key != "id" && err == nil {
				g.attribute(v, key, value)
			}
		}
		return err
	case "edge":
		edge, err := g.list(false, g.skip)
		if err != nil {
			return err
		}
		weight := edge["weight"]
		if weight == "" {
			weight = edge["value"]
		}
		return g.join(edge["source"], edge["target"], weight, g.way, g.line)
	}
	return g.skip(key)
}

// skip reads past a list.
func (g *gml) skip(string) error {
	for open := 1; open > 0; {
		word, err := g.word()
		if err != nil {
			return err
		}
		switch word {
		case "[":
			open++
		case "]":
			open--
		}
	}
	return nil
}

func (g *gml) direction(value string) error {
	switch {
	case g.Links() > 0:
		return g.errorf("directed after links: expected it before")
	case value == "1":
		g.way = oneWay
	case value == "0":
		g.way = bothWays
	default:
		return g.errorf("directed %.40s: expected 0 or 1", value)
	}
	return nil
}
