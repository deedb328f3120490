package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readNodeLink reads JSON with the keys nodes and links (or edges), as networkx.node_link_data and D3 have it: nodes with an id,
// links with a source and a target, which are ids, and maybe a weight; directed says whether links have a direction.
func readNodeLink(t *text, s *sink) error {
	lines := &lineReader{r: t.r}
	n := nodeLink{text: t, sink: s, lines: lines, d: json.NewDecoder(lines), way: bothWays}
	n.d.UseNumber()
	err := n.read()
	n.where()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		if strings.Contains(syntax.Error(), "unexpected end") {
			return io.ErrUnexpectedEOF
		}
		return t.errorf("is not JSON: %w", err)
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return t.explain(err)
	}
	return err
}

type nodeLink struct {
	*text
	*sink
	d     *json.Decoder
	lines *lineReader
	way   way
}

// where sets the line to that of what was read last.
func (n *nodeLink) where() { n.line = n.lines.lineOf(n.d.InputOffset()) }

func (n *nodeLink) read() error {
	begin, err := n.d.Token()
	if err != nil {
		return unexpected(err)
	}
	if begin != json.Delim('{') {
		return errors.New("is a JSON array: want an object with nodes and links, or data import for papers")
	}
	var seen []string
	found := map[string]bool{}
	for n.d.More() {
		token, err := n.d.Token()
		if err != nil {
			return unexpected(err)
		}
		key, _ := token.(string)
		n.where()
		if found[key] {
			return fmt.Errorf("the key %.40q again: want it once", key)
		}
		found[key] = true
		seen = append(seen, key)
		switch key {
		case "directed":
			err = n.direction()
		case "nodes":
			err = n.each("nodes", n.node)
		case "links", "edges":
			if found["links"] && found["edges"] {
				return errors.New("has links and edges: want one of them")
			}
			err = n.each(key, n.edge)
		default:
			var skipped json.RawMessage
			err = n.d.Decode(&skipped)
		}
		if err != nil {
			return unexpected(err)
		}
	}
	if _, err := n.d.Token(); err != nil {
		return unexpected(err)
	}
	if !found["nodes"] || !found["links"] && !found["edges"] {
		return fmt.Errorf("is a JSON object with %.80s: want nodes and links, as networkx.node_link_data has them", strings.Join(seen, ", "))
	}
	if _, err := n.d.Token(); err != io.EOF {
		n.where()
		return errors.New("continues after the network: want one network in a file")
	}
	return nil
}

func (n *nodeLink) direction() error {
	var directed bool
	if err := n.d.Decode(&directed); err != nil {
		return fmt.Errorf("directed: want true or false (%w)", err)
	}
	if n.Links() > 0 {
		return errors.New("directed comes after the links: want it before")
	}
	if directed {
		n.way = oneWay
	}
	return nil
}

// each calls do with the objects of an array.
func (n *nodeLink) each(key string, do func(object map[string]json.RawMessage) error) error {
	begin, err := n.d.Token()
	if err != nil {
		return err
	}
	if begin != json.Delim('[') {
		return fmt.Errorf("%s: want an array", key)
	}
	for n.d.More() {
		var object map[string]json.RawMessage
		err := n.d.Decode(&object)
		n.where()
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return fmt.Errorf("%s holds %s: want objects", key, wrong.Value)
		}
		if err != nil {
			return err
		}
		if err := do(object); err != nil {
			return err
		}
	}
	_, err = n.d.Token()
	return err
}

// id returns a text or a number.
func jsonID(object map[string]json.RawMessage, key string) ([]byte, error) {
	raw := bytes.TrimSpace(object[key])
	switch {
	case len(raw) == 0:
		return nil, fmt.Errorf("an object without %s: want one", key)
	case raw[0] == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		return []byte(s), nil
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return raw, nil
	}
	return nil, fmt.Errorf("%s is %.40s: want a text or a number", key, raw)
}

func (n *nodeLink) node(object map[string]json.RawMessage) error {
	id, err := jsonID(object, "id")
	if err != nil {
		return fmt.Errorf("nodes: %w", err)
	}
	_, err = n.declare(id)
	return err
}

func (n *nodeLink) edge(object map[string]json.RawMessage) error {
	var ends [2]int32
	for i, key := range []string{"source", "target"} {
		id, err := jsonID(object, key)
		if err != nil {
			return fmt.Errorf("links: %w", err)
		}
		if ends[i], err = n.end(id, n.line); err != nil {
			return err
		}
	}
	weight := 1.0
	if raw, ok := object["weight"]; ok {
		var err error
		if weight, err = n.number(strings.Trim(string(raw), `"`)); err != nil {
			return err
		}
	}
	return n.link(ends[0], ends[1], weight, n.way)
}

// lineReader knows the lines of offsets in what was read lately.
type lineReader struct {
	r     io.Reader
	read  int64
	lines int     // ends of lines before those in ends
	ends  []int64 // offsets of the ends of lines that were not asked for yet
}

// Read reads on.
func (l *lineReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.read += int64(n)
	if err != nil && err != io.EOF {
		err = readError(err)
	}
	return n, err
}

// lineOf returns the line of an offset, from 1. Offsets must not fall from one call to the next.
func (l *lineReader) lineOf(offset int64) int {
	i := 0
	for i < len(l.ends) && l.ends[i] < offset {
		i++
	}
	l.lines += i
	l.ends = l.ends[i:]
	return l.lines + 1
}
